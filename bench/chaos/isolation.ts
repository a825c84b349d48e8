/** Reads that are sent together, while values cannot be sent, and statements, sessions and locks are disturbed: each gets its own row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@specwright/server';
import { connect, createStoreAccess, type Database } from '@specwright/postgres';
import type { TestDatabase } from 'specwright/testing';
import { createPet, getPet } from '../../src/db/pets.ts';
import { openDatabase, openShop } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ACCOUNTS = 64;
const PETS_OF_EACH = 4;
const READS = 200_000;
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

const { prepare } = createStoreAccess();
const readUnsendable = prepare((db, value: object) => db.select(db.raw('?::text AS value', value as never)).first());

export const scenario: Scenario = {
  summary: '200,000 reads by 64 accounts beside unsendable values, cancels, ends, locks and aborts',
  timeoutMs: 300_000,
  async run(context) {
    const { measure, progress, signal } = context;
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
        if (record.id === pet.id && record.name === pet.name) counts.read++;
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
    await Promise.all(
      pets.map(async (own) => {
        for (let n = 0; total() < READS && !signal.aborted; n++) {
          const group = Array.from({ length: AT_ONCE }, () => readOne(own));
          if (n % 4 === 0) group.push(refuseOne(n / 4));
          await Promise.all(group);
          if (n % 50 === 0) progress(`${total()} of ${READS} reads`);
        }
      }),
    );
    isRunning = false;
    await Promise.all(disturb);

    measure({ measured: 'reads', value: total(), min: READS });
    measure({ measured: 'of them with the row of another read', value: counts.foreign, max: 0 });
    measure({ measured: 'of them 503', value: counts.unavailable });
    measure({ measured: 'of them other errors', value: counts.other, max: 0 });
    measure({ measured: 'reads with the row that was asked for', value: counts.read, min: READS / 2 });
    measure({ measured: 'values that could not be sent', value: counts.unsendable, min: 1 });
    measure({ measured: 'of them answered', value: counts.answered, max: 0 });
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
