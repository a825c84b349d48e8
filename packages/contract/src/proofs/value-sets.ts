/** Proves that a schema accepts every value of another one, in the other of two documents. What cannot be proved counts as refused. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Document, type Schema } from '../document/openapi.ts';
import { referenceOf } from '../schema/model.ts';
import { impliesKeyword, splitWay, type Proofs } from './implied-keywords.ts';
import { canonicalPointer, SchemaWays, type Given, type Side, type Way } from './schema-ways.ts';
import { isEmpty, isObjectAlone, requiredIn, schemasOf } from './way-values.ts';

/** What is left open by a limit of depth counts as refused. */
const MAX_DEPTH = 60;
const MAX_SPLITS = 3;

/** Compares the schemas of two documents as sets of values, for one side. */
export class ValueSets implements Proofs {
  readonly side: Side;
  readonly #narrow: SchemaWays;
  readonly #wide: SchemaWays;
  readonly #onAssumed: (pointer: string) => void;
  readonly #proofs = new Map<string, boolean>();
  /** What was proved, in that order. */
  readonly #proved: string[] = [];
  readonly #joined = new Map<string, Schema>();
  readonly #ids = new Map<unknown, number>();
  readonly #overlaps = new Map<string, boolean>();
  readonly #same = new Map<string, boolean>();
  #reversed: ValueSets | undefined;
  #depth = 0;
  /** Where a narrower schema is no narrower whole, as in `not`: nothing is assumed of what both refer to. */
  #isStrict = false;

  /**
   * @param narrow the document whose values are tried, @param wide that of the schemas that have to accept them.
   * @param onAssumed gets each schema that both refer to, and that was taken to accept what it accepted: it has to be compared by itself.
   */
  constructor(narrow: Document, wide: Document, side: Side, onAssumed: (pointer: string) => void) {
    this.side = side;
    this.#narrow = new SchemaWays(narrow, side);
    this.#wide = new SchemaWays(wide, side);
    this.#onAssumed = onAssumed;
  }

