/** Reads and transactions that are sent together, while values cannot be sent, and statements, sessions and locks are disturbed: each gets its own row, and all of a transaction is done or nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@specwright/server';
import { connect, createStoreAccess, type Database } from '@specwright/postgres';
import type { TestDatabase } from 'specwright/testing';
import { createPet, getPet } from '../../src/db/pets.ts';
import { openDatabase, openShop } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ACCOUNTS = 64;
const PETS_OF_EACH = 4;
/** Reads in a round; a quarter as many transactions. */
const READS = 1000;
const ROUNDS = 200;
/** How many reads of an account are asked for at once. */
const AT_ONCE = 8;
const NAME = 'isolation';

interface OwnPet {
  readonly accountId: number;
  readonly id: number;
  readonly name: string;
}

/** What is no value of a statement: an object that contains itself, and one that refuses to be converted. */
function unsendable(n: number): object {
  if (n % 2 === 0) return { toPostgres: () => { throw new Error('is not to be sent'); } }; // prettier-ignore
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  return circular;
}

const { read, transaction } = createStoreAccess();
const readUnsendable = (db: Database, value: object) => read(db.select(db.raw('?::text AS value', value as never)).first());

const rename = (db: Database, accountId: number, id: number, name: unknown) =>
  read(
    db('pets')
      .where({ account_id: accountId, id })
      .update({ name: name as string }),
  );
const readPair = (db: Database, accountId: number, ids: readonly number[]) =>
  read(
    db('pets')
      .where({ account_id: accountId })
      .whereRaw('id = ANY (?)', [ids as never])
      .first<{ marks: string[] }>(db.raw(`array_agg(DISTINCT split_part(name, ' #', 2)) AS marks`)),
  );

/** The changes of the pair of an account: the first and the last of its pets always have the same mark. */
class Pair {
  readonly counts = { done: 0, refused: 0, unavailable: 0, other: 0, half: 0, undead: 0 };
  readonly #db: Database;
  readonly #pets: readonly [OwnPet, OwnPet];
  /** Of the last transaction that has succeeded; after it those that may have, and not those that were refused. */
  #possible = new Set(['']);

  constructor(db: Database, own: readonly OwnPet[]) {
    this.#db = db;
    this.#pets = [own[0] as OwnPet, own.at(-1) as OwnPet];
  }

