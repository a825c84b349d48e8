/**
 * Matches texts in time that is linear in their length, for patterns on which a backtracking engine may take longer. The places of the
 * expression that a text can lead to are followed all at once, from one character to the next, and what was found is kept: Thompson's
 * construction, determinized as it is used (https://swtch.com/~rsc/regexp/regexp1.html). The verdict is that of ECMAScript.
 */
import { Alphabet } from './pattern-alphabet.ts';
import { type Automaton, type EmptyStep, type Look, NotProven, readAutomaton } from './pattern-automaton.ts';
import type { CompiledPattern } from './pattern.ts';

/** Places that are kept, of all states together. */
const MAX_KEPT_PLACES = 200_000;
/** A state of more places is not looked for among those that are kept: that would take longer than to make it. */
const MAX_KEY_PLACES = 100;
/** What `\b` tells apart. */
const WORD = '\\w';
const MAX_LOOKS = 6;

/** What the conditions of an expression ask of a place in the text, as bits. Look-around has one bit each, from `LOOK` on. */
const [START, END, BOUNDARY, LOOK] = [1, 2, 4, 8];

/** @returns `undefined` for an expression with what an automaton does not have: back-references, modifiers, thousands of repetitions. */
export function createMatcher(compiled: CompiledPattern): ((text: string) => boolean) | undefined {
  try {
    const machine = new Machine(compiled, false);
    return (text) => machine.matches(text);
  } catch (error) {
    if (error instanceof NotProven) return undefined;
    throw error;
  }
}

/** Empty steps and characters in the direction in which a text is read. */
interface Graph {
  readonly start: number;
  readonly accept: number;
  /** By place: the set that is read from it. */
  readonly reads: readonly (string | undefined)[];
  readonly steps: readonly (readonly EmptyStep[])[];
}

/** The expression from its end to its start. */
function reverse({ start, accept, reads, steps }: Automaton): Graph {
  const [reversedReads, reversedSteps] = [reads.map((): string | undefined => undefined), reads.map((): EmptyStep[] => [])];
  for (const [from, set] of reads.entries())
    for (const step of steps[from] ?? []) {
      reversedSteps[step.to]?.push({ ...step, to: from });
      // A character is read on the only step from its place: the place after it is where reading back begins.
      if (set !== undefined) reversedReads[step.to] = set;
    }
  return { start: accept, accept: start, reads: reversedReads, steps: reversedSteps };
}

/** Places right after a character was read, before the empty steps that follow it. */
interface State {
  readonly places: readonly number[];
  /** By the bits of the place in the text. */
  readonly closures: (Closure | undefined)[];
}

interface Closure {
  readonly accepts: boolean;
  /** The places that read a character. */
  readonly readers: readonly number[];
  /** By letter. */
  readonly next: (State | undefined)[];
}

class Machine {
  readonly #graph: Graph;
  /** By place: the number of the set that it reads, or -1. */
  readonly #sets: readonly number[];
  /** By place: the last round that has come there. */
  readonly #rounds: Uint32Array;
  #round = 0;
  readonly #isReversed: boolean;
  readonly #alphabet: Alphabet;
  readonly #hasBoundaries: boolean;
  /** The number of the set of letters that are parts of words. */
  readonly #word: number;
  readonly #looks: readonly { readonly look: Look; readonly machine: Machine }[];
  #states = new Map<string, State>();
  #keptPlaces = 0;

  /** @param isReversed reads texts from their end. @throws NotProven */
  constructor(compiled: CompiledPattern, isReversed: boolean) {
    const automaton = readAutomaton(compiled, 'exact', () => true);
    if (automaton.looks.length > MAX_LOOKS) throw new NotProven();
    this.#isReversed = isReversed;
    this.#graph = isReversed ? reverse(automaton) : automaton;
    this.#alphabet = new Alphabet([WORD, ...automaton.reads], compiled);
    this.#word = this.#alphabet.numberOf(WORD);
    this.#sets = this.#graph.reads.map((set) => (set === undefined ? -1 : this.#alphabet.numberOf(set)));
    this.#rounds = new Uint32Array(automaton.reads.length);
    this.#hasBoundaries = automaton.steps.some((steps) => steps.some(({ condition }) => condition?.endsWith('boundary')));
    this.#looks = automaton.looks.map((look) => ({ look, machine: new Machine({ ...compiled, source: look.source }, look.isAhead) }));
  }

  matches(text: string): boolean {
    return this.#run(text, () => true);
  }

