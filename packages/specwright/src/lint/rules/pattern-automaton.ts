/** The automaton of a regular expression: its characters as positions, and in how many ways one can follow another. */
import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** How often each position occurs, counted up to 2: more ways make no difference. */
export type Counts = ReadonlyMap<number, number>;

export interface Automaton {
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
export function createAutomaton(expression: RegExp): Automaton | undefined {
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
