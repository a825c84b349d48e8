/** Reads a response as the contract declares it, and makes errors of what it does not. */
import { readItems } from './items.ts';
import { parseJson, writeJson } from './json.ts';
import type { AnyReply, OperationEntry, ResponseEntry } from './types.ts';

/** The response is not one of the contract: another status, media type or text that is not JSON, such as a proxy's. */
export class UnexpectedResponseError extends Error {
  readonly response: Response;
  readonly status: number;
  /** The body as text. */
  readonly text: string;
  constructor(response: Response, text: string, reason: string) {
    super(`${String(response.status)} from ${address(response)} ${reason}${quote(text)}`);
    this.name = 'UnexpectedResponseError';
    this.response = response;
    this.status = response.status;
    this.text = text;
  }
}

/** A declared response that is no success, thrown by `orThrow` and `paginate`. */
export class ResponseError extends Error {
  readonly reply: AnyReply;
  readonly status: number;
  readonly body: unknown;
  constructor(reply: AnyReply) {
    super(`${String(reply.status)} from ${address(reply.response)}${quote(reply.body === undefined ? '' : writeJson(reply.body))}`);
    this.name = 'ResponseError';
    this.reply = reply;
    this.status = reply.status;
    this.body = reply.body;
  }
}

/** Without the query, which may hold a key. */
const address = ({ url }: Response): string => url.replace(/[?#].*$/s, '');
const quote = (text: string): string => (text === '' ? '' : `: ${text.slice(0, 200)}`);

/** The reply if it is a success. @throws ResponseError if it is not. */
export async function orThrow<R extends { readonly ok: boolean }>(reply: R | Promise<R>): Promise<Extract<R, { readonly ok: true }>> {
  const { ok } = await reply;
  if (ok) return (await reply) as Extract<R, { readonly ok: true }>;
  throw new ResponseError((await reply) as unknown as AnyReply);
}

/** @throws UnexpectedResponseError */
export async function readReply({ method, responses }: OperationEntry, response: Response): Promise<AnyReply> {
  const { status, ok } = response;
  // Where successes are declared, `default` is what the other responses are like.
  const hasDefault = !ok || !Object.keys(responses).some((key) => key.startsWith('2'));
  const declared = responses[status] ?? responses[`${String(status)[0] ?? ''}XX`] ?? (hasDefault ? responses['default'] : undefined);
  if (declared === undefined) throw new UnexpectedResponseError(response, await response.text(), 'is not declared');
  const headers = readHeaders(declared, response.headers);
  const hasBody = declared.types !== undefined && method !== 'HEAD' && status !== 204 && status !== 304;
  if (hasBody) return { status, ok, headers, ...(await readBody(declared, response)), response };
  await response.body?.cancel();
  return { status, ok, headers, contentType: undefined, body: undefined, response };
}

const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Of several declared types the one that was sent, a type before a range. */
async function readBody({ types = [], items, places }: ResponseEntry, response: Response): Promise<{ contentType: string; body: unknown }> {
  const sent = essence(response.headers.get('Content-Type') ?? types[0] ?? '');
  const contentType = [sent, `${sent.split('/')[0] ?? ''}/*`, '*/*']
    .map((candidate) => types.find((type) => essence(type) === candidate))
    .find((type) => type !== undefined);
  if (contentType === undefined) throw new UnexpectedResponseError(response, await response.text(), `is ${sent}, not ${types.join(', ')}`);
  const kind = items?.[contentType];
  if (kind !== undefined) return { contentType, body: readItems(response, kind) };
  if (!isJson(sent)) return { contentType, body: sent.startsWith('text/') ? await response.text() : await response.blob() };
  const text = await response.text();
  try {
    return { contentType, body: parseJson(text, places?.[contentType]) };
  } catch {
    throw new UnexpectedResponseError(response, text, 'is not JSON');
  }
}

function readHeaders({ headers = {} }: ResponseEntry, sent: Headers): object {
  const read: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(headers)) {
    const text = sent.get(name);
    if (text !== null) read[name] = readHeader(type, text);
  }
  return read;
}

function readHeader(type: string, text: string): unknown {
  if (type === 'number') return Number(text);
  if (type === 'bigint') return BigInt(text);
  if (type === 'boolean') return text === 'true';
  const items = () => (text === '' ? [] : text.split(',').map((item) => item.trim()));
  if (type === 'list') return items();
  if (type === 'numbers') return items().map(Number);
  if (type === 'bigints') return items().map(BigInt);
  return type === 'json' ? (JSON.parse(text) as unknown) : text;
}
