/** Reads a response as the contract declares it, and makes errors of what it does not. */
import { parseJson, readMoments, writeJson } from './json.ts';
import type { AnyReply, OperationEntry, ResponseEntry } from './types.ts';

/** The response is not one of the contract: another status, media type or text that is not JSON, such as a proxy's. */
export class UnexpectedResponseError extends Error {
  declare readonly response: Response;
  declare readonly status: number;
  /** The operationId of the request. */
  declare readonly operation: string;
  /** The body as text. */
  declare readonly text: string;
  constructor(operation: string, response: Response, text: string, reason: string) {
    super(`${operation}: ${String(response.status)} from ${address(response)} ${reason}${quote(text)}`);
    define(this, { name: 'UnexpectedResponseError', response, status: response.status, operation, text });
  }
}

/** No response: the server cannot be reached, or has ended the connection. `cause` is the error of `fetch`. */
export class NetworkError extends Error {
  /** The operationId of the request. */
  declare readonly operation: string;
  /** Without the query. */
  declare readonly address: string;
  constructor(operation: string, url: string, cause: unknown) {
    const target = address({ url });
    const reason = (cause as { cause?: unknown } | undefined)?.cause ?? cause;
    super(`${operation}: no response from ${target}: ${reason instanceof Error ? reason.message : String(reason)}`, { cause });
    define(this, { name: 'NetworkError', operation, address: target });
  }
}

/** A declared response that is no success, thrown by `orThrow` and `paginate`. */
export class ResponseError<R extends AnyReply = AnyReply> extends Error {
  declare readonly reply: R;
  declare readonly status: R['status'];
  /** The operationId of the request. */
  declare readonly operation: string;
  declare readonly body: R['body'];
  constructor(reply: R) {
    const { status, operation, body } = reply;
    super(`${operation}: ${String(status)} from ${address(reply.response)}${quote(describe(body))}`);
    define(this, { name: 'ResponseError', reply, status, operation, body });
  }
}

/** Not enumerable: what prints an error would print the whole response after it. */
function define(error: Error, values: object): void {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(error, name, { value });
}

/** Code and message of a body that has them, as the top level or under `error`; else its JSON. */
function describe(body: unknown): string {
  if (body === undefined) return '';
  const { error = body } = (body ?? {}) as { error?: unknown };
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const texts = [code, message].filter((text) => typeof text === 'string');
  return texts.length > 0 ? texts.join(': ') : writeJson(body);
}

/** Without the query, which may hold a key. */
const address = ({ url }: Pick<Response, 'url'>): string => url.replace(/[?#].*$/s, '');
const quote = (text: string): string => (text === '' ? '' : `: ${text.slice(0, 200).replace(/\s+/g, ' ')}`);

/** Frees the connection. It is not waited for: of a response that was cloned, as MSW does, only both end it. */
export const dropBody = ({ body }: Response): void => void body?.cancel().catch(() => undefined);

/** The reply if it is a success. @throws ResponseError if it is not. */
export async function orThrow<R extends { readonly ok: boolean }>(reply: R | Promise<R>): Promise<Extract<R, { readonly ok: true }>> {
  const { ok } = await reply;
  if (ok) return (await reply) as Extract<R, { readonly ok: true }>;
  throw new ResponseError((await reply) as unknown as AnyReply);
}

/**
 * The problems of a request by the fields of its body, as forms need them: `{ 'lines.0.pet': ['is required'] }`.
 *
 * @param problems the list in the body of an error; `pointer` is a JSON Pointer (RFC 6901), or one as a fragment (RFC 9457, section 3)
 */
export function problemsByField(
  problems: readonly { readonly location?: string; readonly pointer: string; readonly message: string }[] = [],
): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { location = 'body', pointer, message } of problems) {
    if (location !== 'body') continue;
    const keys = (pointer.startsWith('#') ? decodeURIComponent(pointer.slice(1)) : pointer).split('/').slice(1);
    const field = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
    fields.set(field, [...(fields.get(field) ?? []), message]);
  }
  return Object.fromEntries(fields);
}

