/**
 * Proves that a regular expression takes exponential time: two ways through a loop read the same text, so each repetition of it
 * doubles the ways that a backtracking engine tries before it gives up (Weber and Seidl's criterion of exponential ambiguity).
 * The library `scslre` finds texts that repeat one character only: of the patterns in the test of this rule it misses half.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

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

/** How often each position occurs, counted up to 2: more ways make no difference. */
type Counts = ReadonlyMap<number, number>;

interface Automaton {
  /** By position, the characters of the alphabet that it accepts; none for `^` and `$`. */
  readonly accepts: readonly ReadonlySet<string>[];
  /** Whether the position is `^`. */
  readonly isStart: readonly boolean[];
  readonly first: Counts;
  /** By position, the positions that may come next. */
  readonly follow: readonly Counts[];
  /** The look-ahead that the expression begins with, which is not in the automaton: it has to match the whole text. */
  readonly condition: RegExp;
}

/** Part of an expression (Glushkov's construction). `empty` counts the ways to match nothing. */
interface Part {
  readonly empty: number;
  readonly first: Counts;
  readonly last: Counts;
}

/** What is beyond regular expressions, such as look-around, or too large. */
class Unsupported extends Error {}

const MAX_POSITIONS = 400;
/** Optional repetitions beyond this make an expression accept more, but not ambiguous. */
const MAX_OPTIONAL = 2;

/** Printable ASCII, blanks, and letters of other alphabets; what the expression names is added. */
const CHARACTERS = ['\t', '\n', '\r', ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)), 'é', 'ß', 'я', '中'];

export const parsePattern = ({ source, unicode }: RegExp): AST.Pattern =>
  new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode });

/** @returns `undefined` for an expression with other look-around than at its start, `\b` or back-references, and for one that is too large. */
function createAutomaton(expression: RegExp): Automaton | undefined {
  const builder = new Builder(expression);
  try {
    const { alternatives } = parsePattern(expression);
    const conditions = alternatives.length === 1 ? leadingConditions(alternatives[0]?.elements ?? []) : [];
    const { first } = builder.alternatives(alternatives, conditions);
    const condition = new RegExp(`^${conditions.map(({ raw }) => raw).join('')}`, expression.flags);
    return { accepts: builder.accepts, isStart: builder.isStart, follow: builder.follow, first, condition };
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** The look-ahead right after `^`: `(?=.*[0-9])`, as patterns of passwords have it; none from one on that may bound the length. */
function leadingConditions([start, ...rest]: readonly AST.Element[]): AST.Element[] {
  if (start?.type !== 'Assertion' || start.kind !== 'start') return [];
  const isCondition = (element: AST.Element) =>
    element.type === 'Assertion' && element.kind === 'lookahead' && !/\{\d+(,\d+)?\}/.test(element.raw);
  const end = rest.findIndex((element) => !isCondition(element));
  return end === -1 ? rest : rest.slice(0, end);
}

class Builder {
  readonly accepts: ReadonlySet<string>[] = [];
  readonly isStart: boolean[] = [];
  readonly follow: Map<number, number>[] = [];
  readonly #flags: string;
  readonly #alphabet: readonly string[];

  constructor(expression: RegExp) {
    this.#flags = expression.flags;
    this.#alphabet = [
      ...new Set([...CHARACTERS, ...Array.from(expression.source)].filter((character) => !/[\ud800-\udfff]/.test(character))),
    ];
  }

  /** @param without elements that are left out. */
  alternatives(alternatives: readonly AST.Alternative[], without: readonly AST.Element[] = []): Part {
    const parts = alternatives.map(({ elements }) =>
      elements
        .filter((element) => !without.includes(element))
        .map((element) => this.#element(element))
        .reduce((a, b) => this.#concat(a, b), EMPTY),
    );
    return parts.reduce((a, b) => ({ empty: add(a.empty, b.empty), first: union(a.first, b.first), last: union(a.last, b.last) }));
  }

  #element(element: AST.Element): Part {
    const { type, raw } = element;
    if (type === 'Group' || type === 'CapturingGroup') return this.alternatives(element.alternatives);
    if (type === 'Quantifier') return this.#quantifier(element);
    if (type === 'Character' || type === 'CharacterSet' || type === 'CharacterClass') return this.#position(raw, false);
    if (type === 'Assertion' && element.kind === 'start') return this.#position(undefined, true);
    if (type === 'Assertion' && element.kind === 'end') return this.#position(undefined, false);
    throw new Unsupported();
  }

  #position(raw: string | undefined, isStart: boolean): Part {
    const position = this.accepts.length;
    if (position === MAX_POSITIONS) throw new Unsupported();
    const matcher = raw === undefined ? undefined : new RegExp(`^(?:${raw})$`, this.#flags);
    this.accepts.push(new Set(this.#alphabet.filter((character) => matcher?.test(character) === true)));
    this.isStart.push(isStart);
    this.follow.push(new Map());
    const only = new Map([[position, 1]]);
    return { empty: 0, first: only, last: only };
  }

  /** Repetitions are copied: those that have to be there, then optional ones, or one that repeats. */
  #quantifier({ element, min, max }: AST.Quantifier): Part {
    const isEndless = max === Infinity;
    let whole = EMPTY;
    for (let i = 0; i < (isEndless ? min - 1 : min); i++) whole = this.#concat(whole, this.#element(element));
    if (isEndless) {
      const again = this.#element(element);
      this.#link(again, again);
      return this.#concat(whole, min > 0 ? again : { ...again, empty: 1 });
    }
    let optional = EMPTY;
    // An iteration of nothing is no iteration (ECMA-262, RepeatMatcher), so there is one way to have none.
    for (let i = min; i < Math.min(max, min + MAX_OPTIONAL); i++)
      optional = { ...this.#concat(this.#element(element), optional), empty: 1 };
    return this.#concat(whole, optional);
  }

  #concat(a: Part, b: Part): Part {
    this.#link(a, b);
    return {
      empty: Math.min(2, a.empty * b.empty),
      first: union(a.first, times(b.first, a.empty)),
      last: union(b.last, times(a.last, b.empty)),
    };
  }

  #link({ last }: Part, { first }: Part): void {
    for (const [from, times] of last) {
      const next = this.follow[from];
      for (const [to, ways] of first) next?.set(to, add(next.get(to) ?? 0, times * ways));
    }
  }
}

const EMPTY: Part = { empty: 1, first: new Map(), last: new Map() };
const add = (a: number, b: number) => Math.min(2, a + b);
const times = (counts: Counts, factor: number): Counts =>
  factor === 0 ? new Map() : new Map([...counts].map(([key, n]) => [key, Math.min(2, n * factor)]));
function union(a: Counts, b: Counts): Counts {
  const result = new Map(a);
  for (const [key, count] of b) result.set(key, add(result.get(key) ?? 0, count));
  return result;
}
