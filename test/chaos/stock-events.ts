/** SIGKILL of servers and of the database under writes: subscribers that reconnect get each event of the stock once and in order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until, type TestDatabase } from 'specwright/testing';
import { createLoadClient } from '../support/tools/load-client.ts';
import { createPet } from '../../src/db/pets.ts';
import { setInventory } from '../../src/db/inventory.ts';
import { readStock } from '../../test/support/service/shop.ts';
import { answers, openDatabase, openShop, postmaster, startServer, type Server } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';
import { countGaps, countMissed, countResets, subscribe, type ReceivedEvent } from './support/subscriber.ts';

const ROUNDS = 100;
const SERVERS = 2;
const PETS = 4;
const CLIENTS = 12;
const SUBSCRIBERS = 4;
const STOCK = 1_000_000;
/** How long a round goes on writing at most before the kill, in ms. */
const WRITE_MS = 400;
/** How often a client makes a pet and deletes it in place of an order. */
const DELETE_EVERY = 8;
/** How many writes a client sends to a server before it goes on to the next one. */
const TURNS = 20;

export const scenario: Scenario = {
  summary: 'SIGKILL of servers and of the database, 100 times, under writes and subscribers of stock events',
  timeoutMs: 1_500_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const database = await openDatabase(context, { fsync: 'on' });
    const { accountId, key, categoryId, petId } = await openShop(database, STOCK);
    const petIds = [petId];
    while (petIds.length < PETS) petIds.push(await stockPet(database, accountId, categoryId));
    const start = () => startServer(context, database.url, { WORKER: 'off', START_TIMEOUT: '30000' });
    const servers: Server[] = await Promise.all(Array.from({ length: SERVERS }, start));
    const urlOf = (n: number) => servers[n % SERVERS]?.url ?? '';
    const subscribers = Array.from({ length: SUBSCRIBERS }, (_, n) => subscribe((attempt) => urlOf(n + attempt), key));
    context.defer(() => subscribers.forEach((subscriber) => subscriber.close()));
    await until(() => subscribers.every(({ received }) => received.length > 0), 20_000);

    const log: WriteLog = { acknowledged: [], deleted: [], others: 0, isOver: false };
    const { acknowledged, deleted } = log;
    const counts = { servers: 0, databases: 0 };

    const writeOn = (_: unknown, client: number) => write(log, (n) => urlOf(client + n), { key, categoryId, petIds });
    const writes = Promise.all(Array.from({ length: CLIENTS }, writeOn));

    const absence = watchAbsence(acknowledged);
    context.defer(absence.end);
    for (let round = 1; round <= rounds && !signal.aborted; round++) {
      progress(`round ${round} of ${rounds}, ${acknowledged.length} orders acknowledged`);
      const before = acknowledged.length;
      await until(() => acknowledged.length > before, 30_000);
      await sleep(WRITE_MS * Math.random());
      const victim = round % (SERVERS + 1);
      if (victim === SERVERS) {
        process.kill(await postmaster(database.url), 'SIGKILL');
        counts.databases++;
        // The fixture that owns it starts it again.
        await until(() => answers(database.url), 30_000);
      } else {
        servers[victim]?.process.child.kill('SIGKILL');
        counts.servers++;
        servers[victim] = await start();
      }
    }
    absence.end();
    log.isOver = true;
    await writes;

    const lastId = await lastNumber(database, accountId);
    await until(() => subscribers.every((subscriber) => subscriber.lastId >= lastId), 30_000).catch(() => undefined);
    const events = await readEvents(database, accountId);
    const ids = events.map(({ id }) => id);
    const stock = await readStock(database.db, accountId);
    measure({ measured: 'SIGKILL of a server', value: counts.servers });
    measure({ measured: 'SIGKILL of the database', value: counts.databases });
    measure({ measured: 'longest time until an order is made, after a kill', value: absence.longestMs(), unit: 'ms' });
    measure({ measured: 'SIGKILL in all', value: counts.servers + counts.databases, min: rounds });
    const stored = new Set(await database.db('orders').where({ account_id: accountId }).pluck<number[]>('id'));
    measure({ measured: 'orders acknowledged', value: acknowledged.length, min: rounds });
    measure({ measured: 'acknowledged orders that are lost', value: acknowledged.filter((id) => !stored.has(id)).length, max: 0 });
    const missing = stock.filter(({ petId: id }) => petIds.includes(id)).filter(({ total }) => total !== STOCK).length;
    measure({ measured: 'pets whose stock does not balance', value: missing, max: 0 });
    measure({ measured: 'pets deleted', value: deleted.length, min: 1 });
    measure({ measured: 'answers other than 2xx and 503', value: log.others, max: 0 });
    measure({ measured: 'events', value: events.length, min: acknowledged.length });
    measure({
      measured: 'events that do not name the one before',
      value: events.filter(({ previous_id: previous }, n) => previous !== (events[n - 1]?.id ?? 0)).length,
      max: 0,
    });
    measure({ measured: 'orders without an event, or with two, or out of order', value: countWrongSteps(events, stock, petIds), max: 0 });
    measure({ measured: 'deleted pets whose last event is another', value: countWrongEnds(events, deleted), max: 0 });
    measure({ measured: 'connections of subscribers', value: sum(subscribers, ({ connections }) => connections), min: SUBSCRIBERS + 1 });
    measure({ measured: 'events received', value: sum(subscribers, ({ received }) => received.length - 1), min: 1 });
    measure({ measured: 'events lost, doubled or out of order', value: sum(subscribers, (one) => countMissed(one, ids)), max: 0 });
    measure({ measured: 'events other than the stored ones', value: sum(subscribers, (one) => countOthers(one.received, events)), max: 0 });
    measure({
      measured: 'subscribers that were told to begin again',
      value: sum(subscribers, ({ received }) => countResets(received)),
      max: 0,
    });
    measure({ measured: 'subscribers without the last event', value: sum(subscribers, (one) => Number(one.lastId !== lastId)), max: 0 });
  },
};

