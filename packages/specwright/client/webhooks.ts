/** Receives webhooks: verifies the signatures of Standard Webhooks, and gives each payload to the handler of its name. */
import { parseJson } from './json.ts';
import type { Place } from './types.ts';

/** What is known of a delivery beside its payload. */
export interface WebhookDelivery<Name = string> {
  /** The same for each attempt: act on each id once. */
  readonly id: string;
  /** When this attempt was made. */
  readonly sentAt: Date;
  readonly name: Name;
}

export interface WebhookReceiverOptions<Payloads> {
  /** `whsec_...`, or several while one takes the place of another, or where to get them. */
  readonly secret: string | readonly string[] | (() => string | readonly string[] | Promise<string | readonly string[]>);
  /** How old or early an attempt may be, in seconds; 300 by default. */
  readonly tolerance?: number | undefined;
  /** The longest body that is read, in bytes; 1 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** What is sent and has no handler is accepted and dropped. If one throws, so does the receiver, and the delivery is made again. */
  readonly handlers: {
    readonly [Name in keyof Payloads]?: ((payload: Payloads[Name], delivery: WebhookDelivery<Name>) => unknown) | undefined;
  };
}

/**
 * Answers a request: 204 once its handler has ended, 401 for a signature that is not right, 400 and 413 for what is no delivery.
 *
 * @param name which webhook it is, where the address is for one of them alone, or where payloads do not tell.
 */
export type WebhookReceiver<Name> = (request: Request, name?: Name) => Promise<Response>;

/** How a payload is recognized: by the texts that properties must have, and by properties that must be there. */
export interface WebhookEntry {
  readonly tags?: Readonly<Record<string, readonly string[]>>;
  readonly required?: readonly string[];
  /** Whether there may be none, or must be. */
  readonly body?: 'optional' | 'none';
  /** Where its integers are `bigint`, and its moments `Date`. */
  readonly place?: () => Place;
}

/** More signatures than a rotation needs are not tried. */
const MAX_SIGNATURES = 10;

export function createReceiver<Payloads>(
  entries: Readonly<Record<string, WebhookEntry>>,
  { secret, tolerance = 300, maxBytes = 1_048_576, handlers }: WebhookReceiverOptions<Payloads>,
): WebhookReceiver<keyof Payloads> {
  const refuse = (status: number, message: string): Response =>
    new Response(message, { status, headers: { 'Content-Type': 'text/plain' } });
  return async (request, given) => {
    const { headers } = request;
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers.get(name));
    if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp))
      return refuse(400, 'the headers of Standard Webhooks are missing');
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) return refuse(401, 'webhook-timestamp is not of now');
    const body = await readBytes(request, maxBytes);
    if (body === undefined) return refuse(413, `the body has more than ${maxBytes} bytes`);
    const secrets = typeof secret === 'function' ? await secret() : secret;
    const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body);
    if (!(await isSigned(typeof secrets === 'string' ? [secrets] : secrets, signatures, signed)))
      return refuse(401, 'webhook-signature is not that of the secret');
    let text = '';
    let payload: unknown;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
      payload = body.length === 0 ? undefined : parseJson(text);
    } catch {
      return refuse(400, 'the body is no JSON');
    }
    const names = given === undefined ? Object.keys(entries).filter((name) => fits(entries[name], payload)) : [String(given)];
    const [name, ...others] = names as (keyof Payloads & string)[];
    if (name === undefined) return refuse(400, 'the body is of no webhook of the contract');
    if (others.length > 0) throw new TypeError(`the body may be of ${names.join(', ')}: give the receiver the name`);
    const { place } = entries[name] ?? {};
    try {
      if (place !== undefined && body.length > 0) payload = parseJson(text, place);
    } catch (error) {
      return refuse(400, `the body ${(error as Error).message}`);
    }
    await handlers[name]?.(payload as Payloads[typeof name], { id, sentAt: new Date(Number(timestamp) * 1000), name });
    return new Response(null, { status: 204 });
  };
}

function fits(entry: WebhookEntry | undefined, payload: unknown): boolean {
  if (entry === undefined) return false;
  const { tags = {}, required = [], body } = entry;
  if (payload === undefined || body === 'none') return payload === undefined && body !== undefined;
  if (required.length === 0) return true;
  if (typeof payload !== 'object' || payload === null) return false;
  const values = payload as Readonly<Record<string, unknown>>;
  return (
    required.every((name) => Object.hasOwn(values, name)) &&
    Object.entries(tags).every(([name, texts]) => texts.some((text) => text === values[name]))
  );
}

/** @returns `undefined` if there are more. */
async function readBytes({ body }: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let bytes = new Uint8Array();
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return bytes;
    bytes = join(bytes, chunk.value);
    if (bytes.length <= maxBytes) continue;
    await reader?.cancel();
    return undefined;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Whether one of the signatures is that of one of the secrets. `verify` takes the same time for each. */
async function isSigned(secrets: readonly string[], signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const given = signatures.split(' ').flatMap((signature) => (signature.startsWith('v1,') ? (fromBase64(signature.slice(3)) ?? []) : []));
  for (const secret of secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    if (bytes === undefined || bytes.length === 0) throw new TypeError('a secret of webhooks is whsec_ and base64');
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of given.slice(0, MAX_SIGNATURES)) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What a request of Node and of Express has. */
export interface NodeWebhookRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What a response of Node and of Express has. */
export interface NodeWebhookResponse {
  statusCode: number;
  readonly end: (text: string) => unknown;
}

/**
 * The receiver as a request listener of Node, or as a handler of Express before any that parses bodies:
 * `app.post('/hook', nodeWebhookHandler(receiver))`.
 *
 * @param name as that of the receiver.
 */
export function nodeWebhookHandler<Name>(
  receiver: WebhookReceiver<Name>,
  name?: Name,
): (request: NodeWebhookRequest, response: NodeWebhookResponse, next?: (error: unknown) => void) => void {
  const answer = async (request: NodeWebhookRequest): Promise<Response> => {
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] => /^webhook-/i.test(entry[0]) && typeof entry[1] === 'string',
    );
    const chunks = request[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const chunk: IteratorResult<unknown, unknown> = await chunks.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value as Uint8Array);
      },
    });
    // What fetch wants of a body that is a stream.
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    return receiver(new Request('http://localhost/', init), name);
  };
  return (request, response, next) => {
    answer(request).then(
      async (answered) => {
        response.statusCode = answered.status;
        response.end(await answered.text());
      },
      (error: unknown) => {
        if (next !== undefined) {
          next(error);
          return;
        }
        response.statusCode = 500;
        response.end('');
      },
    );
  };
}
