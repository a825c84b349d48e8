/**
 * Reads a regular expression as an automaton: for the proofs that it takes linear (linear-pattern.ts) or exponential time
 * (proofs/exponential-pattern.ts), and for the matcher (pattern-matcher.ts).
 */

/**
 * A part of an expression that cannot be read: back-references, modifiers, too many repetitions; for the proof also look-around that may read
 * any number of characters.
 */
export class NotProven extends Error {}

/** A way between two nodes that reads no character. */
export interface EmptyStep {
  readonly to: number;
  /** `^`, which no character may precede; `$`; `\b`; `\B`; look-around; others that may refuse; `open` and `close` of one repetition of the loop. */
  readonly condition?: 'start' | 'end' | 'boundary' | 'no boundary' | 'look' | 'other' | 'open' | 'close';
  /** The number of the loop, or of the look-around. */
  readonly loop?: number;
}

/** A condition on the text before or after a place: `(?=`, `(?!`, `(?<=` or `(?<!`. */
export interface Look {
  readonly source: string;
  readonly isAhead: boolean;
  readonly isNegated: boolean;
  /** Whether it is a look-ahead right after the `^` that an alternative of the expression begins with. */
  readonly isLeading: boolean;
}

/** Thompson's construction. A node either reads one character of a set, or has empty steps. */
export interface Automaton {
  readonly start: number;
  readonly accept: number;
  /** By node, the set of characters that it reads: the text of a character class. */
  readonly reads: readonly (string | undefined)[];
  readonly steps: readonly (readonly EmptyStep[])[];
  readonly looks: readonly Look[];
}

/**
 * How `{2,20}` is read. `loops`: as any number of repetitions, which has all ways that the copies have, and more. `copies`: as it is
 * written, with a copy for each repetition. `exact`: so that the automaton accepts what the expression matches, and nothing else; conditions
 * are kept. `few`: as exact, but with no more than two of the optional repetitions: more accept more texts, and none of them in more ways.
 */
export type Counting = 'loops' | 'copies' | 'exact' | 'few';

const MAX_NODES = { loops: 3000, copies: 3000, exact: 6000, few: 3000 } as const satisfies Record<Counting, number>;
/** More repetitions are read as a loop, or not at all. */
const MAX_COPIES = { loops: 300, copies: 300, exact: 3000, few: 300 } as const satisfies Record<Counting, number>;
const MAX_OPTIONAL = 2;

interface Part {
  readonly start: number;
  readonly end: number;
  readonly isNullable: boolean;
}

/** @throws NotProven for what it cannot read. @param proveCondition proves the text of a look-around. */
export function readAutomaton(
  { source, unicode }: { readonly source: string; readonly unicode: boolean },
  counting: Counting,
  proveCondition: (source: string) => boolean,
): Automaton {
  const reader = new Reader(source, unicode, counting, proveCondition);
  const { start, end } = reader.read();
  return { start, accept: end, reads: reader.reads, steps: reader.steps, looks: reader.looks };
}

class Reader {
  readonly reads: (string | undefined)[] = [];
  readonly steps: EmptyStep[][] = [];
  readonly looks: Look[] = [];
  #at = 0;
  #loops = 0;
  readonly #text: string;
  readonly #unicode: boolean;
  readonly #counting: Counting;
  readonly #isExact: boolean;
  readonly #proveCondition: (source: string) => boolean;

  constructor(text: string, unicode: boolean, counting: Counting, proveCondition: (source: string) => boolean) {
    this.#text = text;
    this.#unicode = unicode;
    this.#counting = counting;
    this.#isExact = counting === 'exact' || counting === 'few';
    this.#proveCondition = proveCondition;
  }

  read(): Part {
    const part = this.#alternatives(true);
    if (this.#at < this.#text.length) throw new NotProven();
    return part;
  }

  #node(reads?: string): number {
    if (this.reads.length >= MAX_NODES[this.#counting]) throw new NotProven();
    this.steps.push([]);
    return this.reads.push(reads) - 1;
  }

  #link(from: number, to: number, condition?: EmptyStep['condition'], loop?: number): void {
    this.steps[from]?.push({ to, ...(condition && { condition }), ...(loop !== undefined && { loop }) });
  }

  #next(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = expression.lastIndex;
    return match;
  }