/** The longest time in which nothing is acknowledged: with one server killed at a time it is short. */
function watchAbsence(acknowledged: readonly unknown[]): { readonly end: () => void; readonly longestMs: () => number } {
  let [seen, seenAt, longest] = [acknowledged.length, performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - seenAt);
    if (acknowledged.length !== seen) [seen, seenAt] = [acknowledged.length, now];
  }, 20);
  return { end: () => clearInterval(timer), longestMs: () => longest };
}

interface WriteLog {
  readonly acknowledged: number[];
  readonly deleted: number[];
  /** Answers other than 2xx and 503. */
  others: number;
  isOver: boolean;
}

interface Stock {
  readonly key: string;
  readonly categoryId: number;
  readonly petIds: readonly number[];
}

/** Orders, and now and then makes a pet and deletes it, until it is over. @param urlOf tells where, from time to time. */
async function write(log: WriteLog, urlOf: (n: number) => string, { key, categoryId, petIds }: Stock): Promise<void> {
  for (let n = 0; !log.isOver; n++) {
    const client = createLoadClient(urlOf(n), { headers: { Authorization: `Bearer ${key}` }, timeoutMs: 10_000 });
    let isAnswered = true;
    for (let turn = 0; turn < TURNS && isAnswered; turn++) {
      const isPet = turn % DELETE_EVERY === 1;
      const order = { petId: petIds[(n + turn) % PETS], quantity: 1 };
      const { status, body } = await (isPet
        ? client.send('POST', '/pets', { name: 'Rex', categoryId })
        : client.send('POST', '/store/orders', order));
      isAnswered = status === 201;
      if (!isAnswered && status !== 0 && status !== 503) log.others++;
      if (!isAnswered) continue;
      const { id } = JSON.parse(body) as { id: number };
      if (!isPet) log.acknowledged.push(id);
      else if ((await client.send('DELETE', `/pets/${id}`)).status === 204) log.deleted.push(id);
    }
    if (!isAnswered) await sleep(20);
    client.close();
  }
}

interface Row {
  readonly id: number;
  readonly previous_id: number;
  readonly pet_id: number;
  readonly quantity: number | null;
}

const sum = <T>(values: readonly T[], of: (value: T) => number): number => values.reduce((total, value) => total + of(value), 0);

async function stockPet({ db }: TestDatabase, accountId: number, categoryId: number): Promise<number> {
  const { record } = await createPet(db, accountId, { name: 'Rex', categoryId, status: 'available' });
  await setInventory(db, accountId, record.id, { quantity: STOCK });
  return record.id;
}

async function readEvents({ db }: TestDatabase, accountId: number): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `SELECT id, previous_id, (event->'data'->>'petId')::bigint AS pet_id, (event->'data'->>'quantity')::bigint AS quantity
       FROM event_log WHERE account_id = ? ORDER BY id`,
    [accountId],
  );
  return rows;
}

/** The id of the account's last event, once all are published. */
async function lastNumber({ db }: TestDatabase, accountId: number): Promise<number> {
  await until(async () => (await db('event_log_pending').first('position')) === undefined, 30_000);
  return (await db('event_log_last_ids').where({ account_id: accountId }).first<{ last_id: number }>('last_id')).last_id;
}

/** Each order takes one unit, so the units of a pet go down one by one, to what there is now. */
function countWrongSteps(events: readonly Row[], stock: readonly { petId: number; stock: number }[], petIds: readonly number[]): number {
  return sum(petIds, (petId) => {
    const units = events.filter(({ pet_id: id, quantity }) => id === petId && quantity !== 0).map(({ quantity }) => -(quantity ?? NaN));
    const isLast = units.at(-1) === -(stock.find(({ petId: id }) => id === petId)?.stock ?? NaN);
    return countGaps(units) + Number(!isLast) + Number(units[0] !== -STOCK);
  });
}

function countWrongEnds(events: readonly Row[], deleted: readonly number[]): number {
  const last = new Map(events.map(({ pet_id: petId, quantity }) => [petId, quantity]));
  return deleted.filter((petId) => last.get(petId) !== null).length;
}

function countOthers(received: readonly ReceivedEvent[], events: readonly Row[]): number {
  const stored = new Map(events.map((row) => [row.id, row]));
  return received.slice(1).filter(({ id, data }) => {
    const row = stored.get(Number(id));
    return row === undefined || row.pet_id !== data.petId || row.quantity !== (data.quantity ?? null);
  }).length;
}
