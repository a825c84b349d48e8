/** What the stock's requests do, one after the other: pets, orders and inventory. The rules are those of the contract, not of its SQL. */
import type { Answer, Condition, ModelRequest, Order, Pet, PetStatus, State } from './state.ts';

/** What a request does to a state, and how it is answered. */
export interface Effect {
  readonly state: State;
  readonly answer: Answer;
  /** The same with a version that has grown: of a request that gives properties the values that they have. */
  readonly regarded?: State;
}

export type Rule = (state: State, request: ModelRequest) => Effect;

export const refused = (state: State, status: number, code: string): Effect => ({ state, answer: { status, code } });
export const notFound = (state: State): Effect => refused(state, 404, 'not_found');
const invalidReference = (state: State) => refused(state, 400, 'invalid_reference');
export const preconditionFailed = (state: State): Effect => refused(state, 412, 'precondition_failed');
const deleted = (state: State): Effect => ({ state, answer: { status: 204 } });

/** Whether a record that there is may be changed. */
export const isMet = ({ ifMatch, ifNoneMatch }: { ifMatch: Condition; ifNoneMatch: Condition }, touched: boolean): boolean =>
  ifNoneMatch !== 'any' && (ifMatch === undefined || ifMatch === 'any' || (ifMatch === 'current' && !touched));

/** The answer to a conditional read. */
export const readAnswer = (ifNoneMatch: Condition, touched: boolean, body: unknown): Answer =>
  ifNoneMatch === 'any' || (ifNoneMatch === 'current' && !touched) ? { status: 304 } : { status: 200, body };

export const find = <T extends { readonly id: number }>(records: readonly T[], id: number | null): T | undefined =>
  records.find((record) => record.id === id);
export const replace = <T extends { readonly id: number }>(records: readonly T[], changed: T): T[] =>
  records.map((record) => (record.id === changed.id ? changed : record));
export const without = <T extends { readonly id: number }>(records: readonly T[], id: number): T[] =>
  records.filter((record) => record.id !== id);

/** Lists have the oldest first, whoever was committed first. */
export const listed = <T extends { readonly id: number }>(records: readonly T[], body: (record: T) => object): Answer => ({
  status: 200,
  body: [...records].sort((a, b) => a.id - b.id).map(body),
});

const petBody = ({ id, name, categoryId, status }: Pet) => ({ id, name, categoryId, status });
const entryBody = ({ id, stock, status }: Pet) => ({ petId: id, quantity: stock, status });
const orderBody = ({ id, petId, quantity, shipDate, complete }: Order) =>
  Object.fromEntries(Object.entries({ id, petId, quantity, shipDate, complete }).filter(([, value]) => value !== null));

/** A pet with changes; if they leave it as it was, it keeps its version. */
function changePet(state: State, pet: Pet, changes: Partial<Pick<Pet, 'name' | 'categoryId' | 'status' | 'stock'>>): State {
  const after = { ...pet, ...changes };
  const isSame = after.name === pet.name && after.categoryId === pet.categoryId && after.status === pet.status && after.stock === pet.stock;
  return { ...state, pets: replace(state.pets, { ...after, touched: pet.touched || !isSame }) };
}

const isListed = (statuses: unknown, { status }: Pet) => statuses === undefined || (statuses as PetStatus[]).includes(status);
const hasOpenOrder = ({ orders }: State, petId: number) => orders.some((order) => !order.complete && order.petId === petId);

const updatePet: Rule = (state, request) => {
  const pet = find(state.pets, request.id);
  if (pet === undefined) return notFound(state);
  if (!isMet(request, pet.touched)) return preconditionFailed(state);
  const { categoryId = pet.categoryId } = request.body as Partial<Pet>;
  if (find(state.categories, categoryId) === undefined) return invalidReference(state);
  const after = changePet(state, pet, request.body);
  const changed = find(after.pets, pet.id) as Pet;
  const answer = { status: 200, body: petBody(changed) };
  return withRegarded({ state: after, answer }, request, { ...after, pets: replace(after.pets, { ...changed, touched: true }) });
};

/** An empty change has no effect at all. */
export const withRegarded = (effect: Effect, { body }: ModelRequest, regarded: State): Effect =>
  Object.keys(body).length === 0 ? effect : { ...effect, regarded };

const getPet: Rule = (state, { id, ifNoneMatch }) => {
  const pet = find(state.pets, id);
  return pet === undefined ? notFound(state) : { state, answer: readAnswer(ifNoneMatch, pet.touched, petBody(pet)) };
};

interface Taken {
  readonly state: State;
  readonly refusal?: Effect;
}

/** Takes units from a pet's stock: its status is `pending` after the last one. */
function take(state: State, petId: number, units: number): Taken {
  const pet = find(state.pets, petId);
  if (pet === undefined) return { state, refusal: invalidReference(state) };
  if (pet.status === 'sold') return { state, refusal: refused(state, 409, 'pet_sold') };
  if (pet.stock < units) return { state, refusal: refused(state, 409, 'out_of_stock') };
  const stock = pet.stock - units;
  return { state: changePet(state, pet, { stock, ...(stock === 0 && { status: 'pending' }) }) };
}

/** Gives units back: the first one makes the pet `available`. */
function release(state: State, petId: number, units: number): State {
  const pet = find(state.pets, petId);
  if (pet === undefined || units === 0) return state;
  return changePet(state, pet, { stock: pet.stock + units, ...(pet.stock === 0 && { status: 'available' }) });
}

/** The last order completed when nothing is left makes the pet `sold`. */
function sellOut(state: State, petId: number): State {
  const pet = find(state.pets, petId);
  return pet === undefined || pet.stock > 0 || hasOpenOrder(state, petId) ? state : changePet(state, pet, { status: 'sold' });
}

