/** Whether answers that overlapped can be those of some order of their requests (Wing and Gong, 1993), from one observation to the next. */
import { isDeepStrictEqual } from 'node:util';
import { ACCOUNT_RULES } from './account-rules.ts';
import { contentOf, touchedOf, type Answer, type ModelRequest, type State, type StockEvent } from './state.ts';
import { STORE_RULES, type Effect, type Rule } from './store-rules.ts';

export const RULES: Readonly<Record<string, Rule>> = { ...STORE_RULES, ...ACCOUNT_RULES };

/** A request with the moments between which it had its effect. */
export interface Event {
  readonly request: ModelRequest;
  readonly invoked: number;
  /** `Infinity` for one that was not answered: its effect may come later, or never. */
  readonly returned: number;
  /** `undefined`: it may have had its effect, wholly, or none (a lost answer, a 503). */
  readonly answer: Answer | undefined;
}

export interface Observed {
  readonly state: State;
  /** Records that were there at the last observation too, as `touchedOf` names them, and those of them whose version is another. */
  readonly kept: ReadonlySet<string>;
  readonly touched: readonly string[];
  /** The changes of the stock since then, by pet, in their order. */
  readonly events: Readonly<Record<number, readonly StockEvent[]>>;
  /** Whether a version may grow with a request that changes nothing. */
  readonly isLenient: boolean;
}

/** Applies a request that has its effect now. */
function perform(state: State, request: ModelRequest): Effect {
  const { idempotencyKey: key, fingerprint } = request;
  const before = key === undefined ? undefined : state.idempotencyKeys[key];
  if (before !== undefined && before.fingerprint !== fingerprint) return { state, answer: { status: 400, code: 'idempotency_key_reused' } };
  if (before !== undefined) return { state, answer: { ...before.answer, isReplay: true } };
  const rule = RULES[request.operation];
  if (rule === undefined) throw new Error(`the model has no rule for ${request.operation}`);
  const effect = rule(state, request);
  if (key === undefined || effect.answer.status >= 400) return effect;
  const idempotencyKeys = { ...effect.state.idempotencyKeys, [key]: { fingerprint, answer: effect.answer } };
  return { ...effect, state: { ...effect.state, idempotencyKeys } };
}

const matches = (expected: Answer, actual: Answer): boolean =>
  expected.status === actual.status &&
  expected.code === actual.code &&
  (expected.isReplay ?? false) === (actual.isReplay ?? false) &&
  (expected.body === undefined || isDeepStrictEqual(expected.body, actual.body));

/** The events that a change of state makes: one for each pet whose stock or status is another. */
function eventsOf(before: State, after: State): StockEvent[] {
  if (before.pets === after.pets) return [];
  const changed = after.pets.flatMap((pet): StockEvent[] => {
    const old = before.pets.find(({ id }) => id === pet.id);
    const isSame = old !== undefined && old.stock === pet.stock && old.status === pet.status;
    return isSame ? [] : [{ petId: pet.id, quantity: pet.stock, status: pet.status }];
  });
  const isGone = ({ id }: { id: number }) => !after.pets.some((pet) => pet.id === id);
  return [...changed, ...before.pets.filter(isGone).map(({ id }) => ({ petId: id, quantity: null, status: null }))];
}

/** The answers of a state are the same whatever has led to it, so no state is searched twice. */
class Search {
  readonly #history: readonly Event[];
  readonly #final: Observed;
  readonly #content: object;
  readonly #seen = new Set<string>();
  /** The longest order that was found: what does not fit behind it is the problem. */
  longest: readonly Event[] = [];
  /** Why a complete order was not the one: what is stored, or has changed, differs. */
  difference: { readonly expected: object; readonly actual: object } | undefined = undefined;

  constructor(history: readonly Event[], final: Observed) {
    this.#history = history;
    this.#final = final;
    this.#content = contentOf(final.state);
  }

  run(state: State, events: Readonly<Record<number, number>>, done: readonly Event[], rest: ReadonlySet<Event>): State | undefined {
    const key = JSON.stringify([state, events, this.#history.map((event) => (rest.has(event) ? 0 : 1))]);
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    if (done.length > this.longest.length) this.longest = done;
    if (![...rest].some(({ answer }) => answer !== undefined)) {
      const found = this.#compare(state, events);
      if (found !== undefined) return found;
    }
    const firstReturn = Math.min(...[...rest].map(({ returned }) => returned));
    for (const event of rest) {
      // Another one was answered before this one was sent.
      if (event.invoked > firstReturn) continue;
      const found = this.#try(event, state, events, done, rest);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #try(event: Event, state: State, events: Readonly<Record<number, number>>, done: readonly Event[], rest: ReadonlySet<Event>) {
    const effect = perform(state, event.request);
    // What was not answered and changes nothing need not be tried.
    if (event.answer === undefined ? effect.state === state : !matches(effect.answer, event.answer)) return undefined;
    const positions = { ...events };
    for (const made of eventsOf(state, effect.state)) {
      const next = positions[made.petId] ?? 0;
      if (!isDeepStrictEqual(this.#final.events[made.petId]?.[next], made)) {
        this.difference ??= { expected: made, actual: this.#final.events[made.petId]?.[next] ?? { noEvent: made.petId } };
        return undefined;
      }
      positions[made.petId] = next + 1;
    }
    const others = new Set([...rest].filter((other) => other !== event));
    const found = this.run(effect.state, positions, [...done, event], others);
    if (found !== undefined || effect.regarded === undefined) return found;
    return this.run(effect.regarded, positions, [...done, event], others);
  }

  #compare(state: State, events: Readonly<Record<number, number>>): State | undefined {
    const content = contentOf(state);
    const touched = touchedOf(state).filter((name) => this.#final.kept.has(name));
    const left = Object.entries(this.#final.events).flatMap(([petId, all]) => all.slice(events[Number(petId)] ?? 0));
    const expected = { content, touched, left: [] };
    const isKept = (name: string) => !this.#final.isLenient || touched.includes(name);
    const actual = { content: this.#content, touched: this.#final.touched.filter(isKept), left };
    if (isDeepStrictEqual(expected, actual)) return state;
    this.difference = { expected, actual };
    return undefined;
  }
}

export type Verdict = { readonly state: State } | { readonly state: undefined; readonly search: Pick<Search, 'longest' | 'difference'> };

/**
 * Looks for an order of the requests that gives each the answer that it had and leaves what was observed. What was answered before another
 * request was sent comes before it.
 *
 * @param initial the state that the requests have found. @returns the state that the order leads to; `undefined` if there is none.
 */
export function linearize(initial: State, history: readonly Event[], final: Observed): Verdict {
  const search = new Search(history, final);
  const state = search.run(initial, {}, [], new Set(history));
  return state === undefined ? { state, search } : { state };
}
