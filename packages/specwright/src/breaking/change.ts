/** A change of the spec: as `redocly diff` lists it, as a rule detects it, and as it is reported. */
import { type Document, type SourceDocument, listOperations, operationKeys, pointerKeys, pointerTo } from '@specwright/contract/document';

/** One side of a change. A missing value has the pointer of its parent. */
export interface Side {
  /** JSON pointer, with every `$ref` resolved. */
  readonly pointer: string;
  readonly value?: unknown;
}

/** A change as `redocly diff` lists it. `verdicts`: the rules of Redocly that take it for breaking. */
export interface Change {
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly property?: string;
  readonly verdicts: readonly { readonly ruleId: string; readonly impact: string; readonly message: string }[];
  readonly base?: Side;
  readonly revision?: Side;
}

/** The input of the rules. */
export interface Comparison {
  readonly base: SourceDocument;
  readonly working: SourceDocument;
  readonly changes: readonly Change[];
  /** Whether clients send, or receive, what is at a pointer of either document. */
  readonly sent: (pointer: string) => boolean;
  readonly received: (pointer: string) => boolean;
  readonly now: Date;
}

/** A change that breaks a client, as a rule finds it. A side that has nothing has no pointer. */
export interface DetectedChange {
  readonly rule: string;
  readonly message: string;
  readonly base?: string | undefined;
  readonly working?: string | undefined;
}

/** `file` is given if it is not that of the spec but one that the spec refers to. */
export interface ChangeLocation {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** A change that breaks a client, as it is reported. Lines and columns count from 1; a side that has nothing is located at the parent. */
export interface BreakingChange {
  readonly rule: string;
  /** What has changed, in one sentence that begins with the operation or the component. */
  readonly change: string;
  /** What a client meets. */
  readonly impact: string;
  /** JSON pointer into the working spec; for what was removed, into the base. A record names rule, change and pointer. */
  readonly at: string;
  readonly base: ChangeLocation;
  readonly working: ChangeLocation;
}

/** The pointers of all parts of requests, and of responses, with every `$ref` resolved. */
export function directions(document: Document): { readonly sent: ReadonlySet<string>; readonly received: ReadonlySet<string> } {
  const sent = new Set<string>();
  const received = new Set<string>();
  for (const { path, method, item, operation } of listOperations(document)) {
    visit(document, item.parameters, pointerTo('paths', path, 'parameters'), sent);
    visit(document, operation.parameters, pointerTo(...operationKeys({ path, method }), 'parameters'), sent);
    visit(document, operation.requestBody, pointerTo(...operationKeys({ path, method }), 'requestBody'), sent);
    visit(document, operation.responses, pointerTo(...operationKeys({ path, method }), 'responses'), received);
  }
  return { sent, received };
}

function visit(document: Document, value: unknown, pointer: string, seen: Set<string>): void {
  if (typeof value !== 'object' || value === null || seen.has(pointer)) return;
  seen.add(pointer);
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const target = pointerKeys($ref).reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], document);
    visit(document, target, pointerTo(...pointerKeys($ref)), seen);
    return;
  }
  for (const [key, child] of Object.entries(value)) visit(document, child, pointer + pointerTo(key).slice(1), seen);
}
