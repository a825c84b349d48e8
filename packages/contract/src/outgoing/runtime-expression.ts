/** Runtime expressions of callbacks (OpenAPI 3.0.3, section 4.7.20.3): where a request asks to be called back. */
import { pointerKeys } from '../document/openapi.ts';

export interface ExpressionInput {
  readonly path: object;
  readonly query: object;
  readonly headers: object;
  readonly body: unknown;
}

type Evaluate = (input: ExpressionInput) => unknown;

/** `$request.body#/callbackUrl`, alone or in braces within a text. */
export const EMBEDDED = /\{(\$[^{}]*)\}/g;

/** Reads one expression. @returns `undefined` for one that is not supported. */
export function parseExpression(expression: string): Evaluate | undefined {
  const [, source = '', name = ''] = /^\$request\.(path|query|header)\.(.+)$/.exec(expression) ?? [];
  if (source === 'path' || source === 'query') return (input) => (input[source] as Readonly<Record<string, unknown>>)[name];
  // The names of headers are compared without case (RFC 9110, section 5.1).
  if (source === 'header')
    return ({ headers }) =>
      Object.entries(headers as Readonly<Record<string, unknown>>).find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
  if (expression === '$request.body') return ({ body }) => body;
  if (!expression.startsWith('$request.body#')) return undefined;
  const keys = pointerKeys(expression.slice('$request.body'.length));
  return ({ body }) => keys.reduce<unknown>(propertyOf, body);
}

const propertyOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/**
 * The URL that a callback is sent to, from the request that asks for it.
 *
 * @param template `{$request.body#/callbackUrl}`, `http://example.com?id={$request.path.id}`.
 * @returns `undefined` if the request has no text or number where an expression looks for one. It is not known to be a URL that may be
 *   called: see `checkWebhookUrl` of @specwright/accounts/webhooks.
 */
export function callbackUrl(template: string, input: ExpressionInput): string | undefined {
  const missing: string[] = [];
  const valueOf = (expression: string): string => {
    const value = parseExpression(expression)?.(input);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
    missing.push(expression);
    return '';
  };
  const url = template.startsWith('$') ? valueOf(template) : template.replace(EMBEDDED, (_, expression: string) => valueOf(expression));
  return missing.length === 0 ? url : undefined;
}
