/** The test of random state machines: it knows every operation, it sees what no order explains, and it finds what is broken on purpose. */
import { describe, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { loadPetStore } from '../../src/service.ts';
import { omittedOperations } from '../../src/sign-ups.ts';
import { hunt } from './hunt.ts';
import { linearize, RULES, type Event, type Observed } from './linearize.ts';
import { REQUESTS } from './requests.ts';
import { EMPTY, type Answer, type ModelRequest, type State } from './state.ts';

/** How long it looks in these tests, in s. `npm run ts -- test/model/run.ts` looks for longer. */
const SECONDS = 3;

test('every operation of the contract has a request, and a rule of the model', async () => {
  const operations = (await loadPetStore(omittedOperations({ signUpAccount: undefined }))).operations.map(({ id }) => id).sort();
  expect(Object.keys(REQUESTS).sort()).toEqual(operations);
  // The feed is followed by subscribers, whose events are compared with the changes.
  expect([...Object.keys(RULES), 'listenToInventory'].sort()).toEqual(operations);
});

describe('a history', () => {
  const before: State = {
    ...EMPTY,
    categories: [{ id: 1, name: 'Dogs', description: null, touched: false }],
    pets: [{ id: 1, name: 'Rex', categoryId: 1, status: 'available', stock: 1, touched: false }],
  };
  const REQUEST: Omit<ModelRequest, 'operation'> = {
    id: 1,
    petId: 0,
    body: {},
    query: {},
    ifMatch: undefined,
    ifNoneMatch: undefined,
    idempotencyKey: undefined,
    fingerprint: '',
    newId: 1,
  };
  const event = (operation: string, [invoked, returned]: [number, number], body: ModelRequest['body'], answer?: Answer): Event => ({
    request: { ...REQUEST, operation, body },
    invoked,
    returned: answer === undefined ? Infinity : returned,
    answer,
  });
  const observe = (changes: Partial<State['pets'][number]>, events: Observed['events'], orders: State['orders'] = []): Observed => ({
    state: { ...before, pets: before.pets.map((pet) => ({ ...pet, ...changes })), orders },
    kept: new Set(),
    touched: [],
    events,
    isLenient: false,
  });
  const order = { id: 1, petId: 1, quantity: 1, shipDate: null, complete: false, touched: false };
  const pending = { petId: 1, quantity: 0, status: 'pending' as const };
  const sold = (at: [number, number]) =>
    event('updatePet', at, { status: 'sold' }, { status: 200, body: { id: 1, name: 'Rex', categoryId: 1, status: 'sold' } });
  const placed = (at: [number, number]) =>
    event('createOrder', at, { petId: 1 }, { status: 201, body: { id: 1, petId: 1, quantity: 1, complete: false } });

  test('has an order if each answer is right at its place', () => {
    const events = { 1: [pending, { ...pending, status: 'sold' as const }] };
    const both = [sold([1, 4]), placed([2, 3])];
    expect(linearize(before, both, observe({ status: 'sold', stock: 0 }, events, [order])).state).toBeDefined();
  });

  test('has none if an acknowledged change is undone', () => {
    const events = { 1: [{ petId: 1, quantity: 1, status: 'sold' as const }, pending] };
    const both = [sold([1, 4]), placed([2, 3])];
    expect(linearize(before, both, observe({ status: 'pending', stock: 0 }, events, [order])).state).toBeUndefined();
  });

  test('keeps the order of requests that did not overlap', () => {
    const events = { 1: [pending, { ...pending, status: 'sold' as const }] };
    const after = observe({ status: 'sold', stock: 0 }, events, [order]);
    expect(linearize(before, [sold([1, 2]), placed([3, 4])], after).state).toBeUndefined();
  });

  test.each([
    ['all', { status: 'pending', stock: 0 }, { 1: [pending] }, [order], true],
    ['nothing', {}, {}, [], true],
    ['a part', { status: 'pending', stock: 0 }, { 1: [pending] }, [], false],
  ] as const)('of a request that was not answered may have done %s: %#', (_, changes, events, orders, isRight) => {
    const lost = event('createOrder', [1, 2], { petId: 1 });
    expect(linearize(before, [lost], observe(changes, events, [...orders])).state !== undefined).toBe(isRight);
  });
});

test(
  'finds nothing in the pet store within seconds, without faults',
  async () => {
    expect((await hunt({ seconds: SECONDS, seed: 1, part: 'store', hasFaults: false })).problem).toBeUndefined();
  },
  scaleTimeout(120_000),
);

test(
  'finds events that are lost, and names the seed and the requests',
  async () => {
    const { problem } = await hunt({
      seconds: 30,
      seed: 1,
      part: 'store',
      hasFaults: false,
      shrinkSeconds: 1,
      prepare: ({ db }) =>
        db.raw(
          `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN NEW.position % 2 = 0 THEN NEW END; END $$;
           CREATE TRIGGER lose BEFORE INSERT ON event_log_pending FOR EACH ROW EXECUTE FUNCTION lose()`,
        ),
    });
    expect(problem).toMatch(/^found after \d+ s: npm run ts -- test\/model\/run\.ts --seed 1 --path \d+/);
    expect(problem).toContain('no order of these requests has these answers');
  },
  scaleTimeout(120_000),
);
