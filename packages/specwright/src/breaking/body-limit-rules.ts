/** Breaking changes of body limits: a request that was accepted is refused with 413 once the limit is lower. */
import {
  bodyLimitOf,
  DEFAULT_MAX_BODY_BYTES,
  listOperations,
  operationKeys,
  pointerTo,
  valueAt,
  type OperationObject,
  type SourceDocument,
} from '@specwright/contract/document';
import type { Comparison, DetectedChange } from './change.ts';

const BODY_LIMIT_KEY = 'x-body-limit';

/**
 * Operations whose largest body is smaller than before; without a limit it is that of a server without configuration. A change of
 * the document's own limit is reported once.
 */
export function* bodyLimitChanges({ base, working }: Comparison): Generator<DetectedChange> {
  const before = new Map(listOperations(base.document).map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const reported = new Set<string>();
  for (const after of listOperations(working.document)) {
    const former = before.get(`${after.method} ${after.path}`);
    if (former?.operation.requestBody === undefined || after.operation.requestBody === undefined) continue;
    const [old, now] = [limitOf(base, former.operation), limitOf(working, after.operation)];
    if (now >= old) continue;
    const keys = operationKeys(after);
    const sides = { base: pointerOf(base, keys), working: pointerOf(working, keys) };
    const message = `The largest body went from ${old} to ${now} bytes.`;
    const key = JSON.stringify([sides.working ?? sides.base, message]);
    if (reported.has(key)) continue;
    reported.add(key);
    yield { rule: 'body-limit-lowered', message, ...sides };
  }
}

const limitOf = ({ document }: SourceDocument, operation: Parameters<typeof bodyLimitOf>[1]): number =>
  bodyLimitOf(document, operation) ?? DEFAULT_MAX_BODY_BYTES;

/** Of the limit of an operation, that of the document if it has none, `undefined` without both. */
function pointerOf({ document }: SourceDocument, keys: readonly string[]): string | undefined {
  const operation = valueAt(document, keys) as OperationObject | undefined;
  if (operation?.[BODY_LIMIT_KEY] !== undefined) return pointerTo(...keys, BODY_LIMIT_KEY);
  return document[BODY_LIMIT_KEY] === undefined ? undefined : pointerTo(BODY_LIMIT_KEY);
}
