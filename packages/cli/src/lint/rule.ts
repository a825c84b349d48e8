/** What a rule of this project is, and what it is given to look at. */
import {
  createSchemaCompiler,
  pointerTo,
  resolveAt,
  type CompileSchemaAt,
  type Document,
  type Reference,
  type Schema,
  type SourceDocument,
} from '@specwright/server';
import { collectNodes, type Keys, type Node, type Nodes } from './collect-nodes.ts';

/** What a rule has against a place of the document. */
export interface RuleProblem {
  readonly path: Keys;
  readonly message: string;
}

/** Something that neither Redocly nor Spectral sees. */
export interface Rule {
  readonly name: string;
  /** Why it matters, in one line. */
  readonly reason: string;
  /** How to fix it, in one line. */
  readonly fix: string;
  readonly check: (context: RuleContext) => Iterable<RuleProblem>;
}

/** A document that is OpenAPI, with what the rules need of it, made once. */
export interface RuleContext extends Nodes {
  readonly document: Document;
  /** Schemas as they bind in both directions: `readOnly` and `writeOnly` properties may be absent. */
  readonly compile: CompileSchemaAt;
  /** The same without any `enum`. */
  readonly compileWithoutEnums: CompileSchemaAt;
}

export function createRuleContext({ document }: SourceDocument): RuleContext {
  const lenient = structuredClone(document);
  for (const { value } of collectNodes(lenient).schemas) dropOneWay(lenient, value);
  const withoutEnums = structuredClone(lenient);
  for (const { value } of collectNodes(withoutEnums).schemas) delete value['enum'];
  return {
    ...collectNodes(document),
    document,
    compile: createSchemaCompiler(lenient),
    compileWithoutEnums: createSchemaCompiler(withoutEnums),
  };
}

/** An example of a request has no `readOnly` properties, one of a response no `writeOnly` ones. */
function dropOneWay(document: Document, schema: Schema): void {
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, Schema> };
  if (!Array.isArray(required) || properties === undefined) return;
  schema['required'] = required.filter((name) => {
    const property = follow<Schema>(document, properties[name])?.value;
    return property?.['readOnly'] !== true && property?.['writeOnly'] !== true;
  });
}

/** Follows `$ref`s within the document; `undefined` where they lead nowhere, which is another rule's concern. */
export function follow<T>(document: Document, value: T | Reference | undefined, path: Keys = []): Node<T> | undefined {
  if (value === undefined) return undefined;
  try {
    const found = resolveAt<T>(document, value, pointerTo(...path));
    return { value: found.value, path: found.pointer === pointerTo(...path) ? path : keysOf(found.pointer) };
  } catch {
    return undefined;
  }
}

const keysOf = (pointer: string): Keys =>
  pointer
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
