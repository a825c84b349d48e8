/** One run: an account with a few pets and small stocks, four clients that send batches of requests, and what is true after each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { issueKey, setPlan } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { scaleTimeout, type LogLine } from 'specwright/testing';
import type { PostgresProxy } from '../support/tools/postgres-proxy.ts';
import { createOrder } from '../../src/db/orders.ts';
import { updatePet } from '../../src/db/pets.ts';
import { AMPLE_QUOTA } from '../support/service/app.ts';
import { openShop } from '../support/service/shop.ts';
import { HttpClient } from './client.ts';
import { act, type Delays, type Fault } from './faults.ts';
import { findTaken } from './leaks.ts';
import { linearize } from './linearize.ts';
import { observe, type Observation } from './observe.ts';
import { Requester, type Client } from './requester.ts';
import type { Draw } from './requests.ts';
import { AnswerCheck, type ClientKey, type Sent } from './sent.ts';
import type { Service } from './service.ts';
import { untouched, type State, type StockEvent } from './state.ts';
import { sendStream, type OpenItems, type StreamDraw } from './stream-requests.ts';
import type { Resources } from './streams.ts';
import { Subscriber } from './subscriber.ts';
import { describeHistory, Violation } from './violation.ts';

/** What runs have in common. */
export interface Surroundings {
  readonly db: Database;
  readonly proxy: PostgresProxy;
  readonly service: Service;
  readonly resources: Resources;
  readonly webhookUrl: string;
  /** How often requests were answered with each status. */
  readonly statuses: Map<number | 'lost', number>;
  readonly log: LogLine[];
  /** Whether a version may grow, and an event be made, by a request that changes nothing. */
  readonly isLenient: boolean;
}

export interface Batch {
  readonly clients: readonly (readonly Draw[])[];
  readonly streams: readonly StreamDraw[];
  readonly fault: Fault;
  readonly delays: Delays;
}

const CLIENTS = 4;
/** How long a transaction whose client has gone may wait before it is run again, in ms; and what is on its way without a statement. */
const RETRY_PAUSE_MS = 40;
const PAUSE_MS = 5;
const SETTLE_TIMEOUT_MS = 20_000;
/** What needs no request any more, in ms; the delivery of messages may begin again after a lost connection. */
const CLOSE_TIMEOUT_MS = 8000;
const DELIVERY_TIMEOUT_MS = 20_000;
/** Figures of the store may be a second old, which is as long as a run. */
const RUNS_PER_SCRAPE = 5;

let runs = 0;

export class World {
  readonly #surroundings: Surroundings;
  readonly #run: string;
  readonly #accountId: number;
  readonly #clients: readonly Client[];
  readonly #requester: Requester;
  readonly #subscriber: Subscriber;
  readonly #answers: AnswerCheck;
  readonly #open = new Set<OpenItems>();
  readonly #events = new Map<number, StockEvent>();
  readonly #problems: string[] = [];
  #state: State;
  #observation: Observation;
  #former: ReadonlyMap<string, string> = new Map();

