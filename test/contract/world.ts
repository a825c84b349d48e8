/** What scenarios are prepared with: two accounts, what they own, and a client for every condition of the service. */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../generated/contract.ts';
import type { Database } from '@specwright/postgres';
import { createOperationClient, type Call, type OperationClient } from 'specwright/testing';
import { issueKey } from '@specwright/accounts';
import { setWebhook } from '@specwright/accounts/webhooks';
import { insertPhoto } from '../../src/db/photos.ts';
import { newAccount } from '../support/service/app.ts';
import { inParts, PIXEL } from '../support/service/images.ts';
import { sendMailsTo, signUpsOf } from '../support/service/sign-ups.ts';
import { openShop } from '../support/service/shop.ts';
import type { Condition } from './conditions.ts';
import { spec } from './spec.ts';

export interface World extends OperationClient {
  /** The key that requests are sent with. */
  readonly key: string;
  /** The key of another account. */
  readonly otherKey: string;
  category(): Promise<number>;
  pet(stock?: number): Promise<number>;
  order(body?: object): Promise<number>;
  /** A photo of a pet, by default of a new one. */
  photo(petId?: number): Promise<{ petId: number; photoId: number }>;
  /** A pet of an account whose photos use all that they can, and the header that sends its key. */
  fullOfPhotos(): Promise<{ readonly path: { petId: number }; readonly headers: { readonly authorization: string } }>;
  message(): Promise<string>;
  webhook(): Promise<void>;
  readonly db: Database;
  /** A message of an account whose webhook is at this address. */
  messageTo(url: string): Promise<{ secret: string; messageId: string; isSent: (messageId: string) => Promise<boolean> }>;
  email(): string;
  /** What confirms a sign-up of a new address. */
  signUpToken(): { readonly token: string };
  /** A sign-up whose mail is sent by a webhook at this address. */
  signUpTo(url: string): Promise<{ secret: string; isSent: () => Promise<boolean> }>;
  /** Another key of the account. @returns its id. */
  apiKey(): Promise<number>;
  /** The only key of an account, and the header that sends it. */
  lastKey(): Promise<{ readonly keyId: number; readonly headers: { readonly authorization: string } }>;
  /** The header that sends a key of the account that is restricted to a scope. */
  scopedKey(): Promise<{ readonly authorization: string }>;
  /** The header that sends a key of an account that has as many keys as it can. */
  fullOfKeys(): Promise<{ readonly authorization: string }>;
}

export async function createWorld(servers: Readonly<Partial<Record<Condition, string>>>, db: Database): Promise<World> {
  const { key, accountId } = await newAccount(db);
  const { key: otherKey } = await newAccount(db);
  const client = createOperationClient({ spec, servers: servers, credentials: () => key });

  async function make(id: OperationId, call: Call): Promise<number> {
    const response = await client.send(id, call);
    if (response.status > 299) throw new Error(`${id}: ${response.status} ${response.text}`);
    return (JSON.parse(response.text) as { id: number }).id;
  }

  async function pet(stock = 0): Promise<number> {
    const petId = await make('createPet', { body: { name: 'Rex', categoryId: await category() } });
    if (stock > 0) await make('setInventory', { path: { petId }, body: { quantity: stock } });
    return petId;
  }

  const category = () => make('createCategory', { body: { name: 'Dogs' } });
  return {
    ...client,
    key,
    otherKey,
    category,
    pet,
    order: (body = {}) => make('createOrder', { body }),
    async photo(given) {
      const petId = given ?? (await pet());
      const { record } = await insertPhoto(db, accountId, petId, { caption: 'Ré 🐕' }, inParts(PIXEL), new Date());
      return { petId, photoId: record.id };
    },
    async fullOfPhotos() {
      const shop = await openShop(db, 0);
      await db.raw('INSERT INTO photo_usage (account_id, bytes) VALUES (?, 52428800)', [shop.accountId]);
      return { path: { petId: shop.petIds[0] }, headers: { authorization: `Bearer ${shop.key}` } };
    },
    async message() {
      const response = await client.send('sendMessage');
      return (JSON.parse(response.text) as { id: string }).id;
    },
    async webhook() {
      await client.send('setWebhook');
    },
    db,
    async messageTo(url) {
      const account = await newAccount(db);
      const headers = { authorization: `Bearer ${account.key}` };
      // By the store: what clients may give is public.
      const { secret } = await setWebhook(db, account.accountId, { url }, new Date());
      const sent = JSON.parse((await client.send('sendMessage', { headers })).text) as { id: string };
      const isSent = async (messageId: string) => {
        const { text } = await client.send('getMessage', { path: { messageId }, headers });
        return (JSON.parse(text) as { status: string }).status === 'sent';
      };
      return { secret, messageId: sent.id, isSent };
    },
    email: () => `${randomUUID()}@example.com`,
    signUpToken: () => ({ token: signUpsOf().issue(`${randomUUID()}@example.com`, new Date()).token }),
    async signUpTo(url) {
      const secret = await sendMailsTo(db, url);
      await client.send('requestSignUp', { body: { email: `${randomUUID()}@example.com` } });
      const count = async () =>
        Number((await db('webhook_deliveries').where({ name: 'signUpRequested', status: 'queued' }).count('*'))[0]?.['count']);
      return { secret, isSent: async () => (await count()) === 0 };
    },
    apiKey: () => make('createKey', {}),
    async scopedKey() {
      const { apiKey } = await issueKey(db, accountId, { name: 'Screen', scopes: ['pets:read'] }, new Date());
      return { authorization: `Bearer ${apiKey}` };
    },
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
