/**
 * Proves that a regular expression takes exponential time: two ways through a loop read the same text, so each repetition of it
 * doubles the ways that a backtracking engine tries before it gives up (Weber and Seidl's criterion of exponential ambiguity).
 * The library `scslre` finds texts that repeat one character only: of the patterns in the test of this proof it misses half.
 */
import type { CompiledPattern } from '../patterns/pattern.ts';
import { Alphabet } from '../patterns/pattern-alphabet.ts';
import { type Automaton, type Look, NotProven, readAutomaton } from '../patterns/pattern-automaton.ts';
import { Ways } from '../patterns/pattern-ways.ts';

/** A text that takes exponential time: `before`, `repeated` any number of times, `after`. */
export interface Attack {
  readonly before: string;
  readonly repeated: string;
  readonly after: string;
}

/** Expressions with more places that read a character are not searched. */
const MAX_PLACES = 400;
/** Loops with more are not: pairs of them are compared. */
const MAX_LOOP = 150;

/** Texts after which most expressions do not match, and that have what look-ahead often asks for. */
const ENDS = ['!', '', '\n', ' ', 'a', '0', '中', '-', 'Aa0!', 'Aa0 '];

/** Printable ASCII, blanks, and letters of other alphabets; what the expression names is added. */
const CHARACTERS = ['\t', '\n', '\r', ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)), 'é', 'ß', 'я', '中'];

/** @returns `undefined` if it does not, or if the expression has `\b`, back-references or look-around within, and nothing can be proven. */
export function findAttack(compiled: CompiledPattern): Attack | undefined {
  const { expression } = compiled;
  const search = createSearch(compiled);
  for (const loop of search?.loops() ?? []) {
    const [place = 0] = loop;
    const repeated = search?.ambiguousText(loop);
    if (search === undefined || repeated === undefined) continue;
    const before = search.textBefore(place);
    // The engine tries all ways only where none of them succeeds, and none if the condition is not met.
    const fails = (after: string) =>
      [1, 2, 3].every((times) => {
        const text = before + repeated.repeat(times) + after;
        return search.condition.test(text) && !expression.test(text);
      });
    const named = [...new Set(expression.source)];
    const after = [...ENDS, ...named, ...named.map((character) => character.repeat(2))].find(fails);
    if (after !== undefined) return { before, repeated, after };
  }
  return undefined;
}

function createSearch(compiled: CompiledPattern): AttackSearch | undefined {
  try {
    const automaton = readAutomaton(compiled, 'few', () => true);
    const condition = conditionOf(automaton, compiled.expression.flags);
    return condition && new AttackSearch(automaton, compiled, condition);
  } catch (error) {
    if (error instanceof NotProven) return undefined;
    throw error;
  }
}

/** A length that is bounded. */
const bounds = ({ source }: Look) => /\{\d+(,\d+)?\}/.test(source);

/**
 * The look-ahead that an expression begins with, as patterns of passwords have it: it has to match the whole text.
 *
 * @returns `undefined` for an expression with other look-around, or one that may bound the length, or with `\b`.
 */
function conditionOf({ start, steps, looks }: Automaton, flags: string): RegExp | undefined {
  const hasBoundary = steps.some((each) => each.some(({ condition }) => condition?.endsWith('boundary')));
  const hasAlternatives = (steps[start]?.length ?? 0) > 1;
  if (hasBoundary || looks.some((look) => !look.isLeading || hasAlternatives || bounds(look))) return undefined;
  return new RegExp(`^${looks.map(({ source, isNegated }) => `(?${isNegated ? '!' : '='}${source})`).join('')}`, flags);
}

/** Two walks through a loop that read the same text, and whether they have parted. */
interface Walks {
  readonly a: number;
  readonly b: number;
  readonly haveParted: boolean;
  readonly text: string;
}

class AttackSearch {
  readonly condition: RegExp;
  readonly #ways: Ways;
  /** By letter, the first character that is one. */
  readonly #characters: string[] = [];

  constructor(automaton: Automaton, compiled: CompiledPattern, condition: RegExp) {
    this.condition = condition;
    const alphabet = new Alphabet(automaton.reads, compiled);
    for (const character of [...CHARACTERS, ...Array.from(compiled.expression.source)].filter((one) => !/[\ud800-\udfff]/.test(one)))
      this.#characters[alphabet.lettersOf(character)[0] as number] ??= character;
    this.#ways = new Ways(automaton, alphabet);
    if (this.#ways.places.length > MAX_PLACES) throw new NotProven();
  }

  /** A character that all of the places read. */
  #readBy(...places: readonly number[]): string | undefined {
    return this.#characters.find((_, letter) => places.every((place) => this.#ways.reads(place, letter)));
  }

  /** The places that lead back to themselves, those that lead to each other together. */
  loops(): number[][] {
    const reachable = new Map(
      this.#ways.places.map((from) => {
        const seen = new Set<number>();
        const queue = [from];
        for (const place of queue) {
          if (this.#readBy(place) === undefined) continue;
          for (const next of this.#ways.after(place).keys()) {
            if (seen.has(next)) continue;
            seen.add(next);
            queue.push(next);
          }
        }
        return [from, seen] as const;
      }),
    );
    const isTogether = (a: number, b: number) => reachable.get(a)?.has(b) === true && reachable.get(b)?.has(a) === true;
    const loops: number[][] = [];
    for (const place of this.#ways.places) {
      if (!isTogether(place, place)) continue;
      const loop = loops.find(([first = -1]) => isTogether(first, place));
      if (loop === undefined) loops.push([place]);
      else loop.push(place);
    }
    return loops.filter(({ length }) => length <= MAX_LOOP);
  }

  /** The shortest text that leads from the first place of the loop back to it in two ways. */
  ambiguousText(loop: readonly number[]): string | undefined {
    const inLoop = new Set(loop);
    const [start = 0] = loop;
    const seen = new Set<string>();
    const queue: Walks[] = [{ a: start, b: start, haveParted: false, text: '' }];
    for (const walks of queue)
      for (const next of this.#step(walks, inLoop)) {
        const key = `${next.a} ${next.b} ${next.haveParted}`;
        if (seen.has(key)) continue;
        if (next.haveParted && next.a === start && next.b === start) return next.text;
        seen.add(key);
        queue.push(next);
      }
    return undefined;
  }

  #step({ a, b, haveParted, text }: Walks, loop: ReadonlySet<number>): Walks[] {
    const character = this.#readBy(a, b);
    if (character === undefined) return [];
    const nextOf = (place: number) => [...this.#ways.after(place)].filter(([to]) => loop.has(to));
    return nextOf(a).flatMap(([nextA, ways]) =>
      nextOf(b).map(([nextB]) => ({
        a: nextA,
        b: nextB,
        haveParted: haveParted || nextA !== nextB || (a === b && ways > 1),
        text: text + character,
      })),
    );
  }

  /** The shortest text that leads to a place. */
  textBefore(target: number): string {
    const seen = new Set<number>();
    const queue = [{ places: this.#ways.from(this.#ways.start, true).places, text: '' }];
    for (const { places, text } of queue)
      for (const place of places.keys()) {
        if (place === target) return text;
        const character = this.#readBy(place);
        if (seen.has(place) || character === undefined) continue;
        seen.add(place);
        queue.push({ places: this.#ways.after(place), text: text + character });
      }
    return '';
  }
}