  /** @param isFirst whether it begins the expression: a look-ahead right after `^` is evaluated once for each text. */
  #alternatives(isFirst: boolean): Part {
    const [start, end] = [this.#node(), this.#node()];
    let isNullable = false;
    do {
      const part = this.#alternative(isFirst);
      this.#link(start, part.start);
      this.#link(part.end, end);
      isNullable ||= part.isNullable;
    } while (this.#next('|'));
    return { start, end, isNullable };
  }

  #alternative(isFirst: boolean): Part {
    const start = this.#node();
    let [end, isNullable, isAtStart] = [start, true, false];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text.charAt(this.#at))) {
      const isAnchor = this.#text.startsWith('^', this.#at);
      const isCondition = /^\(\?[=!]/.test(this.#text.slice(this.#at, this.#at + 3));
      const part = this.#term(isFirst && isAtStart);
      isAtStart = isAnchor ? isFirst && (isAtStart || end === start) : isAtStart && isCondition;
      this.#link(end, part.start);
      end = part.end;
      isNullable &&= part.isNullable;
    }
    return { start, end, isNullable };
  }

  #term(isAtStart: boolean): Part {
    const assertion = this.#assertion(isAtStart);
    if (assertion !== undefined) {
      // What is asserted can be repeated in the syntax without the flag `u`.
      if (/^[*+?{]/.test(this.#text.slice(this.#at))) throw new NotProven();
      return assertion;
    }
    const from = this.#at;
    const atom = this.#atom();
    const quantifier = this.#quantifier();
    if (quantifier === undefined) return atom;
    const to = this.#at;
    const again = (): Part => {
      this.#at = from;
      const copy = this.#atom();
      this.#at = to;
      return copy;
    };
    return this.#repeat(atom, again, ...quantifier);
  }

  #assertion(isAtStart: boolean): Part | undefined {
    if (this.#next('^')) return this.#empty('start');
    if (this.#next('$')) return this.#empty('end');
    if (this.#next('\\b')) return this.#empty('boundary');
    if (this.#next('\\B')) return this.#empty('no boundary');
    const opening = this.#match(/\(\?<?[=!]/y);
    if (opening === undefined) return undefined;
    const from = this.#at;
    this.#skipGroup();
    const source = this.#text.slice(from, this.#at - 1);
    const isAhead = !opening[0].includes('<');
    const isLeading = isAhead && isAtStart;
    if (this.#isExact) return this.#empty('look', this.looks.push({ source, isAhead, isNegated: opening[0].endsWith('!'), isLeading }) - 1);
    const isBounded = !/[*+]|,\}/.test(source);
    if (!isBounded && !isLeading) throw new NotProven();
    if (!this.#proveCondition(`^(?:${source})`)) throw new NotProven();
    return this.#empty('other');
  }

  /** To the end of a group whose opening was read. */
  #skipGroup(): void {
    for (let depth = 1; depth > 0;) {
      if (this.#at >= this.#text.length) throw new NotProven();
      if (this.#match(CLASS) !== undefined || this.#match(/\\[^]/y) !== undefined) continue;
      const character = this.#text.charAt(this.#at++);
      if (character === '(') depth++;
      if (character === ')') depth--;
    }
  }

  #empty(condition: EmptyStep['condition'], look?: number): Part {
    const [start, end] = [this.#node(), this.#node()];
    this.#link(start, end, condition, look);
    return { start, end, isNullable: true };
  }

  #atom(): Part {
    if (this.#match(/\((?:\?:|\?<[\w$]+>|(?!\?))/y) !== undefined) {
      const part = this.#alternatives(false);
      if (!this.#next(')')) throw new NotProven();
      return part;
    }
    const set = this.#match(CLASS) ?? this.#match(this.#unicode ? UNICODE_CHARACTER : CHARACTER);
    if (set === undefined) throw new NotProven();
    const start = this.#node(set[0]);
    const end = this.#node();
    this.#link(start, end);
    return { start, end, isNullable: false };
  }

  #quantifier(): readonly [least: number, most: number] | undefined {
    const match = this.#match(/([*+?]|\{(\d+)(,(\d*))?\})\??/y);
    if (match === undefined) return undefined;
    const [, sign, least, comma, most] = match;
    if (sign === '*') return [0, Infinity];
    if (sign === '+') return [1, Infinity];
    if (sign === '?') return [0, 1];
    return [Number(least), comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
  }

  /** Whether each repetition has a copy; if not they are a loop. */
  #isCopied(most: number): boolean {
    if (most <= 1 || most === Infinity) return most <= 1;
    if (this.#isExact && most > MAX_COPIES[this.#counting]) throw new NotProven();
    return this.#counting !== 'loops' && most <= MAX_COPIES[this.#counting];
  }

  #repeat(first: Part, again: () => Part, least: number, given: number): Part {
    const { isNullable } = first;
    const most = this.#counting === 'few' && given < Infinity ? Math.min(given, least + MAX_OPTIONAL) : given;
    const isCopied = this.#isCopied(most);
    if (!isCopied && !isNullable && (least <= 1 || !this.#isExact)) return this.#loop(first, least);
    if (least > MAX_COPIES[this.#counting]) throw new NotProven();
    const [start, end] = [this.#node(), this.#node()];
    let [at, isUsed] = [start, false];
    const copy = () => {
      const part = isUsed ? again() : first;
      isUsed = true;
      return part;
    };
    for (let i = 0; i < least; i++) {
      const part = copy();
      this.#link(at, part.start);
      at = part.end;
    }
    if (isCopied)
      for (let i = least; i < most; i++) {
        const part = copy();
        this.#link(at, end);
        this.#link(at, part.start);
        at = part.end;
      }
    else {
      const part = this.#loop(copy(), 0);
      this.#link(at, part.start);
      at = part.end;
    }
    this.#link(at, end);
    return { start, end, isNullable: isNullable || least === 0 };
  }

  /** Entered and repeated by ways of their own: what was read before the loop says nothing of its repetitions. */
  #loop(part: Part, least: number): Part {
    const [start, before, after, back, end] = [this.#node(), this.#node(), this.#node(), this.#node(), this.#node()];
    const loop = this.#loops++;
    this.#link(start, before);
    if (least === 0) this.#link(start, end);
    this.#link(before, part.start, 'open', loop);
    this.#link(part.end, after, 'close', loop);
    this.#link(after, back);
    this.#link(back, part.start, 'open', loop);
    this.#link(back, end, least > 1 ? 'other' : undefined);
    return { start, end, isNullable: part.isNullable || least === 0 };
  }
}

const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;
const UNICODE_CHARACTER =
  /\\(?:0(?!\d)|[dDwWsStnrvf^$\\.*+?()[\]{}|/-]|x[\dA-Fa-f]{2}|u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|[pP]\{[\w=]+\})|\.|[^\\^$*+?()[\]{}|.]/uy;
/** Without the flag `u` an escape of what means nothing is the character, and so is a brace that begins no quantifier. */
const CHARACTER = /\\(?:0(?!\d)|[dDwWsStnrvf_\W]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4})|\.|[^\\^$*+?()[\]{}|.]|[\]}]|\{(?!\d+(?:,\d*)?\})/y;
