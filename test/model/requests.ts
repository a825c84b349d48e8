/** The requests of the model: one of each operation of the contract, made of a few small numbers, so that those of four clients collide. */
import fc from 'fast-check';
import type { ContractTypes } from '../../generated/contract.ts';
import type { OperationId } from '@specwright/server';
import type { Condition, PetStatus, State } from './state.ts';

/** Those of the service with sign-ups that are open to all. */
type Operation = Exclude<OperationId<ContractTypes>, 'requestSignUp' | 'confirmSignUp'>;

/** What is drawn of a request. Small numbers choose among the records that there are, values and conditions. */
export interface Draw {
  readonly operation: Operation;
  readonly target: number;
  readonly other: number;
  readonly value: number;
  readonly condition: number;
  readonly key: number;
  /** How the client leaves before the answer: at a number of ms, in the middle of the body, or not. */
  readonly leave: number;
}

/** What a client knows when it makes a request. */
export interface Known {
  readonly state: State;
  /** Of this request alone: names that nothing else has. */
  readonly mark: string;
  /** Of the run. */
  readonly run: string;
  readonly webhookUrl: string;
  /** Keys that may be rotated and revoked. */
  readonly keyIds: readonly number[];
}

/** What is sent, and what the model has to know of it. */
export interface Built {
  readonly method: string;
  readonly path: string;
  readonly id?: number;
  readonly petId?: number;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The record whose ETag its conditions name, as `pets 7`. */
  readonly record?: string;
  readonly ifMatch?: Condition;
  readonly ifNoneMatch?: Condition;
  readonly takesKey?: boolean;
  readonly photo?: boolean;
}

type Build = (draw: Draw, known: Known) => Built;

const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];
/** An id that nothing has. */
const NOBODY = 9_007_199_254_740_991;

/** One of the records, or, rarely, an id that nobody has. */
const pick = (records: readonly { readonly id: number }[], n: number): number =>
  n === 15 ? NOBODY : (records[n % Math.max(1, records.length)]?.id ?? NOBODY);

const READ_CONDITIONS: readonly Condition[] = [undefined, undefined, undefined, 'current', 'stale', 'any'];
const WRITE_CONDITIONS: readonly Condition[] = [undefined, undefined, undefined, undefined, 'current', 'current', 'stale', 'any'];
const readCondition = ({ condition }: Draw): Condition => READ_CONDITIONS[condition % READ_CONDITIONS.length];
const writeCondition = ({ condition }: Draw): Condition => WRITE_CONDITIONS[condition % WRITE_CONDITIONS.length];

const read = (path: string, id: number, record: string, draw: Draw): Built => ({
  method: 'GET',
  path,
  id,
  record,
  ifNoneMatch: readCondition(draw),
});
const change = (method: string, path: string, id: number, record: string, draw: Draw, body?: Built['body']): Built => ({
  method,
  path,
  id,
  record,
  ...(body && { body }),
  ifMatch: writeCondition(draw),
  ...(method === 'PUT' && draw.condition === 15 && { ifMatch: undefined, ifNoneMatch: 'any' as const }),
});
const list = (path: string, query: Built['query'] = {}): Built => ({ method: 'GET', path, query: { ...query, limit: 100 } });
const create = (path: string, body: NonNullable<Built['body']>): Built => ({ method: 'POST', path, body, takesKey: true });

const statusFilter = ({ value }: Draw) => (value % 2 === 0 ? {} : { status: [STATUSES[value % 3]] });
const petOf = (draw: Draw, { state }: Known) => pick(state.pets, draw.target);
const orderOf = (draw: Draw, { state }: Known) => pick(state.orders, draw.target);
const categoryOf = (n: number, { state }: Known) => pick(state.categories, n);
const photoOf = ({ target }: Draw, { state }: Known) => {
  const photo = state.photos[target % Math.max(1, state.photos.length)];
  return { petId: photo?.petId ?? pick(state.pets, target), id: photo?.id ?? NOBODY };
};
const keyOf = ({ target }: Draw, { keyIds }: Known) => keyIds[target % Math.max(1, keyIds.length)] ?? NOBODY;
const messageOf = ({ target }: Draw, { state }: Known) => {
  const ids = Object.keys(state.messages);
  return ids[target % Math.max(1, ids.length)] ?? 'msg_00000000-0000-0000-0000-000000000000';
};
/** A time that no other order has: whose answer was lost is found by it. */
const shipDate = (mark: string) => new Date(Date.UTC(2030, 0, 1) + Number(mark)).toISOString();

