/** How each status that belongs to one operation is provoked. An operation or a status that is missing here does not compile. */
import type { Input, OperationId, Status } from '../../src/contract/types.ts';
import type { GenericStatus } from './generic.ts';
import type { Call, World } from './world.ts';

/** A call whose path has the operation's own parameters. */
type CallOf<Op extends OperationId> = Omit<Call, 'path'> & { readonly path?: Input<Op>['path'] };
export type Provoke<Op extends OperationId> = (world: World) => Promise<readonly CallOf<Op>[]>;

type Scenarios = { readonly [Op in OperationId]: { readonly [S in Exclude<Status<Op>, GenericStatus>]: Provoke<Op> } };

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

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
      return [{ body: { name: 'Rex', categoryId } }, { body: { name: 'Ré 🐕', categoryId, status: 'sold' } }];
    },
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
  createCategory: { 201: async () => [{}, { body: { name: 'Cats' } }, { body: { name: 'Cats', description: '' } }] },
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
      const answer = await world.send('getStorePet', { path: { petId: await world.pet() } });
      return [{ path: { categoryId: (JSON.parse(answer.text) as { categoryId: number }).categoryId } }];
    },
  },
  listOrders: {
    200: async (world) => {
      const petId = await world.pet(1);
      await world.order({ petId, shipDate: '2026-12-24T12:00:00Z' });
      await world.order();
      return [{}, { query: 'limit=1' }, { query: `petId=${petId}&complete=false` }];
    },
  },
  createOrder: {
    201: async (world) => [{ body: {} }, { body: { petId: await world.pet(2), quantity: 2, shipDate: '2026-12-24T12:00:00+01:00' } }],
    409: async (world) => [{ body: { petId: await world.pet(1), quantity: 2 } }],
  },
  getOrder: { 200: async (world) => [{ path: { orderId: await world.order({ petId: await world.pet(1) }) } }] },
  updateOrder: {
    200: async (world) => {
      const path = { orderId: await world.order() };
      return [{ path }, { path, body: { shipDate: null }, headers: MERGE_PATCH }];
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
  setInventory: { 200: async (world) => [{ path: { petId: await world.pet() } }] },
  createAccount: {
    201: async (world) => [{ body: { email: world.email() } }],
    409: async (world) => {
      const body = { email: world.email() };
      await world.send('createAccount', { body });
      return [{ body }, { body: { email: body.email.toUpperCase() } }];
    },
  },
  getAccount: { 200: async () => [{}] },
  getRateLimit: { 200: async () => [{}, { stage: 'overLimit' }, { stage: 'banned' }] },
};
