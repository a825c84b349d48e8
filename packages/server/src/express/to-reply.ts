/** Makes a reply of what an Express handler has written, to be validated as that of any handler. */
import { restoreIntegers, bodyKind, declaredType, type UnvalidatedResponse } from '@specwright/contract';
import { withoutBaseBefore } from '../http/below-base.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Captured } from './captured-response.ts';

/** The pipeline's to write, and of Express what no contract declares. */
const NOT_SENT = new Set(['content-type', 'content-length', 'transfer-encoding', 'date', 'x-powered-by']);

/**
 * @throws Error if what is to be JSON is not.
 */
export function toReply(response: Captured, exchange: Pick<Exchange, 'base'>): UnvalidatedResponse {
  const { types } = response.declared;
  const contentType = response.getHeader('Content-Type');
  const headers = headersOf(response, exchange);
  if (response.value !== undefined) {
    const type = contentType === undefined ? response.declared.jsonType : typeOf(types, String(contentType));
    return { status: response.statusCode, headers, body: response.value.value, type };
  }
  const type = contentType === undefined ? types[0] : typeOf(types, String(contentType));
  return { status: response.statusCode, headers, ...bodyOf(response, type) };
}

/** The declared type; one that is not declared without the parameters that Express adds, to be reported. */
const typeOf = (types: readonly string[], contentType: string): string =>
  declaredType(types, contentType) ?? (contentType.split(';', 1)[0] ?? '').trim();

function bodyOf({ parts, declared }: Captured, type: string | undefined): Pick<UnvalidatedResponse, 'body' | 'type'> {
  const [first] = parts;
  const body = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  if (body.length === 0 && (type === undefined || declared.types.length === 0 || bodyKind(type) === 'json'))
    return { body: undefined, type: undefined };
  return { body: type !== undefined && bodyKind(type) === 'json' ? parse(body.toString()) : body, type };
}

function parse(text: string): unknown {
  const { value, altered } = restoreIntegers(text, JSON.parse(text), () => false);
  if (altered !== undefined) throw new Error(`the text of the response has a number that JavaScript alters: send the value with res.json`);
  return value;
}

function headersOf(response: Captured, { base }: Pick<Exchange, 'base'>): UnvalidatedResponse['headers'] {
  const { declared, isNotModified } = response;
  const headers: Record<string, string | readonly string[]> = {};
  for (const raw of response.getRawHeaderNames()) {
    const name = raw.toLowerCase();
    // What belongs to the 200 need not be declared for the 304 that Express has made of it (RFC 9110, section 15.4.5).
    if (NOT_SENT.has(name) || (isNotModified && !declared.headers.has(name))) continue;
    const value = response.getHeader(raw) as string | number | string[];
    // Only cookies cannot be one field (RFC 9110, section 5.3).
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    headers[declared.headers.get(name) ?? raw] =
      name === 'set-cookie' && Array.isArray(value) ? value : base === '' ? text : withoutBaseBefore(name, text, base);
  }
  return headers;
}
