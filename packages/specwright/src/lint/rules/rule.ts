/** What a project rule is, and its input. */
import {
  createSchemaCompiler,
  pointerKeys,
  pointerTo,
  resolveAt,
  withOptionalOneWay,
  withoutValues,
  type CompileSchemaAt,
  type Document,
  type Reference,
  type SourceDocument,
  type WrittenDocument,
} from '@specwright/contract/document';
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
export interface RuleContext extends Nodes, WrittenDocument {
  readonly document: Document;
  /** As it is written, with `x-operation-defaults`. */
  readonly written: Document;
  /** Compiles schemas for both directions: `readOnly` and `writeOnly` properties are optional. */
  readonly compile: CompileSchemaAt;
  /** As `compile`, without any `enum` and `const`. */
  readonly compileWithoutValues: CompileSchemaAt;
}

export function createRuleContext({ document, written, writtenAt }: SourceDocument): RuleContext {
  const lenient = withOptionalOneWay(document);
  return {
    ...collectNodes(document),
    document,
    written,
    writtenAt,
    compile: createSchemaCompiler(lenient),
    compileWithoutValues: createSchemaCompiler(withoutValues(lenient)),
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