  /** Whether every value of the one schema is one of the other. */
  accepts(narrow: Given, wide: Given): boolean {
    if (wide === true || narrow === false) return true;
    const key = `${this.#id(narrow)} ${this.#id(wide)} ${this.#isStrict}`;
    const known = this.#proofs.get(key);
    if (known !== undefined) return known;
    if (this.#depth >= MAX_DEPTH) return false;
    const before = this.#proved.length;
    // A schema within itself is proved by its other parts.
    this.#proofs.set(key, true);
    this.#depth += 1;
    const isProved = this.#prove(narrow, wide);
    this.#depth -= 1;
    this.#proofs.set(key, isProved);
    if (isProved) this.#proved.push(key);
    // What was proved meanwhile may have taken it for proved.
    else for (const one of this.#proved.splice(before)) this.#proofs.delete(one);
    return isProved;
  }

  #prove(narrow: Given, wide: Given): boolean {
    const [from, to] = [narrow, wide].map((given) => (typeof given === 'boolean' ? undefined : referenceOf(given)));
    const isPlain = isObject(narrow) && isObject(wide) && Object.keys(narrow).length + Object.keys(wide).length === 2;
    if (from !== undefined && to !== undefined && isPlain && !this.#isStrict && canonicalPointer(from) === canonicalPointer(to)) {
      this.#onAssumed(canonicalPointer(to));
      return true;
    }
    const ways = this.#narrow.of(narrow);
    return ways === undefined ? this.isSame(narrow, wide) : ways.every((way) => this.#isCovered(way, wide, 0));
  }

  #isCovered(way: Way, wide: Given, splits: number): boolean {
    const values = { parts: way.parts, side: this.side };
    if (isEmpty(values)) return true;
    const known = this.#isStrict ? new Set<string>() : way.references;
    const ways = this.#wide.of(wide, known);
    if (ways === undefined) return false;
    const covering = ways.find((one) =>
      one.parts.every((part) => Object.keys(part).every((keyword) => impliesKeyword(values, keyword, part, this))),
    );
    if (covering !== undefined) {
      for (const pointer of covering.references) if (known.has(pointer)) this.#onAssumed(pointer);
      return true;
    }
    const parts = splits >= MAX_SPLITS || ways.length < 2 ? [] : splitWay(values, ways);
    return parts.length > 1 && parts.every((part) => this.#isCovered({ ...way, parts: [...way.parts, part] }, wide, splits + 1));
  }

  /** The one schema that several are together. */
  join(schemas: readonly Given[]): Given {
    const [only = true, ...more] = schemas;
    if (more.length === 0) return only;
    const key = schemas.map((schema) => this.#id(schema)).join();
    const joined = this.#joined.get(key) ?? ({ allOf: schemas } as Schema);
    this.#joined.set(key, joined);
    return joined;
  }

  /** Whether a value of the one schema can be one of the other, too. What cannot be proved counts as possible. */
  overlaps(narrow: Given, wide: Given): boolean {
    const key = `${this.#id(narrow)} ${this.#id(wide)}`;
    const known = this.#overlaps.get(key);
    if (known !== undefined) return known;
    // What is within itself has to be told apart by its other parts.
    this.#overlaps.set(key, true);
    const result = this.#narrow.of(narrow)?.every(({ parts }) => this.isDisjoint(parts, wide)) !== true;
    this.#overlaps.set(key, result);
    return result;
  }

  /** Whether no value is one of both. */
  isDisjoint(way: Way['parts'], excluded: Given): boolean {
    if (excluded === true) return false;
    const ways = this.#wide.of(excluded);
    if (ways?.every((other) => this.#areDisjoint(way, other.parts)) === true) return true;
    const former = way.flatMap((part) => (part['not'] === undefined ? [] : [part['not'] as Given]));
    return former.some((one) => this.#isSameOnce(one, excluded)) || former.some((one) => this.#reverse().acceptsStrictly(excluded, one));
  }

  #areDisjoint(way: Way['parts'], other: Way['parts']): boolean {
    const values = { parts: [...way, ...other], side: this.side };
    if (isEmpty(values)) return true;
    if (!isObjectAlone(values)) return false;
    const required = new Set([...requiredIn(way), ...requiredIn(other)]);
    return [...required].some((name) => {
      const [one, two] = [schemasOf(way, name), schemasOf(other, name)];
      return one.length > 0 && two.length > 0 && !this.overlaps(this.join(one), this.join(two));
    });
  }

  /** The same documents, the other way round. */
  #reverse(): ValueSets {
    this.#reversed ??= new ValueSets(this.#wide.document, this.#narrow.document, this.side, () => undefined);
    this.#reversed.#reversed = this;
    return this.#reversed;
  }

  #isSameOnce(one: Given, other: Given): boolean {
    const key = `${this.#id(one)} ${this.#id(other)}`;
    const known = this.#same.get(key) ?? this.isSame(one, other);
    this.#same.set(key, known);
    return known;
  }

  /** Whether two schemas say the same, references followed. */
  isSame(one: unknown, other: unknown, seen = new Set<string>()): boolean {
    if (Array.isArray(one) && Array.isArray(other))
      return one.length === other.length && one.every((part, i) => this.isSame(part, other[i], seen));
    if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other);
    const references = [referenceOf(one), referenceOf(other)];
    const key = references.join(' ');
    if (references.every((reference) => reference !== undefined) && !seen.has(key)) {
      seen.add(key);
      return this.isSame(this.#narrow.target(one), this.#wide.target(other), seen);
    }
    const keys = (value: object) => Object.keys(value).filter((name) => !WORDS.includes(name));
    return keys(one).length === keys(other).length && keys(one).every((name) => this.isSame(one[name], other[name], seen));
  }

  /** As `accepts`, where nothing may be assumed. */
  acceptsStrictly(narrow: Given, wide: Given): boolean {
    const before = this.#isStrict;
    this.#isStrict = true;
    const isProved = this.accepts(narrow, wide);
    this.#isStrict = before;
    return isProved;
  }

  #id(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }
}

const WORDS = ['description', 'title', 'example', 'examples', 'deprecated', 'externalDocs', '$comment'];
