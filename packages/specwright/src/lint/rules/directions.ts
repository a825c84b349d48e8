/** Which parts of a document are of requests, and which of responses. */
import { type Document, listOperations, operationKeys, pointerKeys, pointerTo } from '@specwright/contract/document';

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
