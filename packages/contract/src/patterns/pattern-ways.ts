/** Follows all ways in which an automaton can read a text, from one character to the next, and counts them. */
import type { Alphabet } from './pattern-alphabet.ts';
import { type Automaton, type EmptyStep, NotProven } from './pattern-automaton.ts';

/** Ways without a character between two characters. */
const MAX_EMPTY_WAYS = 2000;

/** Places that may read the next character, each with how many ways lead there. */
export type Counts = ReadonlyMap<number, number>;

interface Reached {
  readonly places: Counts;
  /** Whether the expression may end here without a condition. */
  readonly accepts: boolean;
}

/** The places of an automaton that read a character, and how many ways lead from each to the next. */
export class Ways {
  readonly start: number;
  readonly places: readonly number[];
  /** How many letters the expression tells apart. */
  readonly letters: number;
  readonly #automaton: Automaton;
  readonly #alphabet: Alphabet;
  /** By place: the number of the set that it reads. */
  readonly #sets: readonly number[];
  readonly #sure: ReadonlySet<number>;
  readonly #after = new Map<number, Reached>();

  /** @throws NotProven if too many ways lead from one character to the next. */
  constructor(automaton: Automaton, alphabet: Alphabet) {
    this.#automaton = automaton;
    this.#alphabet = alphabet;
    this.start = automaton.start;
    this.places = automaton.reads.flatMap((set, place) => (set === undefined ? [] : [place]));
    this.letters = alphabet.size;
    this.#sets = automaton.reads.map((set) => (set === undefined ? -1 : alphabet.numberOf(set)));
    this.#sure = this.#findSure();
  }

  reads(place: number, letter: number): boolean {
    return this.#alphabet.setsOf(letter)[this.#sets[place] as number] === true;
  }

  after(place: number): Counts {
    return this.withoutSure(this.#reachedAfter(place).places);
  }

  /** A way to a sure place ends the search with success, so there is one of them. */
  withoutSure(places: Counts): Counts {
    return new Map([...places].filter(([place]) => !this.#sure.has(place)));
  }

  #reachedAfter(place: number): Reached {
    let reached = this.#after.get(place);
    if (reached === undefined) {
      const [step] = this.#automaton.steps[place] ?? [];
      this.#after.set(place, (reached = this.from(step?.to ?? place, false)));
    }
    return reached;
  }

  /** @param isAtStart whether no character precedes. */
  from(node: number, isAtStart: boolean): Reached {
    const { reads, steps, accept } = this.#automaton;
    const places = new Map<number, number>();
    let [accepts, count] = [false, 0];
    const visit = (at: number, way: Way): void => {
      if (++count > MAX_EMPTY_WAYS) throw new NotProven();
      if (reads[at] === undefined) {
        accepts ||= at === accept && way.isSure;
        for (const step of steps[at] ?? []) {
          const next = takeStep(way, step, isAtStart);
          if (next !== undefined) visit(step.to, next);
        }
      } else if (!way.isEnd) places.set(at, (places.get(at) ?? 0) + 1);
    };
    visit(node, { isSure: true, isEnd: false, opened: [] });
    return { places, accepts };
  }

  /** Places after which the expression matches whatever follows: from there the engine never goes back. */
  #findSure(): Set<number> {
    const sure = new Set(this.places.filter((place) => this.#reachedAfter(place).accepts));
    for (let size = -1; size !== sure.size;) {
      size = sure.size;
      for (const place of sure) if ([...this.#reachedAfter(place).places.keys()].some((next) => !sure.has(next))) sure.delete(place);
    }
    return sure;
  }
}

/** A way that reads no character. */
interface Way {
  readonly isSure: boolean;
  readonly isEnd: boolean;
  /** Loops of which a repetition began on it: one that reads nothing is refused (ECMA-262, RepeatMatcher). */
  readonly opened: readonly number[];
}

/** @returns `undefined` if the engine does not go on. */
function takeStep(way: Way, { condition, loop = -1 }: EmptyStep, isAtStart: boolean): Way | undefined {
  if (condition === undefined) return way;
  if (condition === 'open') return { ...way, opened: [...way.opened, loop] };
  if (condition === 'close') return way.opened.includes(loop) ? undefined : way;
  if (condition === 'start' && !isAtStart) return undefined;
  return { ...way, isSure: false, isEnd: way.isEnd || condition === 'end' };
}