  /** Marks both; each 8th transaction has a value that cannot be sent, as the first of the last statements, the last, or between them. */
  async change(n: number): Promise<void> {
    const [{ accountId, ...first }, second] = this.#pets;
    const mark = String(n);
    const isBad = n % 8 === 0;
    if (!isBad) this.#possible.add(mark);
    try {
      await transaction(this.#db, async (trx) => {
        const last = [
          () => rename(trx, accountId, first.id, `${first.name} #${mark}`),
          () => rename(trx, accountId, second.id, `${second.name} #${mark}`),
        ];
        if (n % 3 === 0) await rename(trx, accountId, first.id, 'half of a transaction');
        const all = isBad ? last.toSpliced(n % 3, 0, () => rename(trx, accountId, first.id, unsendable(n))) : last;
        await Promise.all(all.map((step) => step()));
      });
      this.counts.done++;
      if (isBad) this.counts.undead++;
      this.#possible = new Set([mark]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_unavailable') this.counts.unavailable++;
      else if (isBad) this.counts.refused++;
      else this.counts.other++;
    }
  }

  /** Counts pairs that differ, or have a mark that was refused. */
  async check(db: Database): Promise<void> {
    const ids = this.#pets.map(({ id }) => id);
    const { marks } = await readPair(db, this.#pets[0].accountId, ids);
    if (marks.length !== 1) this.counts.half++;
    else if (!this.#possible.has(marks[0] ?? '')) this.counts.undead++;
  }
}

export const scenario: Scenario = {
  summary: '200,000 reads and 50,000 transactions of 64 accounts beside unsendable values, cancels, ends, locks and aborts',
  timeoutMs: 900_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const [reads, writes] = [rounds * READS, (rounds * READS) / 4];
    const database = await openDatabase(context);
    const db = connect({ url: database.url, name: NAME, pool: 8, statementTimeoutMs: 1000, lockTimeoutMs: 200 });
    context.defer(() => db.destroy());
    const pets = await Promise.all(Array.from({ length: ACCOUNTS }, () => openPets(database)));

    const counts = { read: 0, foreign: 0, unavailable: 0, unsendable: 0, answered: 0, other: 0, disturbances: 0 };
    let isRunning = true;
    const disturb = disturbances(database.db, pets).map(async (disturbOnce, i) => {
      for (let n = 0; isRunning; n++) {
        await sleep(5 + 7 * i);
        await disturbOnce(n);
        counts.disturbances++;
      }
    });
    const readOne = async (own: readonly OwnPet[]): Promise<void> => {
      const pet = own[Math.floor(Math.random() * own.length)] as OwnPet;
      try {
        const { record } = await getPet(db, pet.accountId, pet.id);
        if (record.id === pet.id && record.name.split(' #')[0] === pet.name) counts.read++;
        else counts.foreign++;
      } catch (error) {
        if (error instanceof AppError && error.code === 'service_unavailable') counts.unavailable++;
        else counts.other++;
      }
    };
    const refuseOne = async (n: number): Promise<void> => {
      try {
        await readUnsendable(db, unsendable(n));
        counts.answered++;
      } catch {
        counts.unsendable++;
      }
    };
    const total = () => counts.read + counts.foreign + counts.unavailable + counts.other;
    const pairs = pets.map((own) => new Pair(db, own));
    const changed = pairs.map(async (pair) => {
      for (let n = 1; n <= Math.ceil(writes / ACCOUNTS) && !signal.aborted; n++) {
        await pair.change(n);
        if (n % 10 === 0) await pair.check(database.db);
      }
    });
    await Promise.all([
      ...changed,
      ...pets.map(async (own) => {
        for (let n = 0; total() < reads && !signal.aborted; n++) {
          const group = Array.from({ length: AT_ONCE }, () => readOne(own));
          if (n % 4 === 0) group.push(refuseOne(n / 4));
          await Promise.all(group);
          if (n % 50 === 0) progress(`${total()} of ${reads} reads`);
        }
      }),
    ]);
    isRunning = false;
    await Promise.all(disturb);
    await Promise.all(pairs.map((pair) => pair.check(database.db)));
    const sum = (name: keyof Pair['counts']) => pairs.reduce((total, pair) => total + pair.counts[name], 0);

    measure({ measured: 'reads', value: total(), min: reads });
    measure({ measured: 'of them with the row of another read', value: counts.foreign, max: 0 });
    measure({ measured: 'of them 503', value: counts.unavailable });
    measure({ measured: 'of them other errors', value: counts.other, max: 0 });
    measure({ measured: 'reads with the row that was asked for', value: counts.read, min: reads / 2 });
    measure({ measured: 'values that could not be sent', value: counts.unsendable, min: 1 });
    measure({ measured: 'of them answered', value: counts.answered, max: 0 });
    measure({ measured: 'transactions that succeeded', value: sum('done'), min: writes / 4 });
    measure({ measured: 'transactions with a value that cannot be sent', value: sum('refused'), min: 1 });
    measure({ measured: 'transactions with 503', value: sum('unavailable') });
    measure({ measured: 'transactions with other errors', value: sum('other'), max: 0 });
    measure({ measured: 'half transactions', value: sum('half'), max: 0 });
    measure({ measured: 'done though refused, or undone though acknowledged', value: sum('undead'), max: 0 });
    measure({ measured: 'cancels, ends, locks and aborts', value: counts.disturbances, min: 1 });
  },
};

async function openPets(database: TestDatabase): Promise<OwnPet[]> {
  const { accountId, categoryId } = await openShop(database);
  return Promise.all(
    Array.from({ length: PETS_OF_EACH }, async (_, i) => {
      const name = `pet ${i} of ${accountId}`;
      const { record } = await createPet(database.db, accountId, { name, categoryId, status: 'available' });
      return { accountId, id: record.id, name };
    }),
  );
}

/** Each is done again and again. What cannot be done, such as to end a session that has ended, is left. */
function disturbances(db: Database, pets: readonly (readonly OwnPet[])[]): ((n: number) => Promise<unknown>)[] {
  const ignore = () => undefined;
  const onOneSession = (fn: string) =>
    db.raw(`SELECT ${fn}(pid) FROM pg_stat_activity WHERE application_name = ? ORDER BY random() LIMIT 1`, [NAME]).catch(ignore);
  const petOf = (n: number) => pets[n % pets.length]?.[n % PETS_OF_EACH] as OwnPet;
  return [
    () => onOneSession('pg_cancel_backend'),
    (n) => (n % 20 === 0 ? onOneSession('pg_terminate_backend') : Promise.resolve()),
    (n) =>
      db
        .transaction(async (trx) => {
          await trx.raw('LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
          await sleep(n % 15);
        })
        .catch(ignore),
    (n) =>
      db
        .transaction(async (trx) => {
          await trx('pets')
            .where({ account_id: petOf(n).accountId, id: petOf(n).id })
            .update({ name: 'never committed' });
          throw new Error('changed its mind');
        })
        .catch(ignore),
  ];
}
