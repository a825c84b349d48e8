/** The values of bodies that were read whole: JSON as its value, text and forms as a string, anything else as it came. */
import { isUtf8 } from 'node:buffer';
import { type BodyKind, type JsonPath, parseStrictJson } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';

const BYTE_ORDER_MARK = 0xfeff;

/** @param isBigInteger whether integers at a place are `bigint`. @throws AppError as `parseJson` does; for bytes that are not UTF-8. */
export function decodeBody(bytes: Buffer, kind: BodyKind, isBigInteger: (path: JsonPath) => boolean): unknown {
  if (kind === 'bytes') return bytes;
  if (!isUtf8(bytes)) throw new FrameworkError(kind === 'json' ? 'invalid_json' : 'invalid_request', 'body is not UTF-8');
  const decoded = bytes.toString();
  // It is ignored (RFC 8259, section 8.1).
  const text = decoded.charCodeAt(0) === BYTE_ORDER_MARK ? decoded.slice(1) : decoded;
  return kind === 'json' ? parseJson(text, isBigInteger) : text;
}

/**
 * The JSON of a body or of an item of it.
 *
 * @param isBigInteger whether integers at a place are `bigint`. @param location of the value: `body`, or that of an item.
 * @throws AppError invalid_json; invalid_request for a number that would be altered.
 */
export function parseJson(text: string, isBigInteger: (path: JsonPath) => boolean = () => false, location = 'body'): unknown {
  const { value, problem } = parseStrictJson(text, isBigInteger);
  if (problem === undefined) return value;
  const { kind, path, message, cause } = problem;
  const code = kind === 'depth' || kind === 'number' ? 'invalid_request' : 'invalid_json';
  throw new FrameworkError(code, `${[location, ...path].join('/').slice(0, MAX_LOCATION_LENGTH)} ${message}`, cause && { cause });
}

const MAX_LOCATION_LENGTH = 500;
