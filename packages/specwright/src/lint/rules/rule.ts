/** What a project rule is, and its input. */
import {
  type CompileSchemaAt,
  type Document,
  type DocumentOperation,
  type DocumentPath,
  type Header,
  type Link,
  type Locate,
  type MediaType,
  type Parameter,
  type Problem,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
  type SourceDocument,
  type WrittenDocument,
  additionalPropertiesOf,
  alternativesOf,
  branchesOf,
  createSchemaCompiler,
  listOperations,
  operationKeys,
  patternPropertiesOf,
  pointerKeys,
  pointerTo,
  propertiesOf,
  requiredOf,
  resolveAt,
  typesOf,
  valuesOf,
  visitDocument,
  withOptionalOneWay,
  withoutValues,
} from '@specwright/contract/document';

export interface RuleProblem {
  readonly path: Keys;
  readonly message: string;
  /** Where it is, if it is about the text and not about a part of the document. */
  readonly at?: ReturnType<Locate>;
  /** How to fix it, if the fix of the rule says less. */
  readonly fix?: string;
  /** Of an example: the keyword that refuses it. */
  readonly cause?: Keys;
}

/** A rule that neither Redocly nor Spectral has. */
export interface Rule {
  readonly name: string;
  readonly reason: string;
  readonly fix: string;
  readonly check: (context: RuleContext) => Iterable<RuleProblem>;
}

/** The check of a rule that is about each schema by itself. */
export const ofSchemas = (check: (value: Schema, path: Keys, context: RuleContext) => Iterable<RuleProblem>): Rule['check'] =>
  function* (context) {
    for (const { value, path } of context.schemas) yield* check(value, path, context);
  };

/** A valid OpenAPI document, with what the rules need of it, computed once. */
export interface RuleContext extends Nodes, WrittenDocument {
  readonly document: Document;
  /** As it is written, with `x-operation-defaults`. */
  readonly written: Document;
  /** Compiles schemas for both directions: `readOnly` and `writeOnly` properties are optional. */
  readonly compile: CompileSchemaAt;
  /** As `compile`, without any `enum` and `const`. */
  readonly compileWithoutValues: CompileSchemaAt;
  /** What other parsers of YAML refuse (`SourceDocument.warnings`). */
  readonly warnings: readonly Problem[];
}

export function createRuleContext({ document, written, writtenAt, warnings }: SourceDocument): RuleContext {
  const lenient = withOptionalOneWay(document);
  return {
    ...collectNodes(document),
    document,
    written,
    writtenAt,
    compile: createSchemaCompiler(lenient),
    compileWithoutValues: createSchemaCompiler(withoutValues(lenient)),
    warnings,
  };
}

/** Resolves `$ref`s within the document; `undefined` for a broken one, which another rule reports. */
export function follow<T>(document: Document, value: T | Reference | undefined, path: Keys = []): Node<T> | undefined {
  if (value === undefined) return undefined;
  try {
    const found = resolveAt<T>(document, value, pointerTo(...path));
    return { value: found.value, path: found.pointer === pointerTo(...path) ? path : pointerKeys(found.pointer) };
  } catch {
    return undefined;
  }
}

/** The responses of all operations, those of components where they are defined. */
export function* responsesOf(
  document: Document,
): Generator<Node<Response> & { readonly status: string; readonly operation: DocumentOperation }> {
  for (const operation of listOperations(document))
    for (const [status, reference] of Object.entries(operation.operation.responses)) {
      const response = follow<Response>(document, reference, [...operationKeys(operation), 'responses', status]);
      if (response !== undefined) yield { ...response, status, operation };
    }
}

/** The request bodies of all operations, those of components where they are defined. */
export const requestBodiesOf = (document: Document): (Node<RequestBody> & { readonly operation: DocumentOperation })[] =>
  listOperations(document).flatMap((operation) => {
    const body = follow<RequestBody>(document, operation.operation.requestBody, [...operationKeys(operation), 'requestBody']);
    return body === undefined ? [] : [{ ...body, operation }];
  });

/** The parts of a document by what they are, each with its path. */
export type Keys = DocumentPath;

export interface Node<T> {
  readonly value: T;
  readonly path: Keys;
}

interface Nodes {
  readonly schemas: readonly Node<Schema>[];
  readonly parameters: readonly Node<Parameter>[];
  readonly headers: readonly Node<Header>[];
  readonly mediaTypes: readonly Node<MediaType>[];
  readonly links: readonly Node<Link>[];
}