/** What the contract declares of a response. */
export function declaredOf({ responses }: OperationEntry, { status, ok }: Response): ResponseEntry | undefined {
  // Where successes are declared, `default` is what the other responses are like.
  const hasDefault = !ok || !Object.keys(responses).some((key) => key.startsWith('2'));
  return responses[status] ?? responses[`${String(status)[0] ?? ''}XX`] ?? (hasDefault ? responses['default'] : undefined);
}

/** @throws UnexpectedResponseError */
export async function readReply(entry: OperationEntry, response: Response): Promise<AnyReply> {
  const { id: operation, method } = entry;
  const { status, ok } = response;
  const declared = declaredOf(entry, response);
  if (declared === undefined) throw new UnexpectedResponseError(operation, response, await response.text(), 'is not declared');
  const headers = readHeaders(operation, declared, response);
  const hasBody = declared.types !== undefined && method !== 'HEAD' && status !== 204 && status !== 304;
  const content = hasBody ? await readBody(operation, declared, response) : { contentType: undefined, body: undefined };
  if (!hasBody) dropBody(response);
  const reply = { status, operation, ok, headers, ...content };
  return Object.defineProperty(reply, 'response', { value: response }) as AnyReply;
}

const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Of several declared types the one that was sent, a type before a range. */
async function readBody(
  operation: string,
  { types = [], items, readItems, places }: ResponseEntry,
  response: Response,
): Promise<{ contentType: string; body: unknown }> {
  const sent = essence(response.headers.get('Content-Type') ?? types[0] ?? '');
  const contentType = [sent, `${sent.split('/')[0] ?? ''}/*`, '*/*']
    .map((candidate) => types.find((type) => essence(type) === candidate))
    .find((type) => type !== undefined);
  if (contentType === undefined)
    throw new UnexpectedResponseError(operation, response, await response.text(), `is ${sent}, not ${types.join(', ')}`);
  const kind = items?.[contentType];
  if (kind !== undefined && readItems !== undefined) return { contentType, body: readItems(response, kind, places?.[contentType]) };
  if (!isJson(sent)) return { contentType, body: sent.startsWith('text/') ? await response.text() : await response.blob() };
  const text = await response.text();
  try {
    return { contentType, body: parseJson(text, places?.[contentType]) };
  } catch (error) {
    throw new UnexpectedResponseError(operation, response, text, (error as { reason?: string }).reason ?? 'is not JSON');
  }
}

/** A required header that is not there throws when it is used: most callers need the body alone. */
function readHeaders(operation: string, { headers = {} }: ResponseEntry, response: Response): object {
  const read: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(headers)) {
    const text = response.headers.get(name);
    if (text !== null) read[name] = readHeader(type.replace('!', ''), text);
    else if (type.endsWith('!'))
      Object.defineProperty(read, name, {
        get: () => {
          throw new TypeError(`${operation}: the response has no header ${name}${response.type === 'cors' ? unexposed(name) : ''}`);
        },
      });
  }
  return read;
}

/** What to do about a header that a page of another origin cannot read. */
export const unexposed = (name: string): string =>
  ` that this page may read: name its origin in CORS_ORIGINS, or send Access-Control-Expose-Headers: ${name}, Access-Control-Expose-Headers`;

function readHeader(type: string, text: string): unknown {
  if (type === 'number') return Number(text);
  if (type === 'bigint') return BigInt(text);
  if (type === 'boolean') return text === 'true';
  const items = () => (text === '' ? [] : text.split(',').map((item) => item.trim()));
  if (type === 'list') return items();
  if (type === 'numbers') return items().map(Number);
  if (type === 'bigints') return items().map(BigInt);
  return type === 'json' ? (JSON.parse(text) as unknown) : readMoments(type, text);
}