function orderPatch({ value, other }: Draw, { state, mark }: Known): Record<string, unknown> {
  const patches = [
    { complete: true },
    { quantity: 1 + (other % 3) },
    { quantity: 2 },
    { petId: pick(state.pets, other) },
    { petId: pick(state.pets, other), quantity: 1 },
    { petId: null },
    { complete: true, quantity: 1 },
    { shipDate: shipDate(mark) },
    { quantity: null },
    {},
  ];
  return patches[value % patches.length] as Record<string, unknown>;
}

function petPatch({ value, other }: Draw, known: Known): Record<string, unknown> {
  const patches = [{ status: 'sold' }, { status: 'available' }, { status: 'sold' }, { status: 'pending' }, { name: `n${known.mark}` }];
  return [...patches, { categoryId: categoryOf(other, known) }, {}, { status: 'available' }][value % 8] as Record<string, unknown>;
}

const newPet = (draw: Draw, known: Known) => ({
  name: `n${known.mark}`,
  categoryId: categoryOf(draw.other, known),
  status: STATUSES[draw.value % 3],
});
const getPet = (path: string, draw: Draw, known: Known) => {
  const id = petOf(draw, known);
  return read(`${path}/${id}`, id, `pets ${id}`, draw);
};

/** Every operation: the compiler names one that has no request here. */
export const REQUESTS: Readonly<Record<Operation, Build>> = {
  listPets: (draw, known) =>
    list('/pets', { ...statusFilter(draw), ...(draw.other % 3 === 0 && { categoryId: categoryOf(draw.target, known) }) }),
  createPet: (draw, known) => create('/pets', newPet(draw, known)),
  getPet: (draw, known) => getPet('/pets', draw, known),
  getStorePet: (draw, known) => getPet('/store/pets', draw, known),
  replacePet: (draw, known) => {
    const id = petOf(draw, known);
    return change('PUT', `/pets/${id}`, id, `pets ${id}`, draw, newPet(draw, known));
  },
  updatePet: (draw, known) => {
    const id = petOf(draw, known);
    return change('PATCH', `/pets/${id}`, id, `pets ${id}`, draw, petPatch(draw, known));
  },
  deletePet: (draw, known) => {
    const id = petOf(draw, known);
    return change('DELETE', `/pets/${id}`, id, `pets ${id}`, draw);
  },
  listCategories: () => list('/categories'),
  createCategory: (_, { mark }) => create('/categories', { name: `n${mark}` }),
  getCategory: (draw, known) => {
    const id = categoryOf(draw.target, known);
    return read(`/categories/${id}`, id, `categories ${id}`, draw);
  },
  replaceCategory: (draw, known) => {
    const id = categoryOf(draw.target, known);
    return change('PUT', `/categories/${id}`, id, `categories ${id}`, draw, { name: `n${known.mark}` });
  },
  updateCategory: (draw, known) => {
    const id = categoryOf(draw.target, known);
    const body = [{ description: `d${draw.other}` }, { description: null }, {}, { name: `n${known.mark}` }][draw.value % 4];
    return change('PATCH', `/categories/${id}`, id, `categories ${id}`, draw, body);
  },
  deleteCategory: (draw, known) => {
    const id = categoryOf(draw.target, known);
    return change('DELETE', `/categories/${id}`, id, `categories ${id}`, draw);
  },
  listPhotos: (draw, known) => {
    const petId = petOf(draw, known);
    return { ...list(`/store/pets/${petId}/photos`), petId };
  },
  createPhoto: (draw, known) => {
    const petId = petOf(draw, known);
    return { method: 'POST', path: `/store/pets/${petId}/photos`, petId, body: { caption: `n${known.mark}` }, photo: true };
  },
  getPhoto: (draw, known) => {
    const { id, petId } = photoOf(draw, known);
    return { method: 'GET', path: `/store/pets/${petId}/photos/${id}`, id, petId };
  },
  deletePhoto: (draw, known) => {
    const { id, petId } = photoOf(draw, known);
    return { method: 'DELETE', path: `/store/pets/${petId}/photos/${id}`, id, petId };
  },
  listOrders: (draw, known) =>
    list('/store/orders', {
      ...(draw.other % 2 === 0 && { petId: petOf(draw, known) }),
      ...(draw.value % 3 > 0 && { complete: draw.value % 3 === 1 }),
    }),
  createOrder: (draw, known) => {
    const petId = petOf(draw, known);
    const body = [{ petId }, { petId, quantity: 1 + (draw.other % 2) }, { petId, complete: true }, {}][draw.value % 4];
    return create('/store/orders', { ...body, shipDate: shipDate(known.mark) });
  },
  getOrder: (draw, known) => {
    const id = orderOf(draw, known);
    return read(`/store/orders/${id}`, id, `orders ${id}`, draw);
  },
  updateOrder: (draw, known) => {
    const id = orderOf(draw, known);
    return change('PATCH', `/store/orders/${id}`, id, `orders ${id}`, draw, orderPatch(draw, known));
  },
  deleteOrder: (draw, known) => {
    const id = orderOf(draw, known);
    return change('DELETE', `/store/orders/${id}`, id, `orders ${id}`, draw);
  },
  listInventory: (draw) => list('/store/inventory', statusFilter(draw)),
  // Followed by subscribers: `subscriber.ts`. A request of it here is a look at its first event.
  listenToInventory: () => ({ method: 'GET', path: '/store/inventory/events' }),
  getInventory: (draw, known) => {
    const id = petOf(draw, known);
    return read(`/store/inventory/${id}`, id, `pets ${id}`, draw);
  },
  setInventory: (draw, known) => {
    const id = petOf(draw, known);
    return change('PUT', `/store/inventory/${id}`, id, `pets ${id}`, draw, { quantity: draw.value % 3 });
  },
  createAccount: (draw, { run }) => create('/accounts', { email: `model-${run}-${draw.value % 3}@example.com` }),
  getAccount: () => ({ method: 'GET', path: '/account' }),
  getRateLimit: () => ({ method: 'GET', path: '/rate-limit' }),
  sendMessage: (_, { mark }) => create('/messages', { message: `n${mark}` }),
  replayMessages: () => create('/messages/replays', { since: '2026-01-01T00:00:00Z' }),
  getMessage: (draw, known) => {
    const messageId = messageOf(draw, known);
    return { method: 'GET', path: `/messages/${messageId}`, query: {}, record: messageId };
  },
  setWebhook: (draw, { webhookUrl }) => change('PUT', '/account/webhook', 0, 'webhook 0', draw, { url: `${webhookUrl}/${draw.value % 2}` }),
  getWebhook: (draw) => read('/account/webhook', 0, 'webhook 0', draw),
  deleteWebhook: (draw) => change('DELETE', '/account/webhook', 0, 'webhook 0', draw),
  listKeys: () => list('/account/keys'),
  createKey: (_, { mark }) => create('/account/keys', { name: `n${mark}` }),
  rotateKey: (draw, known) => {
    const id = keyOf(draw, known);
    return { ...create(`/account/keys/${id}/rotation`, { gracePeriod: draw.value % 2 === 0 ? 0 : 3600 }), id };
  },
  getKey: (draw, known) => {
    const id = keyOf(draw, known);
    return { method: 'GET', path: `/account/keys/${id}`, id };
  },
  revokeKey: (draw, known) => {
    const id = keyOf(draw, known);
    return { method: 'DELETE', path: `/account/keys/${id}`, id };
  },
};

