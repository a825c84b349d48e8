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
import { compilePattern, type CompiledPattern } from './pattern.ts';
import { Alphabet } from './pattern-alphabet.ts';
import { type Automaton, type Counting, NotProven, readAutomaton } from './pattern-automaton.ts';
import { type Counts, Ways } from './pattern-ways.ts';

/** Ways that end at one place of an expression. More are taken for a number that grows with the text. */
const MAX_WAYS = 10;
/** Steps of a proof. */
const MAX_STEPS = 10_000;

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
      const automaton = readAutomaton(compiled, counting, condition);
      return hasFewWays(new Ways(automaton, createAlphabet(automaton.reads, compiled)));
    } catch (error) {
      if (error instanceof NotProven) return false;
      throw error;
    }
  };
  return proves('loops') || proves('copies');
}

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

/**
 * Characters of ASCII are told apart, and the blanks beyond it, by those that `.` does not read. All others are one letter, which each set has
 * that may have any of them.
 */
function createAlphabet(reads: Automaton['reads'], compiled: CompiledPattern): Alphabet {
  const alphabet = new Alphabet(reads, compiled);
  alphabet.lettersOf(ASCII + BLANKS + LINE_SEPARATORS);
  const { flags } = compiled.expression;
  alphabet.add(alphabet.sets.map((set) => flags.includes('i') || mayReadOthers(set)));
  return alphabet;
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
/** What `\s` reads beyond ASCII. */
const BLANKS = '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff';
const LINE_SEPARATORS = '\u2028\u2029';

/** Whether a set may have a letter beyond ASCII. `false` only for characters of ASCII, `\d`, `\w`, `\s` and ASCII's escapes. */
function mayReadOthers(set: string): boolean {
  const isNegated = set.startsWith('[^');
  const rest = set.replace(/^\[/, '').replace(/\\(?:[dwstnrvf0]|x[0-7][\dA-Fa-f]|u00[0-7][\dA-Fa-f]|[!-/:-@[-`{-~])/g, '');
  return isNegated || set === '.' || /[^\0-\x7f]|\\/.test(rest);
}
