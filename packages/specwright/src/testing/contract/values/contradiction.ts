/** Proves that no value is valid: which keyword refuses all, where it is, and what was tried. What is not proved is not said. */
import {
  type JsonType,
  type Limits,
  additionalOf,
  allowsMoreItems,
  hasUniqueItems,
  isConstrainingFormat,
  isReadOnly,
  limitsOf,
  matchesNothing,
  requiredOf,
  typesOf,
  unevaluatedPropertiesOf,
  valuesOf,
} from '@specwright/contract/document';
import { type Json, child } from '../document.ts';
import { isSameValue } from './compare-values.ts';
import { type SchemaCheck, schemaCheckOf } from './schema-check.ts';
import { type LocatedSchema, type SchemaView, type Schemas, type Union, some, viewSchema } from './schema-view.ts';

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

/** Unions within unions, and properties within properties. */
const MAX_DEPTH = 12;
/** Several unions of one value multiply. What takes longer is not proved. */
const MAX_STEPS = 5000;

/** @param schemas hold together; their pointers are those of the document. @returns `undefined` if a value may be valid. */
export const findContradiction = (document: Json, schemas: Schemas, place: string): Contradiction | undefined =>
  new Prover(document).prove(schemas, place, []);

class Prover {
  readonly #document: Json;
  readonly #check: SchemaCheck;
  #steps = 0;

  constructor(document: Json) {
    this.#document = document;
    this.#check = schemaCheckOf(document, 'request');
  }