/** How often what is where aggregates meet is drawn; other operations once. */
const WEIGHTS: Partial<Record<Operation, number>> = {
  updatePet: 12,
  createOrder: 14,
  updateOrder: 14,
  deleteOrder: 6,
  setInventory: 6,
  getInventory: 3,
  listInventory: 3,
  listPets: 2,
  createPet: 2,
  deletePet: 2,
  sendMessage: 2,
  createPhoto: 2,
};

const OPERATIONS = Object.keys(REQUESTS) as Operation[];
const small = fc.integer({ min: 0, max: 15 });

/** Mostly they stay. */
const leave = fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) });

const drawOf = (operation: fc.Arbitrary<Operation>, target: fc.Arbitrary<number>, condition: fc.Arbitrary<number>) =>
  fc.record<Draw>({ operation, target, other: small, value: small, condition, key: small, leave });

const anyDraw = drawOf(
  fc.oneof(...OPERATIONS.map((operation) => ({ weight: WEIGHTS[operation] ?? 1, arbitrary: fc.constant(operation) }))),
  small,
  small,
);

/** Where the aggregates of a pet meet: its status, its stock and its orders. */
const COLLIDING: readonly Operation[] = [
  'updatePet',
  'updatePet',
  'createOrder',
  'createOrder',
  'updateOrder',
  'updateOrder',
  'setInventory',
  'deleteOrder',
  'getInventory',
];

/** What the clients of a batch send: anything, or, twice as often, requests that all meet at one pet. */
export const clientDraws: fc.Arbitrary<Draw[][]> = fc.oneof(
  { weight: 1, arbitrary: fc.array(fc.array(anyDraw, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4, size: 'max' }) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 0, max: 2 }).chain((target) => {
      const draw = drawOf(fc.constantFrom(...COLLIDING), fc.constant(target), fc.constantFrom(0, 1, 2, 4));
      return fc.array(fc.array(draw, { minLength: 1, maxLength: 3, size: 'max' }), { minLength: 2, maxLength: 4, size: 'max' });
    }),
  },
);