  private constructor(
    surroundings: Surroundings,
    accountId: number,
    clients: readonly Client[],
    observation: Observation,
    root: ClientKey,
  ) {
    const { service, statuses, webhookUrl, isLenient } = surroundings;
    this.#surroundings = surroundings;
    this.#run = `${process.pid}-${++runs}`;
    this.#accountId = accountId;
    this.#clients = clients;
    this.#observation = observation;
    this.#state = observation.state;
    this.#answers = new AnswerCheck((text) => void this.#problems.push(text));
    this.#requester = new Requester({
      run: this.#run,
      // Limits of addresses are those of a run.
      address: `10.${(runs >> 8) & 255}.${runs & 255}.1`,
      webhookUrl,
      rootKeyId: root.id,
      isLenient,
      url: () => service.current.storeUrl,
      count: (status) => void statuses.set(status, (statuses.get(status) ?? 0) + 1),
    });
    this.#subscriber = new Subscriber(() => service.current.storeUrl, root.apiKey);
  }

  static async open(surroundings: Surroundings): Promise<World> {
    const { db } = surroundings;
    const {
      accountId,
      key,
      petIds: [first, sold = 0],
    } = await openShop(db, 1, 2, 1);
    await setPlan(db, accountId, 'enterprise', AMPLE_QUOTA);
    await createOrder(db, accountId, { petId: first, quantity: 1 });
    // Sold, with an open order and a unit: what a change of its status and one of the order meet at.
    await createOrder(db, accountId, { petId: sold, quantity: 1 });
    await updatePet(db, accountId, sold, { status: 'sold' });
    const clients: Client[] = [];
    for (let n = 0; n < CLIENTS; n++) clients.push({ http: new HttpClient(), key: await newKey(db, accountId) });
    const observation = await observe(db, { accountId, emails: 'none' }, 0);
    const root = Math.min(...observation.state.apiKeys.map(({ id }) => id));
    return new World(surroundings, accountId, clients, observation, { id: root, apiKey: key });
  }

  /** Sends the requests of the clients at the same time, each client's one after the other, and checks what is there then. @throws Violation */
  async run({ clients, streams, fault, delays }: Batch): Promise<void> {
    const { proxy, service, db } = this.#surroundings;
    const acting = act(fault, delays, { ...this.#surroundings, subscriber: this.#subscriber, accountId: this.#accountId });
    const knowledge = { state: this.#state, etags: this.#observation.etags, former: this.#former };
    const sending = clients.map(async (draws, n) => {
      const sent: Sent[] = [];
      for (const draw of draws) sent.push(...(await this.#requester.send(draw, this.#clients[n] as Client, knowledge)));
      return sent;
    });
    const streaming = streams.map((draw, n) =>
      sendStream(draw, {
        url: () => service.current.streamsUrl,
        db,
        open: this.#open,
        problem: (text) => void this.#problems.push(text),
        client: (this.#clients[n] as Client).http,
      }),
    );
    const [all] = await Promise.all([Promise.all(sending), Promise.all(streaming), acting]);
    proxy.clear();
    const sent = all.flat();
    await this.#settle(sent);
    await this.#check(sent);
    await this.#renewKeys(sent);
  }

  /** Waits until nothing is under way. What was not answered may still be tried again. */
  async #settle(sent: readonly Sent[]): Promise<void> {
    const { proxy, service } = this.#surroundings;
    const isUnsure = sent.some(({ answer }) => answer === undefined || answer.status >= 500);
    const quiet = isUnsure ? RETRY_PAUSE_MS : PAUSE_MS;
    const deadline = performance.now() + scaleTimeout(SETTLE_TIMEOUT_MS);
    for (let since = performance.now(); performance.now() - since < quiet; await sleep(2)) {
      if (proxy.pending() > 0 || !service.isIdle()) since = performance.now();
      if (performance.now() > deadline)
        throw new Violation(['statements are under way, or connections are used, long after the last answer']);
    }
  }

  async #check(sent: readonly Sent[]): Promise<void> {
    const { db, service, isLenient } = this.#surroundings;
    const before = this.#observation;
    const after = await observe(db, { accountId: this.#accountId, emails: `model-${this.#run}-%` }, before.lastEventId);
    for (const [id, event] of after.events) this.#events.set(id, event);
    const history = this.#answers.historyOf(sent, this.#state, after.state);
    const kept = new Set([...before.versions.keys()].filter((record) => after.versions.has(record)));
    const touched = [...kept].filter((record) => before.versions.get(record) !== after.versions.get(record)).sort();
    const observed = { state: after.state, kept, touched, events: this.#eventsByPet(after), isLenient };
    const verdict = linearize(this.#state, history, observed);
    if (verdict.state === undefined) this.#problems.push(describeHistory(this.#state, history, { ...observed, ...verdict.search }));
    const [used, stored] = after.photoBytes;
    if (used !== stored) this.#problems.push(`the quota of photos counts ${used} bytes, and ${stored} are there`);
    this.#problems.push(...service.problems.splice(0), ...this.#subscriber.problems.splice(0));
    if (this.#problems.length > 0) throw new Violation(this.#problems);
    this.#former = before.etags;
    this.#observation = after;
    const stillUsed = Object.entries((verdict.state as State).idempotencyKeys).filter(([name]) => this.#requester.isUsed(name));
    this.#state = { ...untouched(after.state), idempotencyKeys: Object.fromEntries(stillUsed) };
  }

  #eventsByPet({ events }: Observation): Record<number, StockEvent[]> {
    const { isLenient } = this.#surroundings;
    const byPet: Record<number, StockEvent[]> = {};
    for (const event of events.values()) {
      const pet = this.#state.pets.find(({ id }) => id === event.petId);
      const former = byPet[event.petId]?.at(-1) ?? (pet && { petId: pet.id, quantity: pet.stock, status: pet.status });
      if (!isLenient || !isDeepStrictEqual(event, former)) (byPet[event.petId] ??= []).push(event);
    }
    return byPet;
  }

  /** Clients whose keys have ended, or may have, get others. */
  async #renewKeys(sent: readonly Sent[]): Promise<void> {
    const { db } = this.#surroundings;
    for (const client of this.#clients) {
      const isRefused = sent.some(({ key, answer }) => key.id === client.key.id && answer?.status === 401);
      if (!this.#answers.hasEnded(client.key.id) && !isRefused) continue;
      client.key = await newKey(db, this.#accountId);
      const added = { id: client.key.id, name: 'client', replaced: false, touched: false };
      this.#state = { ...this.#state, apiKeys: [...this.#state.apiKeys, added] };
    }
  }

  /** Ends the run, and checks what needs time: events, messages, and that nothing is left open. @throws Violation */
  async close(): Promise<void> {
    const { resources, db, service } = this.#surroundings;
    const problems: string[] = [];
    const expect = async (isTrue: () => boolean | Promise<boolean>, problem: () => string, timeout = CLOSE_TIMEOUT_MS) => {
      const end = performance.now() + scaleTimeout(timeout);
      while (!(await isTrue())) {
        if (performance.now() > end) return void problems.push(problem());
        await sleep(10);
      }
    };
    await expect(
      () => this.#subscriber.lastId !== undefined && this.#subscriber.lastId >= this.#observation.lastEventId,
      () => `the subscriber has event ${this.#subscriber.lastId}, and ${this.#observation.lastEventId} is the newest`,
    );
    const first = this.#subscriber.firstId ?? Infinity;
    const untold = [...this.#events].filter(([id, event]) => id > first && !isDeepStrictEqual(this.#subscriber.events.get(id), event));
    if (untold.length > 0) problems.push(`the subscriber was told otherwise, or not at all: ${JSON.stringify(untold)}`);
    this.abandon();
    await Promise.all([...this.#open].map(({ ended }) => ended));
    await expect(
      () => resources.iterators.size === 0,
      () => `iterators that nobody has closed: ${[...resources.iterators].join('; ')}`,
    );
    await expect(
      () => resources.descriptors() === 0,
      () => `${resources.descriptors()} descriptors of downloads are open`,
    );
    const queued = async () => db('messages').where({ account_id: this.#accountId, status: 'queued' }).select<object[]>('id');
    await expect(
      async () => (await queued()).length === 0,
      () => 'messages are still queued, though their receiver accepts all',
      DELIVERY_TIMEOUT_MS,
    );
    const { storeUrl, streamsUrl } = service.current;
    problems.push(...(await findTaken(streamsUrl)), ...this.#subscriber.problems);
    if (runs % RUNS_PER_SCRAPE === 0) problems.push(...(await findTaken(storeUrl)));
    resources.iterators.clear();
    if (problems.length > 0) throw new Violation(problems);
  }

  /** All clients leave. */
  abandon(): void {
    this.#subscriber.close();
    for (const { leave } of this.#open) leave();
    for (const { http } of this.#clients) http.close();
  }
}

async function newKey(db: Database, accountId: number): Promise<ClientKey> {
  const { record, apiKey } = await issueKey(db, accountId, { name: 'client' }, new Date());
  return { id: record.id, apiKey };
}
