/** The text or bytes that a body is sent as. */
import { isJson } from '../http/media-types.ts';
import { stringifyJson } from '../json/write-json.ts';

/** A body as it is sent: one of a type that is not JSON is sent unchanged if it is text or bytes. */
export function serializeBody(type: string | undefined, body: unknown): string | Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return typeof body === 'string' && type !== undefined && !isJson(type) ? body : stringifyJson(body);
}