function collectNodes(document: Document): Nodes {
  const schemas: Node<Schema>[] = [];
  const parameters: Node<Parameter>[] = [];
  const headers: Node<Header>[] = [];
  const mediaTypes: Node<MediaType>[] = [];
  const links: Node<Link>[] = [];
  visitDocument(document, {
    schema: (value, path) => schemas.push({ value, path }),
    parameter: (value, path) => parameters.push({ value, path }),
    header: (value, path) => headers.push({ value, path }),
    mediaType: (value, path) => mediaTypes.push({ value, path }),
    link: (value, path) => links.push({ value, path }),
  });
  return { schemas, parameters, headers, mediaTypes, links };
}

/** A schema with the types and properties of its `allOf`. */
export interface FlatSchema {
  /** The types of its values, including `null`; empty if unspecified. */
  readonly types: ReadonlySet<string>;
  readonly enum: readonly unknown[] | undefined;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Schema>;
  /** Whether it refuses undeclared properties. */
  readonly closed: boolean;
  /** The branches of `oneOf` and `anyOf`, which are not merged. */
  readonly unions: readonly Schema[];
}

const flattened = new WeakMap<Document, WeakMap<Schema, FlatSchema>>();
const NOTHING: FlatSchema = { types: new Set(), enum: undefined, required: new Set(), properties: new Map(), closed: false, unions: [] };

/** Each schema of a document is flattened once: parts that refer to the same schema would double the time at each level. */
export function flattenSchema(document: Document, schema: Schema | undefined): FlatSchema {
  const own = follow<Schema>(document, schema)?.value ?? {};
  const known = flattened.get(document) ?? new WeakMap<Schema, FlatSchema>();
  flattened.set(document, known);
  const found = known.get(own);
  if (found !== undefined) return found;
  // Within itself it says nothing more.
  known.set(own, NOTHING);
  const flat = flatten(document, own);
  known.set(own, flat);
  return flat;
}

function flatten(document: Document, own: Schema): FlatSchema {
  const parts = branchesOf(own).allOf.map((part) => flattenSchema(document, part));
  const types = typesOf(own);
  return {
    types: types.length > 0 ? new Set(types) : (parts.map((part) => part.types).find(({ size }) => size > 0) ?? new Set()),
    enum: valuesOf(own) ?? parts.find((part) => part.enum !== undefined)?.enum,
    required: new Set([...requiredOf(own), ...parts.flatMap((part) => [...part.required])]),
    properties: new Map([...parts.flatMap((part) => [...part.properties]), ...Object.entries(propertiesOf(own))]),
    closed: isClosed(own) || parts.some((part) => part.closed),
    unions: [...new Set([...alternativesOf(own), ...parts.flatMap((part) => part.unions)])],
  };
}

const isClosed = (schema: Schema): boolean =>
  additionalPropertiesOf(schema) === false && Object.keys(patternPropertiesOf(schema)).length === 0;

/** Whether no value is valid for both. `false` where types, enums and properties do not tell. */
export function areDisjoint(document: Document, a: Schema | undefined, b: Schema | undefined, depth = 0): boolean {
  const [left, right] = [flattenSchema(document, a), flattenSchema(document, b)];
  if (left.enum !== undefined && right.enum !== undefined) return !left.enum.some((value) => right.enum?.includes(value));
  if (left.types.size > 0 && right.types.size > 0 && !overlap(left.types, right.types)) return true;
  const areObjects = [left, right].every(({ types }) => types.size === 1 && types.has('object'));
  if (!areObjects || depth > 3) return false;
  return requiresRefused(left, right) || requiresRefused(right, left) || haveDisjointProperty(document, left, right, depth);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const widen = (types: ReadonlySet<string>) => new Set(types.has('number') ? [...types, 'integer'] : types);
  return [...widen(a)].some((type) => widen(b).has(type));
}

/** One requires a property that the other refuses. */
const requiresRefused = (one: FlatSchema, other: FlatSchema) =>
  other.closed && [...one.required].some((name) => !other.properties.has(name));

/** Both declare a property that one requires, and no value of it is valid for both. */
function haveDisjointProperty(document: Document, a: FlatSchema, b: FlatSchema, depth: number): boolean {
  return [...a.properties].some(
    ([name, property]) =>
      (a.required.has(name) || b.required.has(name)) && areDisjoint(document, property, b.properties.get(name), depth + 1),
  );
}
