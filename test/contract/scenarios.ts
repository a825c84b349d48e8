/** The calls that make each operation answer its own statuses. An operation or a status that is missing here does not compile. */
import type { operations } from '../../generated/operations.ts';
import type { Input, OperationId, Status } from '../../generated/contract.ts';
import type { Call } from 'specwright/testing';
import { inUse, retried, withKey } from './calls.ts';
import type { GenericStatus } from './generic.ts';
import type { World } from './world.ts';

/** A call whose path has the operation's own parameters. */
type CallOf<Op extends OperationId> = Omit<Call, 'path'> & { readonly path?: Input<Op>['path'] };
export type Scenario<Op extends OperationId> = (world: World) => Promise<readonly CallOf<Op>[]>;

/** The statuses that an operation declares one by one. Which ones of a range it answers cannot be told from the contract. */
type Declared<Op extends OperationId> = keyof (typeof operations)[Op]['responses'] extends infer Key
  ? Key extends `${infer S extends number}`
    ? S
    : never
  : never;

export type Scenarios = {
  readonly [Op in OperationId]: { readonly [S in Exclude<Declared<Op>, GenericStatus>]: Scenario<Op> } & {
    readonly [S in Status<Op>]?: Scenario<Op>;
  };
};

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

const ofOtherAccount = async (world: World) => [{ headers: { authorization: `Bearer ${world.otherKey}` } }];

/** An account is read with its own key. */
const withNewKey = (body: unknown) => ({ authorization: `Bearer ${(body as { apiKey: string }).apiKey}` });

/** It begins as an image does, and is text. */
const GIF = 'GIF89a';