  /** @param above the schemas that these are required within. @param chosen the unions of the value that a branch was chosen of. */
  prove(parts: Schemas, at: string, above: readonly string[], chosen: readonly string[] = []): Contradiction | undefined {
    const key = parts.map(({ pointer }) => pointer).join(' ');
    const [part] = parts;
    if (part === undefined || above.length > MAX_DEPTH || ++this.#steps > MAX_STEPS) return undefined;
    if (above.includes(key)) return { place: at, pointer: part.pointer, text: 'is required within itself without end ({0})', tried: {} };
    const path = [...above, key];
    const view = viewSchema(this.#document, parts);
    const nothing = view.parts.find(({ value }) => matchesNothing(value));
    if (nothing !== undefined) return { place: at, pointer: nothing.pointer, text: 'false ({0}) accepts nothing', tried: null };
    if (this.#check.isValid(parts, null)) return undefined;
    return (
      this.#refusedValues(parts, view, at) ??
      disjointTypes(view, at) ??
      this.#refusedTypes(view, at, path) ??
      this.#refusedBranches(parts, view, at, path, chosen)
    );
  }

  /** All values of an `enum` are tried. */
  #refusedValues(parts: Schemas, view: SchemaView, at: string): Contradiction | undefined {
    const part = view.parts.find(({ value }) => valuesOf(value) !== undefined);
    const values = part && valuesOf(part.value);
    if (part === undefined || values === undefined || values.some((value) => this.#check.isValid(parts, value))) return undefined;
    const [tried] = values;
    const [problem = ''] = parts.flatMap(({ pointer }) => this.#check.problems(pointer, tried));
    const keyword = Object.hasOwn(part.value, 'const') ? 'const' : 'enum';
    return { place: at, pointer: child(part.pointer, keyword), text: `no value of ${keyword} ({0}) is valid: ${problem.trim()}`, tried };
  }

  /** Each type that is allowed is refused by another keyword. */
  #refusedTypes(view: SchemaView, at: string, above: readonly string[]): Contradiction | undefined {
    const { types } = view;
    const refused = types.map((type) => this.#refusedType(view, type, at, above));
    return refused.every((one) => one !== undefined) ? refused[0] : undefined;
  }

  #refusedType(view: SchemaView, type: JsonType, at: string, above: readonly string[]): Contradiction | undefined {
    const bounds = crossedBounds(view, type, at);
    if (bounds !== undefined) return bounds;
    if (type === 'array') return this.#refusedItems(view, at, above);
    return type === 'object' ? this.#refusedProperty(view, at, above) : undefined;
  }

  #refusedItems(view: SchemaView, at: string, above: readonly string[]): Contradiction | undefined {
    const { minItems: least = 0 } = view.limits;
    for (let i = 0; i < Math.min(least, view.prefix.length + 1); i++) {
      const refused = this.prove(view.prefix[i] ?? view.items ?? [], `${at}/${i}`, above);
      if (refused !== undefined) return refused;
    }
    const values = viewSchema(this.#document, view.items ?? []).values;
    const part = view.parts.find(({ value }) => (limitsOf(value).minItems ?? 0) === least);
    if (part === undefined || values === undefined || !some(view, hasUniqueItems) || view.prefix.length > 0) return undefined;
    if (values.length >= least) return undefined;
    const text = `uniqueItems and minItems ${least} ({0}) ask for more than the ${values.length} values of enum`;
    return { place: at, pointer: child(part.pointer, 'minItems'), text, tried: values };
  }

  #refusedProperty(view: SchemaView, at: string, above: readonly string[]): Contradiction | undefined {
    for (const name of view.required) {
      const asking = view.parts.find(({ value }) => requiredOf(value).includes(name));
      const schemasOfName = view.properties.get(name) ?? [];
      if (asking === undefined || some(viewSchema(this.#document, schemasOfName), isReadOnly)) continue;
      const other = child(asking.pointer, 'required');
      const closed = view.parts.find((part) => this.#refusesName(part, view, name));
      if (closed !== undefined) {
        const keyword = matchesNothing(unevaluatedPropertiesOf(closed.value)) ? 'unevaluatedProperties' : 'additionalProperties';
        const text = `${keyword}: false ({0}) refuses ${JSON.stringify(name)}, which required ({1}) asks for`;
        return { place: at, pointer: child(closed.pointer, keyword), text, other, tried: { [name]: null } };
      }
      const refused = this.prove(schemasOfName, `${at}/${name}`, above);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  /** A part that is closed by `additionalProperties` knows its own properties only: whatever the value of one, it is refused. */
  #refusesName({ pointer, value }: LocatedSchema, view: SchemaView, name: string): boolean {
    // A part that others are within reports their problems too.
    if (additionalOf(value) === undefined) return false;
    if (view.properties.has(name) && matchesNothing(unevaluatedPropertiesOf(value))) return false;
    return [null, {}, [], '', 0, true].every((one) =>
      this.#check.problems(pointer, { [name]: one }).some((problem) => problem.trim() === CLOSED || problem.trim() === UNEVALUATED),
    );
  }

  /** No branch of a union holds beside the rest, or two are the same, so that never exactly one does. */
  #refusedBranches(
    parts: Schemas,
    view: SchemaView,
    at: string,
    above: readonly string[],
    chosen: readonly string[],
  ): Contradiction | undefined {
    for (const union of view.unions.filter((one) => !chosen.includes(keyOf(one)))) {
      const twins = unionKeyword(union) === 'oneOf' ? this.#twinsOf(union) : [];
      const refused = union.branches
        .filter((branch) => !twins.includes(branch))
        .map(({ schema }) => this.prove([...parts, schema], at, above, [...chosen, keyOf(union)]));
      if (refused.some((one) => one === undefined)) continue;
      const pointer = keyOf(union);
      const [first] = refused;
      if (first !== undefined) return { ...first, text: `no branch of ${unionKeyword(union)} is valid, the first: ${first.text}` };
      const names = twins.map(({ name }) => name).join(', ');
      return {
        place: at,
        pointer,
        text: `oneOf ({0}) has the same schema several times (${names}): never exactly one is valid`,
        tried: '',
      };
    }
    return undefined;
  }

  /** Branches that accept what another one does. */
  #twinsOf({ branches }: Union): Union['branches'] {
    const constraints = branches.map(({ schema }) => viewSchema(this.#document, [schema]).parts.map(({ value }) => constraintsOf(value)));
    return branches.filter((_, i) => constraints.some((one, j) => i !== j && isSameValue(one, constraints[i])));
  }
}

const CLOSED = 'must NOT have additional properties';
const UNEVALUATED = 'must NOT have unevaluated properties';

const keyOf = ({ branches }: Union): string => branches[0]?.schema.pointer.replace(/\/\d+$/, '') ?? '';

const unionKeyword = ({ branches }: Union): string => branches[0]?.schema.pointer.split('/').at(-2) ?? 'oneOf';

/** What says nothing of which values are valid. */
const ANNOTATIONS = ['title', 'description', 'default', 'example', 'examples', 'deprecated', 'externalDocs', 'xml', '$comment'];
const constraintsOf = (schema: object): Json =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => !ANNOTATIONS.includes(key) && !key.startsWith('x-') && (key !== 'format' || isConstrainingFormat(String(value))),
    ),
  );

/** The types that one part names and another does not. */
function disjointTypes({ parts, types }: SchemaView, place: string): Contradiction | undefined {
  const [named, ...others] = parts.filter(({ value }) => typesOf(value).length > 0);
  if (types.length > 0 || named === undefined) return undefined;
  const other = others.find(({ value }) => !typesOf(value).some((type) => typesOf(named.value).includes(type)));
  if (other === undefined) return undefined;
  const [one, another] = [named, other].map(({ value }) => typesOf(value).join(', '));
  const text = `type ${another} ({0}) refuses type ${one} ({1})`;
  return { place, pointer: child(other.pointer, 'type'), text, other: child(named.pointer, 'type'), tried: null };
}

const BOUNDS: Partial<Record<JsonType, readonly [least: keyof Limits, most: keyof Limits, tried: unknown]>> = {
  string: ['minLength', 'maxLength', ''],
  integer: ['minimum', 'maximum', 0],
  number: ['minimum', 'maximum', 0],
  array: ['minItems', 'maxItems', []],
  object: ['minProperties', 'maxProperties', {}],
};

/** A lower bound above the upper one. */
function crossedBounds({ parts, limits }: SchemaView, type: JsonType, place: string): Contradiction | undefined {
  const [least, most, tried] = BOUNDS[type] ?? [];
  if (least === undefined || most === undefined) return undefined;
  const [low = -Infinity, high = Infinity] = [limits[least], limits[most]];
  if (low <= high) return undefined;
  const [asking, closed] = [least, most].map((key) => parts.find(({ value }) => limitsOf(value)[key] === limits[key]));
  const isClosed = parts.find(({ value }) => !allowsMoreItems(value));
  const at = closed ?? isClosed;
  if (asking === undefined || at === undefined) return undefined;
  const text = `${least} ${low} ({0}) is more than ${most} ${high} ({1})`;
  return { place, pointer: child(asking.pointer, least), text, other: closed ? child(at.pointer, most) : at.pointer, tried };
}