const createOrder: Rule = (state, { body, newId }) => {
  const { petId = null, quantity = null, shipDate = null, complete = false } = body as Partial<Order>;
  const units = petId === null ? quantity : (quantity ?? 1);
  const order: Order = { id: newId as number, petId, quantity: units, shipDate, complete, touched: false };
  let after: State = state;
  if (petId !== null) {
    const { state: taken, refusal } = take(state, petId, units ?? 0);
    if (refusal !== undefined) return refusal;
    after = taken;
  }
  after = { ...after, orders: [...after.orders, order] };
  if (petId !== null && complete) after = sellOut(after, petId);
  return { state: after, answer: { status: 201, body: orderBody(order) } };
};

const orderComplete = (state: State) => refused(state, 409, 'order_complete');

const updateOrder: Rule = (state, request) => {
  const before = find(state.orders, request.id);
  if (before === undefined) return notFound(state);
  if (!isMet(request, before.touched)) return preconditionFailed(state);
  const merged = { ...before, ...(request.body as Partial<Order>) };
  const after: Order = { ...merged, quantity: merged.petId === null ? merged.quantity : (merged.quantity ?? 1) };
  const isMoved = after.petId !== before.petId || after.quantity !== before.quantity;
  if (before.complete && (!after.complete || isMoved)) return orderComplete(state);
  let moved = state;
  if (!before.complete && isMoved) {
    const isSamePet = after.petId === before.petId;
    const units = (after.quantity ?? 0) - (isSamePet ? (before.quantity ?? 0) : 0);
    if (!isSamePet && before.petId !== null) moved = release(moved, before.petId, before.quantity ?? 0);
    if (after.petId !== null && units > 0) {
      const { state: taken, refusal } = take(moved, after.petId, units);
      if (refusal !== undefined) return { ...refusal, state };
      moved = taken;
    }
    if (after.petId !== null && units < 0) moved = release(moved, after.petId, -units);
  }
  const isSame = !isMoved && after.shipDate === before.shipDate && after.complete === before.complete;
  moved = { ...moved, orders: replace(moved.orders, { ...after, touched: before.touched || !isSame }) };
  if (after.complete && !before.complete && after.petId !== null) moved = sellOut(moved, after.petId);
  const regarded = { ...moved, orders: replace(moved.orders, { ...after, touched: true }) };
  return withRegarded({ state: moved, answer: { status: 200, body: orderBody(after) } }, request, regarded);
};

export const STORE_RULES: Readonly<Record<string, Rule>> = {
  listPets: (state, { query }) => {
    const found = state.pets.filter((pet) => isListed(query['status'], pet) && (query['categoryId'] ?? pet.categoryId) === pet.categoryId);
    return { state, answer: listed(found, petBody) };
  },
  createPet: (state, { body, newId }) => {
    const { name = '', categoryId = 0, status = 'available' } = body as Partial<Pet>;
    if (find(state.categories, categoryId) === undefined) return invalidReference(state);
    const pet: Pet = { id: newId as number, name, categoryId, status, stock: 0, touched: false };
    return { state: { ...state, pets: [...state.pets, pet] }, answer: { status: 201, body: petBody(pet) } };
  },
  getPet,
  getStorePet: getPet,
  replacePet: updatePet,
  updatePet,
  deletePet: (state, request) => {
    const pet = find(state.pets, request.id);
    if (pet === undefined) return notFound(state);
    if (!isMet(request, pet.touched)) return preconditionFailed(state);
    if (hasOpenOrder(state, pet.id)) return refused(state, 409, 'pet_in_use');
    return deleted({ ...state, pets: without(state.pets, pet.id), photos: state.photos.filter(({ petId }) => petId !== pet.id) });
  },
  listOrders: (state, { query }) => {
    const { petId, complete } = query as Partial<Order>;
    const found = state.orders.filter(
      (order) => (petId === undefined || order.petId === petId) && (complete === undefined || order.complete === complete),
    );
    return { state, answer: listed(found, orderBody) };
  },
  createOrder,
  getOrder: (state, { id, ifNoneMatch }) => {
    const order = find(state.orders, id);
    return order === undefined ? notFound(state) : { state, answer: readAnswer(ifNoneMatch, order.touched, orderBody(order)) };
  },
  updateOrder,
  deleteOrder: (state, request) => {
    const order = find(state.orders, request.id);
    if (order === undefined) return notFound(state);
    if (!isMet(request, order.touched)) return preconditionFailed(state);
    if (order.complete) return orderComplete(state);
    const freed = order.petId === null ? state : release(state, order.petId, order.quantity ?? 0);
    return deleted({ ...freed, orders: without(freed.orders, order.id) });
  },
  listInventory: (state, { query }) => {
    const found = state.pets.filter((pet) => isListed(query['status'], pet));
    return { state, answer: listed(found, entryBody) };
  },
  getInventory: (state, { id, ifNoneMatch }) => {
    const pet = find(state.pets, id);
    if (pet === undefined) return notFound(state);
    return { state, answer: readAnswer(ifNoneMatch, pet.touched, entryBody(pet)) };
  },
  setInventory: (state, request) => {
    const pet = find(state.pets, request.id);
    if (pet === undefined) return notFound(state);
    if (!isMet(request, pet.touched)) return preconditionFailed(state);
    const stock = request.body['quantity'] as number;
    const after = changePet(state, pet, { stock, ...(pet.stock === 0 && stock > 0 && { status: 'available' }) });
    return { state: after, answer: { status: 200, body: entryBody(find(after.pets, pet.id) as Pet) } };
  },
};
