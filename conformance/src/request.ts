/** Writes requests as bytes. */

export type Fields = Readonly<Record<string, string>>;

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** A request without a body. The target and the fields are sent as they are, in UTF-8. */
export const request = (method: string, target: string, fields: Fields = {}): string =>
  latin1([`${method} ${target} HTTP/1.1`, 'Host: conformance.example', ...lines(fields), 'Connection: close', '', ''].join('\r\n'));

/** A request with a body: a text in UTF-8, or bytes. */
export function requestWith(
  method: string,
  target: string,
  mediaType: string | undefined,
  body: string | Uint8Array,
  fields: Fields = {},
): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body);
  const described = {
    ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
    ...fields,
    'Content-Length': String(bytes.length),
  };
  return request(method, target, described) + bytes.toString('latin1');
}

const lines = (fields: Fields): string[] => Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