export const SCENARIOS: Scenarios = {
  listPets: {
    200: async (world) => {
      await world.pet();
      await world.pet();
      return [{}, { query: 'limit=1' }, { query: `status=available&status=sold&categoryId=${await world.category()}` }];
    },
  },
  createPet: {
    201: async (world) => {
      const categoryId = await world.category();
      return [{ body: { name: 'Rex', categoryId } }, ...retried({ body: { name: 'Ré 🐕', categoryId, status: 'sold' } })];
    },
    409: async () => [inUse()],
  },
  getPet: { 200: async (world) => [{ path: { petId: await world.pet() } }] },
  getStorePet: { 200: async (world) => [{ path: { petId: await world.pet() } }] },
  replacePet: {
    200: async (world) => {
      const categoryId = await world.category();
      return [{ path: { petId: await world.pet() }, body: { name: 'Bo', categoryId } }];
    },
  },
  updatePet: {
    200: async (world) => {
      const path = { petId: await world.pet() };
      return [
        { path, body: { status: 'sold' } },
        { path, body: { categoryId: await world.category() } },
        { path, body: {}, headers: MERGE_PATCH },
        { path, headers: { 'If-Match': '*' } },
      ];
    },
  },
  deletePet: {
    204: async (world) => [{ path: { petId: await world.pet() } }],
    409: async (world) => {
      const petId = await world.pet(1);
      await world.order({ petId });
      return [{ path: { petId } }];
    },
  },
  listCategories: {
    200: async (world) => {
      await world.category();
      await world.category();
      return [{}, { query: 'limit=1' }];
    },
  },
  createCategory: {
    201: async () => [{}, ...retried({ body: { name: 'Cats' } }), { body: { name: 'Cats', description: '' } }],
    409: async () => [inUse()],
  },
  getCategory: { 200: async (world) => [{ path: { categoryId: await world.category() } }] },
  replaceCategory: { 200: async (world) => [{ path: { categoryId: await world.category() } }] },
  updateCategory: {
    200: async (world) => {
      const path = { categoryId: await world.category() };
      return [{ path }, { path, body: { description: 'Loud.' }, headers: MERGE_PATCH }];
    },
  },
  deleteCategory: {
    204: async (world) => [{ path: { categoryId: await world.category() } }],
    409: async (world) => {
      const response = await world.send('getStorePet', { path: { petId: await world.pet() } });
      return [{ path: { categoryId: (JSON.parse(response.text) as { categoryId: number }).categoryId } }];
    },
  },
  listPhotos: {
    200: async (world) => {
      const { petId } = await world.photo();
      await world.photo(petId);
      return [{ path: { petId } }, { path: { petId }, query: 'limit=1' }, { path: { petId: await world.pet() } }];
    },
  },
  createPhoto: {
    201: async (world) => {
      const path = { petId: await world.pet() };
      return [
        { path, body: { photo: GIF } },
        { path, body: { photo: GIF, caption: 'Ré 🐕' } },
      ];
    },
    409: async (world) => [{ ...(await world.fullOfPhotos()), body: { photo: GIF } }],
  },
  getPhoto: {
    200: async (world) => [{ path: await world.photo() }],
    206: async (world) => [{ path: await world.photo(), headers: { Range: 'bytes=0-9' } }],
    416: async (world) => {
      const path = await world.photo();
      return ['bytes=1000-', 'bytes=0-1,3-4'].map((Range) => ({ path, headers: { Range } }));
    },
  },
  deletePhoto: { 204: async (world) => [{ path: await world.photo() }] },
  listOrders: {
    200: async (world) => {
      const petId = await world.pet(1);
      await world.order({ petId, shipDate: '2026-12-24T12:00:00Z' });
      await world.order();
      return [{}, { query: 'limit=1' }, { query: `petId=${petId}&complete=false` }];
    },
  },
  createOrder: {
    201: async (world) => [
      { body: {} },
      ...retried({ body: { petId: await world.pet(2), quantity: 2, shipDate: '2026-12-24T12:00:00+01:00' } }),
    ],
    409: async (world) => {
      const petId = await world.pet(1);
      await world.send('updatePet', { path: { petId }, body: { status: 'sold' } });
      return [{ body: { petId: await world.pet(1), quantity: 2 } }, { body: { petId } }, inUse()];
    },
  },
  getOrder: { 200: async (world) => [{ path: { orderId: await world.order({ petId: await world.pet(1) }) } }] },
  updateOrder: {
    200: async (world) => {
      const path = { orderId: await world.order() };
      return [
        { path },
        { path, body: { shipDate: null }, headers: MERGE_PATCH },
        { path: { orderId: await world.order() }, body: { petId: await world.pet(2), quantity: 2 } },
      ];
    },
    409: async (world) => [
      { path: { orderId: await world.order({ complete: true }) }, body: { complete: false } },
      { path: { orderId: await world.order() }, body: { petId: await world.pet() } },
    ],
  },
  deleteOrder: {
    204: async (world) => [{ path: { orderId: await world.order() } }],
    409: async (world) => [{ path: { orderId: await world.order({ complete: true }) } }],
  },
  listInventory: {
    200: async (world) => {
      await world.pet(1);
      await world.pet();
      return [{}, { query: 'limit=1' }, { query: 'status=available' }];
    },
  },
  getInventory: { 200: async (world) => [{ path: { petId: await world.pet(3) } }] },
  listenToInventory: {
    200: async (world) => {
      await world.pet(3);
      await world.send('deletePet', { path: { petId: await world.pet() } });
      return [{}, { headers: { 'Last-Event-ID': '0' } }].map((call) => ({
        ...call,
        notThroughProxy: 'it waits for the end of the events',
      }));
    },
  },
  setInventory: { 200: async (world) => [{ path: { petId: await world.pet() } }] },
  createAccount: {
    201: async (world) => [{ body: { email: world.email() }, readWith: withNewKey }, ...retried({ body: { email: world.email() } })],
    409: async (world) => {
      const body = { email: world.email() };
      await world.send('createAccount', { body });
      return [{ body }, { body: { email: body.email.toUpperCase() } }, inUse()];
    },
  },
  requestSignUp: {
    204: async (world) => [{ body: { email: world.email() } }, { body: { email: world.email() }, headers: withKey() }],
    409: async () => [inUse()],
  },
  confirmSignUp: {
    201: async (world) => [{ body: world.signUpToken(), readWith: withNewKey }],
    409: async (world) => {
      const call = { body: world.signUpToken() };
      await world.send('confirmSignUp', call);
      return [call, inUse()];
    },
    500: async (world) => [{ body: world.signUpToken(), server: 'storeFails' }],
    503: async (world) => [{ body: world.signUpToken(), server: 'storeDown' }],
  },
  getAccount: { 200: async () => [{}] },
  listKeys: {
    200: async (world) => {
      await world.apiKey();
      return [{}, { query: 'limit=1' }];
    },
  },
  createKey: {
    201: async () => [{}, ...retried({ body: { name: 'Ré 🐕', expiresAt: '2999-12-31T23:59:59+01:00' } })],
    409: async (world) => [{ body: { name: 'Old', expiresAt: '2001-01-01T00:00:00Z' } }, { headers: await world.fullOfKeys() }, inUse()],
  },
  getKey: { 200: async (world) => [{ path: { keyId: await world.apiKey() } }] },
  revokeKey: {
    204: async (world) => [{ path: { keyId: await world.apiKey() } }],
    403: async (world) => [{ path: { keyId: await world.apiKey() }, headers: await world.scopedKey() }],
    409: async (world) => {
      const { keyId, headers } = await world.lastKey();
      return [{ path: { keyId }, headers }];
    },
  },
  rotateKey: {
    201: async (world) => [
      { path: { keyId: await world.apiKey() } },
      ...retried({ path: { keyId: await world.apiKey() }, body: { gracePeriod: 0 } }),
    ],
    403: async (world) => [{ path: { keyId: await world.apiKey() }, headers: await world.scopedKey() }],
    409: async (world) => {
      const path = { keyId: await world.apiKey() };
      await world.send('rotateKey', { path });
      return [{ path }, { path, ...inUse() }];
    },
  },
  sendMessage: {
    202: async () => [{}, ...retried({ body: { message: 'Ré 🐕\n\t"\u0001' } })],
    409: async () => [inUse()],
  },
  replayMessages: {
    200: async () => [{}, ...retried({ body: { since: '2026-11-21T10:00:00+01:00' } })],
    409: async () => [inUse()],
  },
  getMessage: {
    200: async (world) => [{ path: { messageId: await world.message() } }],
    404: async (world) => [
      { path: { messageId: 'msg_00000000-0000-7000-8000-000000000000' } },
      { path: { messageId: await world.message() }, headers: { authorization: `Bearer ${world.otherKey}` } },
    ],
  },
  getWebhook: {
    200: async (world) => {
      await world.webhook();
      return [{}];
    },
    404: ofOtherAccount,
  },
  setWebhook: { 200: async () => [{}, { body: { url: 'http://93.184.215.14:8080/?a=b' } }, { headers: { 'If-Match': '*' } }] },
  deleteWebhook: {
    204: async (world) => {
      await world.webhook();
      return [{}];
    },
    404: ofOtherAccount,
  },
  getRateLimit: { 200: async () => [{}, { server: 'overLimit' }, { server: 'banned' }] },
};
