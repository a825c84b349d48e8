/** Tests texts on the patterns of a contract, in time that is bounded: each pattern has a way to be tested, and a bound for its texts. */
import { remember } from '../remember.ts';
import { isProvenLinear } from './linear-pattern.ts';
import { createMatcher } from './pattern-matcher.ts';
import { type CompiledPattern, compilePattern, MAX_PATTERN_TEXT } from './pattern.ts';
import { isLonger } from './text-length.ts';

export interface PatternTest {
  /** The longest text, in code points, that is tested; longer ones match nothing. `Infinity` for a pattern that is proven linear. */
  readonly maxText: number;
  readonly test: (text: string) => boolean;
  /** The pattern itself, if it is proven linear: its own `test` needs no bound. */
  readonly expression?: RegExp;
}

/** Whether a text is one of a pattern, or has more code points than are tested: what refuses those reports them. */
export const testUpTo =
  (longest: number, { test }: PatternTest) =>
  (text: string): boolean =>
    (text.length > longest && isLonger(text, longest)) || test(text);

/** Steps of a backtracking engine that take at most some 50 ms. */
const MAX_BACKTRACKING_STEPS = 2e7;
/** For a pattern that may take exponential time. */
const MAX_EXPONENTIAL_TEXT = 16;

/**
 * How texts are tested on a pattern. One that is proven linear is run by the engine of JavaScript, on any text; others are matched by an
 * automaton, which takes linear time; and what an automaton cannot read, such as a back-reference, by the engine on texts so short that
 * this takes at most some 50 ms.
 *
 * @returns `undefined` for a pattern that cannot be compiled.
 */
export const patternTestOf = remember((pattern: string): PatternTest | undefined => {
  const compiled = compilePattern(pattern);
  return compiled && testOf(compiled, isProvenLinear(pattern));
}, new Map<string, PatternTest | undefined>());

function testOf(compiled: CompiledPattern, isLinear: boolean): PatternTest {
  const { expression } = compiled;
  if (isLinear) return { maxText: Infinity, test: (text) => expression.test(text), expression };
  const matcher = createMatcher(compiled);
  const maxText = matcher === undefined ? backtrackingBound(compiled) : MAX_PATTERN_TEXT;
  const test = matcher ?? ((text: string) => expression.test(text));
  return { maxText, test: (text) => !isLonger(text, maxText) && test(text) };
}

/** The expressions of a schema compiler: one that is not proven linear matches no text that is too long for it. */
export const boundedExpression = Object.assign(
  (source: string, flags: string): RegExp => {
    const expression = new RegExp(source, flags);
    const { maxText, test } = patternTestOf(source) ?? { maxText: Infinity };
    return maxText === Infinity ? expression : Object.assign(expression, { test });
  },
  { code: 'boundedExpression' },
);

const GROUP = /\((?:\?(?:<?[=!]|:|<[\w$]+>|[a-z-]+:))?/;
const REPEATED = /\)?(?:[*+?]|\{\d+(?:,\d*)?\})/;
const TOKENS = new RegExp(`${GROUP.source}|${REPEATED.source}|\\)|\\|`, 'g');

/**
 * Each repetition may end at each character, so time grows with as high a power of the length as there are repetitions, and one more for
 * a search. Repetitions of what varies may double the time with each character.
 */
function backtrackingBound({ source }: CompiledPattern): number {
  const text = source.replace(/\\[^]/g, 'x').replace(/\[[^\][]*\]/g, 'x');
  /** By group that is open, whether its text may be read in several ways. */
  const varies = [false];
  let repetitions = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token.startsWith('(')) varies.push(false);
    else {
      const isInner = token.startsWith(')') && varies.pop() === true;
      const isRepeated = /[*+}]$/.test(token);
      if (isRepeated && isInner) return MAX_EXPONENTIAL_TEXT;
      if (/[*+]$|,\d*\}$/.test(token)) repetitions++;
      varies[varies.length - 1] ||= isInner || (token !== ')' && !/\{\d+\}$/.test(token));
    }
  }
  const bound = Math.floor(MAX_BACKTRACKING_STEPS ** (1 / (repetitions + 1)));
  return Math.max(MAX_EXPONENTIAL_TEXT, Math.min(bound, MAX_PATTERN_TEXT));
}
