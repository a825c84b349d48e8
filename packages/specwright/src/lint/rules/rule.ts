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
  createSchemaCompiler,
  listOperations,
  operationKeys,
  pointerKeys,
  pointerTo,
  resolveAt,
  visitDocument,
  withOptionalOneWay,
  withoutValues,
} from '@specwright/contract/document';
import { ValueSets } from '@specwright/contract/proofs';
import { type SchemaView, viewSchema } from '../../schema/schema-view.ts';

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
  /** What a schema says with the parts of its `allOf`. */
  readonly viewOf: (schema: Schema) => SchemaView;
  /** Compares schemas as sets of the values that clients receive. */
  readonly values: ValueSets;
  readonly locate: Locate;
  /** What other parsers of YAML refuse (`SourceDocument.warnings`). */
  readonly warnings: readonly Problem[];
}

export function createRuleContext({ document, written, writtenAt, locate, warnings }: SourceDocument): RuleContext {
  const lenient = withOptionalOneWay(document);
  const views = new Map<Schema, SchemaView>();
  return {
    ...collectNodes(document),
    document,
    written,
    writtenAt,
    compile: createSchemaCompiler(lenient),
    compileWithoutValues: createSchemaCompiler(withoutValues(lenient)),
    viewOf(schema) {
      // Several rules ask for the same one.
      const view = views.get(schema) ?? viewSchema(document, [{ value: schema, pointer: '#' }]);
      views.set(schema, view);
      return view;
    },
    values: new ValueSets(document, document, 'received', () => undefined),
    locate,
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
