/** Proves that no value is valid: which keyword refuses all, where it is, and what was tried. What is not proved is not said. */
import { type Document, isObject, pointerKeys, pointerTo, resolveAt, type Schema } from '../document/openapi.ts';
import { displayFile, type Locate } from '../document/problems.ts';
import { visitSchemas } from '../document/visit-schemas.ts';
import { branchesOf, matchesNothing, referenceOf, titleOf, typesOf, valuesOf } from '../schema/model.ts';
import { highest, itemsAt, lowest, requiredIn, schemasAt, schemasOf, typesIn } from './way-values.ts';
import { canonicalPointer, type Given, type Keywords, SchemaWays, type Side, type Way } from './schema-ways.ts';
import { ValueSets } from './value-sets.ts';

export interface Contradiction {
  /** Such as `body/name`. */
  readonly place: string;
  /** The keyword as a JSON pointer. */
  readonly pointer: string;
  /** What it refuses. `{0}` stands for the location of `pointer`, `{1}` for that of `other`. */
  readonly text: string;
  /** Another keyword, which asks for what this one refuses. */
  readonly other?: string;
  /** A value that the schema refuses, and why. */
  readonly tried: unknown;
}

/** A contradiction in one line, with the places of its keywords. */
export function formatContradiction({ place, text, pointer, other = pointer }: Contradiction, locate: Locate): string {
  const at = (one: string) => {
    const { file, line } = locate(pointerKeys(one));
    return file === undefined ? `line ${line}` : `${displayFile(file)}:${line}`;
  };
  return `${place}: ${text.replace('{0}', at(pointer)).replace('{1}', at(other))}`;
}

/** What is wrong with a value, as a validator says of the schema at a pointer. */
export type ProblemsOf = (pointer: string, value: unknown) => readonly string[];

/** What takes longer is not proved. */
const MAX_STEPS = 5000;

/** @param pointer of a schema. @param place in the text of the proof, such as `body`. @returns `undefined` if a value may be valid. */
export type Prove = (pointer: string, place: string) => Contradiction | undefined;

/** Creates the prover of a document, which proves each schema once. @param side whether clients send the values, or receive them. */
export function createProver(document: Document, side: Side, problemsOf: ProblemsOf): Prove {
  const prover = new Prover(document, side, problemsOf);
  return (pointer, place) => prover.start([resolveAt<Schema>(document, { $ref: pointer }, pointer).value], place);
}

class Prover {
  readonly #ways: SchemaWays;
  readonly #sets: ValueSets;
  readonly #side: Side;
  readonly #problemsOf: ProblemsOf;
  readonly #pointers = new Map<Given, string>();
  readonly #known = new Map<string, Contradiction | undefined>();
  readonly #open = new Set<string>();
  /** How often a schema was taken to have no value as it is required within itself. */
  #assumed = 0;
  #steps = 0;