  /** By place in the text, whether a match ends there; starts there if the text is read from its end. */
  #placesIn(text: string): Uint8Array {
    const found = new Uint8Array(text.length + 1);
    this.#run(text, (place) => {
      found[place] = 1;
      return false;
    });
    return found;
  }

  /** @param onMatch is told of each match, until it returns `true`. @returns whether it has. */
  #run(text: string, onMatch: (place: number) => boolean): boolean {
    const letters = this.#alphabet.lettersOf(text);
    const bitsAt = this.#bitsOf(text, letters);
    const { length } = letters;
    const step = this.#isReversed ? -1 : 1;
    let state = this.#stateOf([]);
    for (let i = 0, place = this.#isReversed ? length : 0; i <= length; i++, place += step) {
      const bits = bitsAt(place);
      const closure = (state.closures[bits] ??= this.#close(state, bits));
      if (closure.accepts && onMatch(place)) return true;
      if (i === length) break;
      const letter = letters[this.#isReversed ? place - 1 : place] as number;
      state = closure.next[letter] ??= this.#advance(closure, letter);
    }
    return false;
  }

  #bitsOf(text: string, letters: readonly number[]): (place: number) => number {
    const { length } = letters;
    const bitsOfEdges = (place: number): number => (place === 0 ? START : 0) | (place === length ? END : 0);
    if (!this.#hasBoundaries && this.#looks.length === 0) return bitsOfEdges;
    const looks = this.#looks.map(({ look, machine }) => ({ isNegated: look.isNegated, found: machine.#placesIn(text) }));
    const isWord = (place: number): boolean =>
      place >= 0 && place < length && this.#alphabet.setsOf(letters[place] as number)[this.#word] === true;
    return (place) => {
      let bits = bitsOfEdges(place);
      if (this.#hasBoundaries && isWord(place - 1) !== isWord(place)) bits |= BOUNDARY;
      for (const [i, { isNegated, found }] of looks.entries()) if ((found[place] === 1) !== isNegated) bits |= LOOK << i;
      return bits;
    };
  }

  /** A search begins anew at each character. */
  #close({ places }: State, bits: number): Closure {
    const { start, accept, steps } = this.#graph;
    const isNew = this.#startRound();
    const queue = [start, ...places];
    const readers: number[] = [];
    let accepts = false;
    for (const place of queue) {
      if (!isNew(place)) continue;
      accepts ||= place === accept;
      if ((this.#sets[place] as number) >= 0) readers.push(place);
      else for (const step of steps[place] as readonly EmptyStep[]) if (allows(step, bits)) queue.push(step.to);
    }
    this.#keptPlaces += readers.length + 1;
    return { accepts, readers, next: [] };
  }

  #advance({ readers }: Closure, letter: number): State {
    const isNew = this.#startRound();
    const places: number[] = [];
    const isInSet = this.#alphabet.setsOf(letter);
    for (const place of readers)
      if (isInSet[this.#sets[place] as number] === true)
        for (const { to } of this.#graph.steps[place] as readonly EmptyStep[]) if (isNew(to)) places.push(to);
    return this.#stateOf(places);
  }

  /** @returns whether a place was not asked for yet. */
  #startRound(): (place: number) => boolean {
    const round = ++this.#round;
    const rounds = this.#rounds;
    return (place) => {
      if (rounds[place] === round) return false;
      rounds[place] = round;
      return true;
    };
  }

  #stateOf(places: number[]): State {
    if (places.length > MAX_KEY_PLACES) return { places, closures: [] };
    const key = places.sort((a, b) => a - b).join();
    let state = this.#states.get(key);
    if (state === undefined) {
      if (this.#keptPlaces > MAX_KEPT_PLACES) {
        this.#states = new Map();
        this.#keptPlaces = 0;
      }
      this.#keptPlaces += places.length + 1;
      this.#states.set(key, (state = { places, closures: [] }));
    }
    return state;
  }
}

function allows({ condition, loop = 0 }: EmptyStep, bits: number): boolean {
  if (condition === 'start') return (bits & START) !== 0;
  if (condition === 'end') return (bits & END) !== 0;
  if (condition === 'boundary') return (bits & BOUNDARY) !== 0;
  if (condition === 'no boundary') return (bits & BOUNDARY) === 0;
  if (condition === 'look') return (bits & (LOOK << loop)) !== 0;
  // That a repetition has read something changes no verdict: one that has not leads where its loop has already been left.
  return true;
}
