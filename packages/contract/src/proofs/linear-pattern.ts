/**
 * Proves that a pattern takes time in proportion to the length of its text.
 *
 * A backtracking engine tries each way to read a text at most once. The proof follows all ways at once, from one character to the next,
 * and counts how many end at each place of the expression. It holds if no count exceeds a bound: for the ambiguity of an automaton of
 * which every state accepts, that is Weber and Seidl's finite degree (On the degree of ambiguity of finite automata, 1991). A search
 * without `^` begins anew at each character, so its ways are counted together. The proof is cheap and one-sided: what is not proven may
 * be linear all the same.
 */
import { remember } from '../remember.ts';
import { type Automaton, type Counting, type EmptyStep, NotProven, readAutomaton } from './pattern-automaton.ts';
import { compilePattern, type CompiledPattern } from '../schema/pattern.ts';

/** Ways that end at one place of an expression. More are taken for a number that grows with the text. */
const MAX_WAYS = 10;
/** Steps of a proof. */
const MAX_STEPS = 10_000;
/** Ways without a character between two characters. */
const MAX_EMPTY_WAYS = 2000;

/** Whether a pattern is proven linear. Takes up to a few ms for a pattern that is not known yet, 0.1 ms for most. */
export const isProvenLinear = remember((pattern: string): boolean => {
  const compiled = compilePattern(pattern);
  return compiled === undefined || isLinear(compiled);
}, new Map<string, boolean>());

/** @param compiled with its source as it is compiled. */
function isLinear(compiled: CompiledPattern): boolean {
  const proves = (counting: Counting): boolean => {
    try {
      const condition = (source: string) => isLinear({ ...compiled, source });
      return hasFewWays(new Ways(readAutomaton(compiled, counting, condition), compiled));
    } catch (error) {
      if (error instanceof NotProven) return false;
      throw error;
    }
  };
  return proves('loops') || proves('copies');
}

/** Places that may read the next character, each with how many ways lead there. */
type Counts = ReadonlyMap<number, number>;

function hasFewWays(ways: Ways): boolean {
  const first = ways.from(ways.start, true);
  const restart = ways.from(ways.start, false);
  // Where nothing has to be read, the first attempt succeeds.
  const restarted = first.accepts ? new Map<number, number>() : ways.withoutSure(restart.places);
  const queue = [ways.withoutSure(first.places)];
  const seen = new Set<string>();
  let steps = 0;
  for (const counts of queue) {
    for (let letter = 0; letter < ways.letters; letter++) {
      const next = new Map<number, number>();
      const add = (places: Counts, times: number): boolean => {
        for (const [place, count] of places) {
          const sum = (next.get(place) ?? 0) + count * times;
          if (sum > MAX_WAYS || ++steps > MAX_STEPS) return false;
          next.set(place, sum);
        }
        return true;
      };
      for (const [place, count] of counts) if (ways.reads(place, letter) && !add(ways.after(place), count)) return false;
      if (!add(restarted, 1)) return false;
      const key = [...next]
        .sort(([a], [b]) => a - b)
        .map(([place, count]) => `${place}:${count}`)
        .join();
      if ((steps += next.size) > MAX_STEPS) return false;
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return true;
}

interface Reached {
  readonly places: Counts;
  /** Whether the expression may end here without a condition. */
  readonly accepts: boolean;
}

class Ways {
  readonly start: number;
  /** How many kinds of characters the expression tells apart. */
  readonly letters: number;
  readonly #automaton: Automaton;
  readonly #lettersOf: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #sure: ReadonlySet<number>;
  readonly #after = new Map<number, Reached>();

  constructor(automaton: Automaton, { expression }: CompiledPattern) {
    this.#automaton = automaton;
    this.start = automaton.start;
    const sets = [...new Set(automaton.reads.filter((set) => set !== undefined))];
    const alphabet = createAlphabet(sets, expression.flags);
    this.letters = alphabet.letters;
    this.#lettersOf = alphabet.lettersOf;
    this.#sure = this.#findSure();
  }

  reads(place: number, letter: number): boolean {
    return this.#lettersOf.get(this.#automaton.reads[place] ?? '')?.has(letter) === true;
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
    const places = this.#automaton.reads.flatMap((set, place) => (set === undefined ? [] : [place]));
    const sure = new Set(places.filter((place) => this.#reachedAfter(place).accepts));
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

/**
 * Characters of ASCII are told apart, and the blanks beyond it, by those that `.` does not read. All others are one, which each set has that
 * may have any of them.
 */
function createAlphabet(sets: readonly string[], flags: string) {
  const members = sets.map((set) => {
    const expression = new RegExp(`^${set}$`, flags);
    const reads = (characters: readonly string[]) => characters.some((character) => expression.test(character));
    return [...[...ASCII, BLANKS, LINE_SEPARATORS].map(reads), flags.includes('i') || mayReadOthers(set)];
  });
  const signatures = Array.from({ length: ASCII.length + 3 }, (_, i) => members.map((member) => (member[i] === true ? '1' : '0')).join(''));
  const kinds = [...new Set(signatures)];
  const lettersOf = new Map(
    sets.map((set, i) => [set, new Set(kinds.flatMap((kind, letter) => (kind.charAt(i) === '1' ? [letter] : [])))] as const),
  );
  return { letters: kinds.length, lettersOf };
}

const ASCII = Array.from({ length: 128 }, (_, code) => [String.fromCharCode(code)]);
/** What `\s` reads beyond ASCII. */
const BLANKS = Array.from('\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff');
const LINE_SEPARATORS = ['\u2028', '\u2029'];

/** Whether a set may have a letter beyond ASCII. `false` only for characters of ASCII, `\d`, `\w`, `\s` and ASCII's escapes. */
function mayReadOthers(set: string): boolean {
  const isNegated = set.startsWith('[^');
  const rest = set.replace(/^\[/, '').replace(/\\(?:[dwstnrvf0]|x[0-7][\dA-Fa-f]|u00[0-7][\dA-Fa-f]|[!-/:-@[-`{-~])/g, '');
  return isNegated || set === '.' || /[^\0-\x7f]|\\/.test(rest);
}