  constructor(document: Document, side: Side, problemsOf: ProblemsOf) {
    this.#ways = new SchemaWays(document, side);
    this.#sets = new ValueSets(document, document, side, () => undefined);
    this.#side = side;
    this.#problemsOf = problemsOf;
    visitSchemas(document, (schema, path) => void this.#pointers.set(schema, pointerTo(...path)));
  }

  /** As `prove`, with all of its steps. */
  start(schemas: readonly Given[], place: string): Contradiction | undefined {
    this.#steps = 0;
    return this.prove(schemas, place);
  }

  /** @param schemas hold together. */
  prove(schemas: readonly Given[], place: string): Contradiction | undefined {
    const key = schemas.map((schema) => this.#pointerOf(schema)).join(' ');
    if (this.#known.has(key)) return this.#known.get(key);
    if (++this.#steps > MAX_STEPS) return undefined;
    if (this.#open.has(key)) {
      this.#assumed++;
      return { place, pointer: this.#pointerOf(schemas[0]), text: 'is required within itself without end ({0})', tried: {} };
    }
    const before = this.#assumed;
    this.#open.add(key);
    const proof = this.#refusedWays(schemas, place);
    this.#open.delete(key);
    // What follows from an assumption holds only within what was assumed.
    if (proof === undefined || this.#assumed === before) this.#known.set(key, proof);
    return proof;
  }

  #pointerOf(schema: Given | undefined): string {
    if (typeof schema !== 'object') return String(schema);
    const reference = referenceOf(schema);
    return this.#pointers.get(schema) ?? (reference === undefined ? '' : canonicalPointer(reference));
  }

  /** Of a keyword of a part. */
  #pointerIn(part: Keywords, ...keys: readonly string[]): string {
    return this.#pointerOf(this.#ways.sourceOf(part)?.schema) + pointerTo(...keys).slice(1);
  }

  #refusedWays(schemas: readonly Given[], place: string): Contradiction | undefined {
    const ways = this.#ways.of(this.#sets.join(schemas));
    // Of too many ways it can still be said that none is the only one.
    if (ways === undefined) return this.#twins(new Set(schemas.map((schema) => this.#ways.target(schema))), place);
    const refused: Contradiction[] = [];
    for (const way of ways) {
      const one = this.#refusedWay(schemas, way, place);
      if (one === undefined) return undefined;
      refused.push(one);
    }
    const [first] = refused;
    if (ways.length === 0) return { place, pointer: this.#pointerOf(schemas[0]), text: 'false ({0}) accepts nothing', tried: null };
    if (first === undefined || refused.every(({ text }) => text === first.text)) return first;
    const own = refused.find(({ text }) => !text.startsWith(TWINS)) ?? first;
    return { ...own, text: `no branch of ${this.#unionOf(ways[0])} is valid, the first: ${own.text}` };
  }

  #unionOf(way: Way | undefined): string {
    const branches = (way?.parts ?? []).map((part) => branchesOf(this.#ways.sourceOf(part)?.schema ?? {}));
    return (['oneOf', 'anyOf'] as const).find((keyword) => branches.some((one) => one[keyword].length > 0)) ?? 'if';
  }

  #refusedWay(schemas: readonly Given[], { parts }: Way, place: string): Contradiction | undefined {
    const known =
      this.#refusedValues(schemas, parts, place) ??
      this.#disjointTypes(parts, place) ??
      this.#twins(new Set(parts.flatMap((part) => this.#ways.sourceOf(part)?.schema ?? [])), place);
    if (known !== undefined) return known;
    const refused = typesIn({ parts, side: this.#side }).map((type) => this.#refusedType(type, parts, place));
    return refused.every((one) => one !== undefined) ? refused[0] : undefined;
  }

  /** All values of an `enum` are tried. */
  #refusedValues(schemas: readonly Given[], parts: readonly Keywords[], place: string): Contradiction | undefined {
    const part = parts.find((one) => valuesOf(one as Schema) !== undefined);
    const values = part && valuesOf(part);
    if (part === undefined || values === undefined) return undefined;
    const located = schemas.map((schema) => this.#pointerOf(schema)).filter((pointer) => pointer.startsWith('#'));
    const problems = values.map((value) => located.flatMap((pointer) => this.#problemsOf(pointer, value)));
    const [[problem = ''] = []] = problems;
    if (problems.some(({ length }) => length === 0)) return undefined;
    const keyword = 'const' in part ? 'const' : 'enum';
    const text = `no value of ${keyword} ({0}) is valid: ${problem.trim()}`;
    return { place, pointer: this.#pointerIn(part, keyword), text, tried: values[0] };
  }

  /** The types that one part names and another does not. */
  #disjointTypes(parts: readonly Keywords[], place: string): Contradiction | undefined {
    const named = parts.filter((part) => typesOf(part as Schema).length > 0);
    const isDisjoint = (one: Keywords, other: Keywords) => typesIn({ parts: [one, other], side: this.#side }).length === 0;
    const asking = named.find((one) => named.some((other) => isDisjoint({ type: one['type'] }, { type: other['type'] })));
    const refusing = asking && named.find((other) => isDisjoint({ type: asking['type'] }, { type: other['type'] }));
    if (asking === undefined || refusing === undefined) return undefined;
    const [one, another] = [asking, refusing].map((part) => typesOf(part as Schema).join(', '));
    const text = `type ${another} ({0}) refuses type ${one} ({1})`;
    return { place, pointer: this.#pointerIn(refusing, 'type'), text, other: this.#pointerIn(asking, 'type'), tried: null };
  }

  /** A branch that another one is the same as: never exactly one of them is valid. */
  #twins(schemas: ReadonlySet<Given>, place: string): Contradiction | undefined {
    for (const schema of schemas) {
      const { oneOf } = branchesOf(isObject(schema) ? schema : {});
      const twins = oneOf.filter((branch, i) => oneOf.some((other, j) => i !== j && this.#sets.isSame(branch, other)));
      const isRefused = twins.length === oneOf.length || twins.some((branch) => schemas.has(this.#ways.target(branch)));
      if (twins.length === 0 || !isRefused) continue;
      const names = twins.map((branch) => referenceOf(branch)?.split('/').at(-1) ?? titleOf(branch) ?? `oneOf/${oneOf.indexOf(branch)}`);
      const text = `${TWINS} (${names.join(', ')}): never exactly one is valid`;
      return { place, pointer: `${this.#pointerOf(schema)}/oneOf`, text, tried: '' };
    }
    return undefined;
  }

  #refusedType(type: string, parts: readonly Keywords[], place: string): Contradiction | undefined {
    const bounds = this.#crossedBounds(type, parts, place);
    if (bounds !== undefined) return bounds;
    if (type === 'array') return this.#refusedItems(parts, place);
    return type === 'object' ? this.#refusedProperty(parts, place) : undefined;
  }

  /** A lower bound above the upper one. */
  #crossedBounds(type: string, parts: readonly Keywords[], place: string): Contradiction | undefined {
    const [least, most, tried] = BOUNDS[type] ?? [];
    if (least === undefined || most === undefined) return undefined;
    const [low, high] = [lowest(parts, least), highest(parts, most)];
    const [asking, refusing] = [parts.find((part) => part[least] === low), parts.find((part) => part[most] === high)];
    if (low <= high || asking === undefined || refusing === undefined) return undefined;
    const text = `${least} ${low} ({0}) is more than ${most} ${high} ({1})`;
    return { place, pointer: this.#pointerIn(asking, least), text, other: this.#pointerIn(refusing, most), tried };
  }

  #refusedItems(parts: readonly Keywords[], place: string): Contradiction | undefined {
    const least = lowest(parts, 'minItems');
    const listed = Math.max(0, ...parts.map((part) => (part['prefixItems'] as unknown[] | undefined)?.length ?? 0));
    for (let i = 0; i < Math.min(least, listed + 1); i++) {
      const refused = this.prove(itemsAt(parts, i), `${place}/${i}`);
      if (refused !== undefined) return refused;
    }
    const values = itemsAt(parts, 0)
      .map((schema) => valuesOf(this.#ways.target(schema) as Schema))
      .find((one) => one !== undefined);
    const part = parts.find((one) => one['minItems'] === least);
    if (part === undefined || values === undefined || listed > 0 || values.length >= least) return undefined;
    if (!parts.some((one) => one['uniqueItems'] === true)) return undefined;
    const text = `uniqueItems and minItems ${least} ({0}) ask for more than the ${values.length} values of enum`;
    return { place, pointer: this.#pointerIn(part, 'minItems'), text, tried: values };
  }

  #refusedProperty(parts: readonly Keywords[], place: string): Contradiction | undefined {
    for (const name of requiredIn(parts)) {
      const asking = parts.find((part) => (part['required'] as string[] | undefined)?.includes(name) === true) ?? {};
      const closed = parts.find((part) => schemasAt(part, name).some(matchesNothing));
      const refused =
        closed === undefined ? this.prove(schemasOf(parts, name), `${place}/${name}`) : this.#refusedName(closed, asking, name, place);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #refusedName(part: Keywords, asking: Keywords, name: string, place: string): Contradiction {
    const { keyword = 'additionalProperties' } = this.#ways.sourceOf(part) ?? {};
    if (Object.hasOwn((part['properties'] as object | undefined) ?? {}, name))
      return {
        place: `${place}/${name}`,
        pointer: this.#pointerIn(part, 'properties', name),
        text: 'false ({0}) accepts nothing',
        tried: null,
      };
    const text = `${keyword}: false ({0}) refuses ${JSON.stringify(name)}, which required ({1}) asks for`;
    return { place, pointer: this.#pointerIn(part, keyword), text, other: this.#pointerIn(asking, 'required'), tried: { [name]: null } };
  }
}

const TWINS = 'oneOf ({0}) has the same schema several times';

const BOUNDS: Readonly<Record<string, readonly [least: string, most: string, tried: unknown]>> = {
  string: ['minLength', 'maxLength', ''],
  integer: ['minimum', 'maximum', 0],
  number: ['minimum', 'maximum', 0],
  array: ['minItems', 'maxItems', []],
  object: ['minProperties', 'maxProperties', {}],
};
