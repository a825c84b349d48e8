/** Another version of the project is replaced by this one under load, and this one by the other: `--checkout` names its folder. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startReceiver, until } from 'specwright/testing';
import { newAccount } from '../../test/support/service/app.ts';
import { readStock } from '../../test/support/service/shop.ts';
import { openFleet, type Fleet } from './support/fleet.ts';
import { migrateBy, openDatabase } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';
import { countDisorders, countGaps, countResets, idsOf, subscribe, type ReceivedEvent } from './support/subscriber.ts';

const SERVERS = 2;
const CLIENTS = 8;
const SUBSCRIBERS = 4;
const STOCK = 1_000_000;
/** How long each mix of versions is under load, in ms. */
const PHASE_MS = 4000;
/** How often a client sends a message, reads, and else orders. */
const MESSAGE_EVERY = 10;
const READ_EVERY = 3;

export const scenario: Scenario = {
  summary: 'the version of --checkout is replaced by this one under load, and back: orders, events, messages',
  timeoutMs: 600_000,
  async run(context) {
    const { measure, progress, checkout } = context;
    if (checkout === undefined) return measure({ measured: 'skipped: no other version is given (--checkout DIR)', value: 1 });
    const database = await openDatabase(context);
    const { accountId, key } = await newAccount(database.db, 'enterprise');
    const receiver = await startReceiver();
    context.defer(() => receiver.close());
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    const fleet = await openFleet(context, database.url, { count: SERVERS, headers: { Authorization: `Bearer ${key}` }, env });
    // By its API: the stores of this version write what the schema of the other one may not have.
    const call = async (method: string, path: string, body: object) => {
      const answer = await fleet.pick('busy').send(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.body}`);
      return (JSON.parse(answer.body) as { id: number }).id;
    };
    await call('PUT', '/account/webhook', { url: receiver.url });
    const categoryId = await call('POST', '/categories', { name: 'Dogs' });
    // One for each client: on a busy machine clients that order the same pet wait for its lock for too long.
    const petIds: number[] = [];
    while (petIds.length < CLIENTS) {
      const petId = await call('POST', '/pets', { name: 'Rex', categoryId });
      await call('PUT', `/store/inventory/${petId}`, { quantity: STOCK });
      petIds.push(petId);
    }
    const subscribers = Array.from({ length: SUBSCRIBERS }, () => subscribe(() => fleet.url(), key));
    context.defer(() => subscribers.forEach((subscriber) => subscriber.close()));
    await until(() => subscribers.every(({ received }) => received.length > 0), 20_000);
    const load = startWrites(fleet, petIds);
    const during = async (mix: string, change: () => Promise<void> = async () => undefined) => {
      const { sent, failed } = { sent: load.sent, failed: load.failures.length };
      progress(mix);
      await change();
      await sleep(PHASE_MS);
      measure({ measured: `${mix}: requests`, value: load.sent - sent, min: 1 });
      measure({ measured: `${mix}: failed`, value: load.failures.length - failed, max: 0 });
    };

    await during('the other version alone');
    const plan = await migrateBy(database.url, ['--plan']);
    const isRolled = !plan.includes('needs a stop');
    measure({ measured: 'the release can be rolled, by its plan', value: Number(isRolled) });
    if (isRolled) {
      await during('migrated', async () => {
        await migrateBy(database.url);
      });
      await during('both versions', () => fleet.replace(0, THIS));
      await during('this version alone', () => fleet.replace(1, THIS));
      await during('both versions again', () => fleet.replace(0, checkout));
      await during('back to the other version', () => fleet.replace(1, checkout));
      await during('this version again', async () => {
        for (let n = 0; n < SERVERS; n++) await fleet.replace(n, THIS);
      });
    } else {
      const refusal = await migrateBy(database.url).then(
        () => '',
        (error: unknown) => String(error),
      );
      measure({
        measured: 'the migration is refused while servers are connected',
        value: Number(refusal.includes('would answer 503')),
        min: 1,
      });
      await load.pause();
      const began = performance.now();
      await fleet.stopAll(async () => {
        await migrateBy(database.url);
      }, THIS);
      measure({ measured: 'the stop', value: performance.now() - began, unit: 'ms' });
      load.resume();
      await during('this version alone');
    }

    await load.pause();
    for (const [reason, count] of load.reasons()) measure({ measured: reason, value: count, max: 0 });
    const left = (await readStock(database.db, accountId)).reduce((sum, { stock }) => sum + stock, 0);
    const orders = STOCK * CLIENTS - left;
    await until(() => subscribers.every(({ received }) => received.length > orders), 30_000).catch(() => undefined);
    await until(() => load.messages.every((id) => deliveredIds(receiver.received).has(id)), 60_000).catch(() => undefined);
    const delivered = deliveredIds(receiver.received);
    measure({ measured: 'orders', value: orders, min: 1 });
    measure({ measured: 'acknowledged orders that are lost', value: Math.max(0, load.orders - orders), max: 0 });
    measure({ measured: 'messages accepted', value: load.messages.length, min: 1 });
    measure({ measured: 'messages not delivered', value: load.messages.filter((id) => !delivered.has(id)).length, max: 0 });
    for (const subscriber of subscribers) {
      const events = subscriber.received.slice(1);
      measure({ measured: 'events received', value: events.length, min: 1 });
      measure({ measured: 'events doubled or out of order', value: countDisorders(idsOf(subscriber)), max: 0 });
      measure({ measured: 'changes of the stock without an event, or with two', value: Math.abs(orders - events.length), max: 0 });
      measure({
        measured: 'pets whose units do not go down one by one',
        value: petIds.filter((id) => !isCountdown(events, id)).length,
        max: 0,
      });
      measure({ measured: 'resets', value: countResets(subscriber.received), max: 0 });
    }
  },
};

/** This project, for `startServer`. */
const THIS = fileURLToPath(new URL('../..', import.meta.url));

/** Each order takes one unit. */
const isCountdown = (events: readonly ReceivedEvent[], petId: number): boolean =>
  countGaps([-STOCK, ...events.flatMap(({ data }) => (data.petId === petId ? [-(data.quantity ?? NaN)] : []))]) === 0;

const deliveredIds = (requests: readonly { readonly headers: object }[]): Set<string> =>
  new Set(requests.map(({ headers }) => (headers as Record<string, string>)['webhook-id'] ?? ''));

interface Writes {
  readonly sent: number;
  /** Orders that were acknowledged. */
  readonly orders: number;
  /** The ids of messages that were accepted. */
  readonly messages: readonly string[];
  readonly failures: readonly string[];
  reasons(): Map<string, number>;
  /** Resolves when no request is under way. */
  pause(): Promise<void>;
  resume(): void;
}

function startWrites(fleet: Fleet, petIds: readonly number[]): Writes {
  const failures: string[] = [];
  const messages: string[] = [];
  let [sent, orders] = [0, 0];
  let isPaused = false;
  let loops: Promise<void>[] = [];
  const send = async (petId: number, connections: 'fresh' | 'busy') => {
    const n = sent++;
    const client = fleet.pick(connections);
    const [expected, answer] =
      n % MESSAGE_EVERY === 0
        ? [202, await client.send('POST', '/messages', { message: `message ${n}` })]
        : n % READ_EVERY === 0
          ? [200, await client.send('GET', `/store/pets/${petId}`)]
          : [201, await client.send('POST', '/store/orders', { petId, quantity: 1 })];
    if (answer.status !== expected) failures.push(answer.error ?? `${answer.status} ${answer.body.slice(0, 100)}`);
    else if (expected === 201) orders++;
    else if (expected === 202) messages.push((JSON.parse(answer.body) as { id: string }).id);
  };
  const resume = () => {
    isPaused = false;
    loops = petIds.map(async (petId, n) => {
      while (!isPaused) {
        await send(petId, n % 2 === 0 ? 'fresh' : 'busy');
        await sleep(5);
      }
    });
  };
  resume();
  return {
    get sent() {
      return sent;
    },
    get orders() {
      return orders;
    },
    messages,
    failures,
    reasons: () => failures.reduce((counts, reason) => counts.set(reason, (counts.get(reason) ?? 0) + 1), new Map<string, number>()),
    async pause() {
      isPaused = true;
      await Promise.all(loops);
    },
    resume,
  };
}
