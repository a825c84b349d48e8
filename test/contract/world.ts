/** One walk's own two accounts, what they can make, and how a call becomes a request over HTTP. */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../generated/contract.ts';
import type { Database } from '@specwright/postgres';
import { newAccount } from '../support/app.ts';
import type { Answer, SpecOperation, Witness } from '../support/witness.ts';
import type { Stage } from './stages.ts';

/** A request of an operation. What it does not say is as in the examples of the document; the key is the world's. */
export interface Call {
  readonly path?: Readonly<Record<string, number | string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Bytes instead of JSON. */
  readonly raw?: string;
  readonly stage?: Stage;
  /** What the message of the error has to name. */
  readonly says?: string;
  /** Why it cannot be sent through a proxy. */
  readonly direct?: string;
}

export interface World {
  readonly key: string;
  readonly stranger: string;
  send(id: string, call: Call, method?: string): Promise<Answer>;
  category(): Promise<number>;
  pet(stock?: number): Promise<number>;
  order(body?: object): Promise<number>;
  message(): Promise<string>;
  webhook(): Promise<void>;
  email(): string;
  /** Another key of the world's account. @returns its id. */
  apiKey(): Promise<number>;
  /** The only key of an account, and the header that sends it. */
  lastKey(): Promise<{ readonly keyId: number; readonly headers: { readonly authorization: string } }>;
  /** The header that sends a key of an account that has as many as it can. */
  fullOfKeys(): Promise<{ readonly authorization: string }>;
}

export async function createWorld(witness: Witness, urls: Readonly<Partial<Record<Stage, string>>>, db: Database): Promise<World> {
  const { key } = await newAccount(db);
  const { key: stranger } = await newAccount(db);

  async function send(id: string, call: Call, method?: string): Promise<Answer> {
    const stage = call.stage ?? 'live';
    const url = urls[stage];
    if (url === undefined) throw new Error(`nothing stands at stage ${stage}`);
    const operation = witness.operation(id);
    const response = await fetch(url + target(operation, call), { ...requestOf(operation, call, key), method: method ?? operation.method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function make(id: OperationId, call: Call): Promise<number> {
    const answer = await send(id, call);
    if (answer.status > 299) throw new Error(`${id}: ${answer.status} ${answer.text}`);
    return (JSON.parse(answer.text) as { id: number }).id;
  }

  const category = () => make('createCategory', { body: { name: 'Dogs' } });
  return {
    key,
    stranger,
    send,
    category,
    async pet(stock = 0) {
      const petId = await make('createPet', { body: { name: 'Rex', categoryId: await category() } });
      if (stock > 0) await make('setInventory', { path: { petId }, body: { quantity: stock } });
      return petId;
    },
    order: (body = {}) => make('createOrder', { body }),
    async message() {
      const answer = await send('sendMessage', {});
      return (JSON.parse(answer.text) as { id: string }).id;
    },
    async webhook() {
      await send('setWebhook', {});
    },
    email: () => `${randomUUID()}@example.com`,
    apiKey: () => make('createKey', {}),
    async lastKey() {
      const account = await newAccount(db);
      const [keyId = 0] = await db('api_keys').where({ account_id: account.accountId }).pluck<number[]>('id');
      return { keyId, headers: { authorization: `Bearer ${account.key}` } };
    },
    async fullOfKeys() {
      const account = await newAccount(db);
      await db.raw(
        `INSERT INTO api_keys (account_id, prefix, hash, created_at)
           SELECT ?, 'psk_live_full', sha256(gen_random_uuid()::text::bytea), now() FROM generate_series(2, 100)`,
        [account.accountId],
      );
      return { authorization: `Bearer ${account.key}` };
    },
  };
}

function target({ path, parameters }: SpecOperation, call: Call): string {
  const values = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(call.path?.[name] ?? values[name]));
  return call.query === undefined ? filled : `${filled}?${call.query}`;
}

function requestOf({ body, secured }: SpecOperation, call: Call, key: string): RequestInit {
  const headers = new Headers(call.headers);
  // An empty one stands for none.
  if (!headers.has('authorization') && secured) headers.set('authorization', `Bearer ${key}`);
  if (headers.get('authorization') === '') headers.delete('authorization');
  if (call.raw !== undefined) {
    const bytes = Buffer.from(call.raw);
    return { headers, ...(bytes.length > 0 ? { body: bytes } : {}) };
  }
  if (body === undefined) return { headers };
  if (!headers.has('content-type')) headers.set('content-type', body.types[0] ?? '');
  return { headers, body: JSON.stringify('body' in call ? call.body : body.example) };
}
