/** The headers of a mock's response: those that the contract requires or has an example of. */
import { examplesOf } from '@specwright/contract/document';
import { exampleValues } from '../testing/contract/values/values.ts';
import { textOf } from '../testing/contract/values/text-of.ts';
import type { Json } from '../testing/contract/document.ts';
import type { DeclaredHeader } from './declared-responses.ts';
import type { MockValues } from './mock-values.ts';

/** What the pipeline and Node write: of the body that is sent, of the connection, of the request. */
const WRITTEN = new Set([
  ...['x-request-id', 'x-content-type-options', 'cache-control', 'deprecation', 'sunset', 'x-stability', 'idempotent-replayed', 'x-mock'],
  ...['content-type', 'content-length', 'content-encoding', 'content-range', 'transfer-encoding', 'date', 'vary'],
  ...['connection', 'keep-alive', 'upgrade', 'trailer', 'te', 'access-control-allow-origin', 'access-control-expose-headers'],
]);
const RATE_LIMITS = new Set(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-policy']);
/** An example of these would be wrong of most responses: that there is a further page, a cookie that replaces the page's own. */
const ONLY_IF_REQUIRED = new Set(['link', 'set-cookie']);

export interface HeaderOptions {
  readonly values: MockValues;
  readonly document: Json;
  readonly seed: number;
  readonly hasLimits: boolean;
  /** Whether the pipeline writes a `Link` to the operation's successor. */
  readonly hasSuccessor: boolean;
  /** What is known of some, by lower-case name. */
  readonly given: ReadonlyMap<string, string>;
}

export function mockHeaders(declared: readonly DeclaredHeader[], options: HeaderOptions): Record<string, string> {
  const { values, document, seed, hasLimits, hasSuccessor, given } = options;
  const headers: Record<string, string> = {};
  for (const { name, required, media, schema } of declared) {
    const key = name.toLowerCase();
    if (WRITTEN.has(key) || (hasLimits && RATE_LIMITS.has(key))) continue;
    const known = given.get(key);
    const [part] = schema === undefined ? [] : values.view(schema).parts;
    const [example] = [...exampleValues(document, media), ...(part === undefined ? [] : examplesOf(part.value))];
    if (known !== undefined) headers[name] = known;
    else if (key === 'link' && hasSuccessor) continue;
    else if (!required && (example === undefined || ONLY_IF_REQUIRED.has(key))) continue;
    else if (example !== undefined) headers[name] = textOf(example);
    else if (schema !== undefined) headers[name] = textOf(values.valueOf(schema, { seed }));
    else headers[name] = 'mock';
  }
  return headers;
}
