/**
 * Proves that a regular expression takes exponential time: two ways through a loop read the same text, so each repetition of it
 * doubles the ways that a backtracking engine tries before it gives up (Weber and Seidl's criterion of exponential ambiguity).
 * The library `scslre` finds texts that repeat one character only: of the patterns in the test of this rule it misses half.
 */
import { createAutomaton, type Automaton } from './pattern-automaton.ts';

/** A text that takes exponential time: `before`, `repeated` any number of times, `after`. */
export interface Attack {
  readonly before: string;
  readonly repeated: string;
  readonly after: string;
}

/** Loops with more positions are not searched: pairs of them are compared. */
const MAX_LOOP = 150;

/** Texts after which most expressions do not match, and that have what look-ahead often asks for. */
const ENDS = ['!', '', '\n', ' ', 'a', '0', '中', '-', 'Aa0!', 'Aa0 '];

/** @returns `undefined` if it does not, or if the expression has `\b`, back-references or look-around within, and nothing can be proven. */
export function findAttack(expression: RegExp): Attack | undefined {
  const automaton = createAutomaton(expression);
  if (automaton === undefined) return undefined;
  for (const loop of loopsOf(automaton)) {
    const [position = 0] = loop;
    const repeated = ambiguousText(automaton, loop);
    if (repeated === undefined) continue;
    const before = textBefore(automaton, position);
    // The engine tries all ways only where none of them succeeds, and none if the condition is not met.
    const fails = (after: string) =>
      [1, 2, 3].every((times) => {
        const text = before + repeated.repeat(times) + after;
        return automaton.condition.test(text) && !expression.test(text);
      });
    const named = [...new Set(expression.source)];
    const after = [...ENDS, ...named, ...named.map((character) => character.repeat(2))].find(fails);
    if (after !== undefined) return { before, repeated, after };
  }
  return undefined;
}

/** The positions that lead back to themselves, those that lead to each other together. */
function loopsOf({ accepts, follow }: Automaton): number[][] {
  const reachable = follow.map((_, from) => {
    const seen = new Set<number>();
    const queue = [from];
    for (const position of queue) {
      for (const next of follow[position]?.keys() ?? []) {
        if (accepts[next]?.size === 0 || seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
    return seen;
  });
  const isTogether = (a: number, b: number) => reachable[a]?.has(b) === true && reachable[b]?.has(a) === true;
  const loops: number[][] = [];
  for (const position of follow.keys()) {
    if (!isTogether(position, position)) continue;
    const loop = loops.find(([first = -1]) => isTogether(first, position));
    if (loop === undefined) loops.push([position]);
    else loop.push(position);
  }
  return loops.filter(({ length }) => length <= MAX_LOOP);
}

/** The shortest text that leads from the first position of the loop back to it in two ways. */
function ambiguousText({ accepts, follow }: Automaton, loop: readonly number[]): string | undefined {
  const inLoop = new Set(loop);
  const steps = new Map(loop.map((position) => [position, [...(follow[position] ?? [])].filter(([to]) => inLoop.has(to))]));
  const [start = 0] = loop;
  const seen = new Set<string>();
  // Two walks that read the same text, and whether they have parted.
  const queue = [{ a: start, b: start, haveParted: false, text: '' }];
  for (const { a, b, haveParted, text } of queue) {
    for (const [nextA, ways] of steps.get(a) ?? []) {
      for (const [nextB] of steps.get(b) ?? []) {
        const parted = haveParted || nextA !== nextB || (a === b && ways > 1);
        const key = `${nextA} ${nextB} ${parted}`;
        if (seen.has(key)) continue;
        const character = [...(accepts[nextA] ?? [])].find((one) => accepts[nextB]?.has(one));
        if (character === undefined) continue;
        if (parted && nextA === start && nextB === start) return text + character;
        seen.add(key);
        queue.push({ a: nextA, b: nextB, haveParted: parted, text: text + character });
      }
    }
  }
  return undefined;
}

/** The shortest text that leads to a position. */
function textBefore({ accepts, isStart, first, follow }: Automaton, target: number): string {
  const seen = new Set<number>();
  const queue = [{ positions: first, text: '' }];
  for (const { positions, text } of queue) {
    for (const position of positions.keys()) {
      if (seen.has(position)) continue;
      const character = isStart[position] === true && text === '' ? '' : [...(accepts[position] ?? [])][0];
      if (character === undefined) continue;
      seen.add(position);
      if (position === target) return text + character;
      queue.push({ positions: follow[position] ?? new Map<number, number>(), text: text + character });
    }
  }
  return '';
}
