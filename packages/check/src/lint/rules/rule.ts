/** What a project rule is, and its input. */
import {
  createSchemaCompiler,
  pointerKeys,
  pointerTo,
  resolveAt,
  type CompileSchemaAt,
  type Document,
  type Reference,
  type Schema,
  type SourceDocument,
} from '@specwright/server/document';
import { collectNodes, type Keys, type Node, type Nodes } from '../collect-nodes.ts';

/** A problem that a rule reports, at a path of the document. */
export interface RuleProblem {
  readonly path: Keys;
  readonly message: string;
  /** How to fix it, if the fix of the rule says less. */
  readonly fix?: string;
  /** Of an example: the keyword that refuses it. */
  readonly cause?: Keys;
}

/** A rule that neither Redocly nor Spectral has. */
export interface Rule {
  readonly name: string;
  /** Why it matters, in one line. */
  readonly reason: string;
  /** How to fix it, in one line. */
  readonly fix: string;
  readonly check: (context: RuleContext) => Iterable<RuleProblem>;
}

/** A valid OpenAPI document, with what the rules need of it, computed once. */
export interface RuleContext extends Nodes {
  readonly document: Document;
  /** As it is written, with `x-operation-defaults`. */
  readonly written: Document;
  /** Compiles schemas for both directions: `readOnly` and `writeOnly` properties are optional. */
  readonly compile: CompileSchemaAt;
  /** As `compile`, without any `enum`. */
  readonly compileWithoutEnums: CompileSchemaAt;
}

export function createRuleContext({ document, written }: SourceDocument): RuleContext {
  const lenient = structuredClone(document);
  for (const { value } of collectNodes(lenient).schemas) relaxRequired(lenient, value);
  const withoutEnums = structuredClone(lenient);
  for (const { value } of collectNodes(withoutEnums).schemas) delete value['enum'];
  return {
    ...collectNodes(document),
    document,
    written,
    compile: createSchemaCompiler(lenient),
    compileWithoutEnums: createSchemaCompiler(withoutEnums),
  };
}

/** Examples of requests lack `readOnly` properties, those of responses `writeOnly` ones. */
function relaxRequired(document: Document, schema: Schema): void {
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, Schema> };
  if (!Array.isArray(required) || properties === undefined) return;
  schema['required'] = required.filter((name) => {
    const property = follow<Schema>(document, properties[name])?.value;
    return property?.['readOnly'] !== true && property?.['writeOnly'] !== true;
  });
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
