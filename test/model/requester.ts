/** Sends what was drawn, with what the clients know: records, ETags and keys that were used before. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from './client.ts';
import { encode } from './encode.ts';
import { REQUESTS, type Built, type Draw } from './requests.ts';
import { OPEN, type ClientKey, type Sent } from './sent.ts';
import type { Condition, ModelRequest, State } from './state.ts';

export interface Client {
  readonly http: HttpClient;
  key: ClientKey;
}

/** What clients know between two batches. */
export interface Knowledge {
  readonly state: State;
  /** ETags of records, as they are and as they were before. */
  readonly etags: ReadonlyMap<string, string>;
  readonly former: ReadonlyMap<string, string>;
}

export interface RequesterOptions {
  /** A name of the run. */
  readonly run: string;
  readonly address: string;
  readonly webhookUrl: string;
  readonly rootKeyId: number;
  readonly isLenient: boolean;
  readonly url: () => string;
  readonly count: (status: number | 'lost') => void;
}

/** A key of a request that may be used again. */
interface UsedKey {
  readonly name: string;
  readonly built: Built;
  readonly draw: Draw;
  readonly mark: string;
}

/** As many as are used again. */
const MAX_USED_KEYS = 6;
const STALE = '"999999"';
/** A subscription that only looks leaves after this many times 2 ms. */
const LOOK = 10;

let marks = 0;

export class Requester {
  readonly #options: RequesterOptions;
  readonly #used: UsedKey[] = [];
  #clock = 0;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** Keys that may be used again. */
  isUsed(name: string): boolean {
    return this.#used.some((used) => used.name === name);
  }

  async send(given: Draw, { http, key }: Client, knowledge: Knowledge): Promise<Sent[]> {
    const { run, address, webhookUrl, rootKeyId, url, count } = this.#options;
    const { state } = knowledge;
    const keyIds = state.apiKeys.flatMap(({ id }) => (id === rootKeyId ? [] : [id]));
    const known = { state, mark: String(++marks), run, webhookUrl, keyIds };
    const made = this.#withoutCurrent(REQUESTS[given.operation](given, known));
    const used = this.#keyFor(given, made, known.mark);
    const { built, draw, mark } = used ?? { built: made, draw: given, mark: known.mark };
    const encoded = encode(built);
    const isKnown = knowledge.etags.has(built.record ?? '');
    const known304 = (condition: Condition) => (isKnown || condition !== 'current' ? condition : 'stale');
    const model: Omit<ModelRequest, 'newId'> = {
      operation: draw.operation,
      id: built.id ?? 0,
      petId: built.petId ?? 0,
      query: built.query ?? {},
      body: built.body ?? { messageId: built.record },
      ifMatch: known304(built.ifMatch),
      ifNoneMatch: known304(built.ifNoneMatch),
      idempotencyKey: used?.name,
      fingerprint: `${built.method} ${encoded.path} ${JSON.stringify(built.body)}`,
    };
    const headers = {
      ...encoded.headers,
      'x-forwarded-for': address,
      ...(!OPEN.includes(draw.operation) && { authorization: `Bearer ${key.apiKey}` }),
      ...(used && { 'idempotency-key': used.name }),
      ...conditions('if-match', model.ifMatch, built, knowledge),
      ...conditions('if-none-match', model.ifNoneMatch, built, knowledge),
    };
    const isFeed = draw.operation === 'listenToInventory';
    const leave = isFeed ? LOOK : given.leave;
    const invoked = ++this.#clock;
    const answer = await http.send({ url: url() + encoded.path, method: built.method, headers, body: encoded.body, leave });
    const returned = ++this.#clock;
    count(answer?.status ?? 'lost');
    // A refused connection: while it restarts.
    if (answer === undefined && leave === 0) await sleep(5);
    return isFeed ? [] : [{ draw: { ...draw, leave }, built, model, mark, key, invoked, returned, answer }];
  }

  /** A new key, one that was used with its request, or one that was used with another request; `undefined` without one. */
  #keyFor(draw: Draw, built: Built, mark: string): UsedKey | undefined {
    if (built.takesKey !== true || draw.key < 4) return undefined;
    // Keys of an address and those of an account have nothing in common.
    const others = this.#used.filter((other) => OPEN.includes(other.draw.operation) === OPEN.includes(draw.operation));
    const former = others[draw.target % Math.max(1, others.length)];
    if (draw.key >= 8 && former !== undefined) return draw.key < 14 ? former : { name: former.name, built, draw, mark };
    const used = { name: randomUUID(), built, draw, mark };
    this.#used.push(used);
    if (this.#used.length > MAX_USED_KEYS) this.#used.shift();
    return used;
  }

  /** Whether the ETag is the current one cannot be told where versions grow without a change. */
  #withoutCurrent(built: Built): Built {
    if (!this.#options.isLenient) return built;
    const { ifMatch, ifNoneMatch, ...rest } = built;
    const known = (condition: Condition) => (condition === 'current' ? undefined : condition);
    return { ...rest, ifMatch: known(ifMatch), ifNoneMatch: known(ifNoneMatch) };
  }
}

function conditions(header: string, condition: Condition, { record = '' }: Built, { etags, former }: Knowledge): Record<string, string> {
  if (condition === undefined) return {};
  const current = etags.get(record);
  const old = former.get(record);
  const tags = { any: '*', current: current ?? STALE, stale: old === undefined || old === current ? STALE : old };
  return { [header]: tags[condition] };
}
