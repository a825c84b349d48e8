/** What one validation has at hand: a budget of steps, and the verdicts that it would otherwise compute again. */
import { isObject } from '../document/openapi.ts';
import type { CanonicalIds } from './unique-items.ts';

/** Steps of any value, whatever its size. A step is a schema that is applied to a value: some 10 ns in compiled code. */
const BASE_STEPS = 5_000_000;
/** Steps for each value in the value, beyond that. */
const STEPS_PER_VALUE = 1_000;
/** A schema that is interpreted costs as many steps of compiled code. */
const INTERPRETED_STEPS = 20;

/** The keyword of the steps that a schema takes: the number of schemas in it. */
export const STEPS = 'contract-steps';

/** Thrown in a validation that takes more steps than its value has a right to. */
export class TooComplexError extends Error {}

/** Keyword of the problem that a value has which takes too many steps. */
export const COMPLEXITY = 'complexity';

/**
 * The state of a compiler's validations: one at a time, because validation does not wait. What runs within another one shares its budget
 * and its verdicts, which hold as long as the value is not changed.
 */
export class ValidationRun {
  /** Steps that are left; compiled code takes them. */
  left = 0;
  #depth = 0;
  #root: unknown;
  #isExtended = false;
  readonly #caches: Map<unknown, unknown>[] = [];
  readonly #createIds: () => CanonicalIds;
  #ids: CanonicalIds | undefined;

  constructor(createIds: () => CanonicalIds) {
    this.#createIds = createIds;
  }

  begin(root: unknown): void {
    if (this.#depth++ > 0) return;
    this.left = BASE_STEPS;
    this.#root = root;
    this.#isExtended = false;
  }

  end(): void {
    if (--this.#depth > 0) return;
    this.#root = undefined;
    this.#ids = undefined;
    for (let cache = this.#caches.pop(); cache !== undefined; cache = this.#caches.pop()) cache.clear();
  }

  /** A verdict within the validation under way, or in one for it alone. */
  test(isValid: (value: unknown) => boolean, value: unknown): boolean {
    this.begin(value);
    try {
      return isValid(value);
    } finally {
      this.end();
    }
  }

  /** Clears a cache when the validation ends. @param cache that has its first entry. */
  clearAtEnd(cache: Map<unknown, unknown>): void {
    this.#caches.push(cache);
  }

  get ids(): CanonicalIds {
    return (this.#ids ??= this.#createIds());
  }

  /** Takes the steps of a schema that is interpreted. @throws TooComplexError */
  readonly step = (): void => {
    if ((this.left -= INTERPRETED_STEPS) < 0) this.exceed();
  };

  /**
   * Called when no steps are left: adds those that the size of the value allows, once. Schemas that are bounded take theirs without a
   * validation, and are never short of them. @throws TooComplexError
   */
  readonly exceed = (): void => {
    if (this.#depth === 0) {
      this.left = BASE_STEPS;
      return;
    }
    if (!this.#isExtended) {
      this.#isExtended = true;
      this.left += STEPS_PER_VALUE * countValues(this.#root);
    }
    if (this.left < 0) throw new TooComplexError();
  };
}

function countValues(root: unknown): number {
  let count = 0;
  const rest = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    count++;
    if (Array.isArray(value)) for (const item of value) rest.push(item);
    else if (isObject(value)) for (const part of Object.values(value)) rest.push(part);
  }
  return count;
}
