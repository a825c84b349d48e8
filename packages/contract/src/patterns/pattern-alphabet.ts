/** The alphabet of an expression: characters that no set of it tells apart are one letter. */
import type { CompiledPattern } from './pattern.ts';

/** Characters beyond ASCII whose letter is kept. */
const MAX_KEPT_CHARACTERS = 2000;

/** Letters are numbers from 0 on, in the order in which their characters are met. */
export class Alphabet {
  /** Character classes, as they are written. */
  readonly sets: readonly string[];
  readonly #isUnicode: boolean;
  readonly #expressions: readonly RegExp[];
  readonly #ids = new Map<string, number>();
  /** By letter and number of a set, whether it is in it. */
  readonly #isInSet: (readonly boolean[])[] = [];
  readonly #letters = new Map<number, number>();
  /** -1 for a character that was not met yet. */
  readonly #lettersOfAscii = new Int32Array(128).fill(-1);

  constructor(sets: readonly (string | undefined)[], { unicode, expression: { flags } }: CompiledPattern) {
    this.#isUnicode = unicode;
    this.sets = [...new Set(sets.filter((set) => set !== undefined))];
    this.#expressions = this.sets.map((set) => new RegExp(`^${set}$`, flags));
  }

  /** How many letters were met. */
  get size(): number {
    return this.#isInSet.length;
  }

  numberOf(set: string): number {
    return this.sets.indexOf(set);
  }

  setsOf(letter: number): readonly boolean[] {
    return this.#isInSet[letter] as readonly boolean[];
  }

  /** With the flag `u` an expression reads code points, else UTF-16 code units. */
  lettersOf(text: string): number[] {
    const letters: number[] = [];
    for (let i = 0; i < text.length; i++) {
      const code = (this.#isUnicode ? text.codePointAt(i) : text.charCodeAt(i)) as number;
      if (code > 0xffff) i++;
      const known = code < 128 ? (this.#lettersOfAscii[code] as number) : (this.#letters.get(code) ?? -1);
      letters.push(known < 0 ? this.#meet(code) : known);
    }
    return letters;
  }

  #meet(code: number): number {
    const character = String.fromCodePoint(code);
    const letter = this.add(this.#expressions.map((expression) => expression.test(character)));
    if (code < 128) this.#lettersOfAscii[code] = letter;
    else if (this.#letters.size < MAX_KEPT_CHARACTERS) this.#letters.set(code, letter);
    return letter;
  }

  /** @param isInSet by number of a set. @returns the letter that is in these sets. */
  add(isInSet: readonly boolean[]): number {
    const key = isInSet.map(Number).join('');
    let letter = this.#ids.get(key);
    if (letter === undefined) {
      this.#ids.set(key, (letter = this.#isInSet.length));
      this.#isInSet.push(isInSet);
    }
    return letter;
  }
}
