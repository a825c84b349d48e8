/** Sends requests of operations: a sample of the contract, changed in what a test is about. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { sequenceKind } from '@specwright/contract/document';
import type { Json, SpecOperation } from './document.ts';
import { type Credentials, type SampleRequest, contentTypeOf, credentialsOf, encodeBody, sampleRequest } from './values/sample.ts';
import type { SentRequest } from './witnesses/second-judge.ts';
import type { HttpResponse, Witness } from './witnesses/witness.ts';

/** A request of an operation. What it leaves out is as in the sample of the contract. */
export interface Call {
  readonly path?: Readonly<Record<string, number | string>>;
  /** The whole query, as `a=1&b=2`. */
  readonly query?: string;
  /** Added to those of the sample. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Bytes in place of a body, with no media type but that in `headers`. */
  readonly raw?: string;
  /** Without credentials. */
  readonly anonymous?: boolean;
  /** Other credentials than those of the client, for an alternative of those that the operation asks for: by default the first. */
  readonly credentials?: Credentials;
  readonly alternative?: number;
  /** Which of the client's servers it is for: one in another condition. */
  readonly server?: string;
  /** What the message of the error has to contain. */
  readonly message?: string;
  /** Headers with which what it has written is read, made of its response: of an operation that makes the credentials for it. */
  readonly readWith?: (body: unknown) => Readonly<Record<string, string>>;
  /** Why it cannot be sent through a proxy. */
  readonly notThroughProxy?: string;
  /** Why the contract alone does not say whether it is valid, so that the second judge is not asked. */
  readonly notJudged?: string;
}

export interface OperationClient {
  /** @param method another one than that of the operation. */
  readonly send: (operationId: string, call?: Call, method?: string) => Promise<HttpResponse>;
  /** The sample that calls of the operation are based on. */
  readonly sample: (operationId: string) => Promise<SampleRequest>;
}

export interface OperationClientOptions {
  readonly spec: Witness;
  /** Base URLs; a call that names no server goes to the first one. */
  readonly servers: Readonly<Record<string, string>>;
  readonly credentials?: Credentials;
}

export function createOperationClient({ spec, servers, credentials = sampleCredentials }: OperationClientOptions): OperationClient {
  const samples = new Map<string, Promise<SampleRequest>>();
  const sample = (id: string): Promise<SampleRequest> => {
    const made = samples.get(id) ?? sampleRequest(spec.document, spec.operation(id));
    samples.set(id, made);
    return made;
  };
  return {
    sample,
    async send(id, call = {}, method) {
      const operation = spec.operation(id);
      const name = call.server ?? Object.keys(servers)[0] ?? '';
      const base = servers[name];
      if (base === undefined) throw new Error(`there is no server ${name}`);
      const request = { method: method ?? operation.method, ...requestOf(spec.document, operation, await sample(id), call, credentials) };
      const { target, body, ...options } = request;
      const isFetched = body === undefined || !['GET', 'HEAD'].includes(options.method);
      const response = isFetched
        ? await fetch(base + target, { ...options, ...(body && { body }), redirect: 'manual' })
        : await sendBodyOfGet(base + target, options, body);
      return { status: response.status, headers: response.headers, text: await readBody(response), request };
    },
  };
}

/** A contract may ask for a body where `fetch` sends none (RFC 9110, section 9.3.1: it has no defined semantics). */
async function sendBodyOfGet(url: string, { method, headers }: Pick<SentRequest, 'method' | 'headers'>, bytes: Buffer): Promise<Response> {
  const sent = httpRequest(url, { method, headers: { ...Object.fromEntries(headers), 'Content-Length': bytes.length } }).end(bytes);
  const [received] = (await once(sent, 'response')) as [IncomingMessage];
  const fields = Object.entries(received.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const chunks = (await received.toArray()) as Buffer[];
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status: received.statusCode ?? 0, headers: fields });
}

/** Credentials of the right form, which are nobody's. */
const sampleCredentials: Credentials = (_, scheme) => (scheme.type === 'http' && scheme.scheme === 'basic' ? 'name:password' : 'sample');

function requestOf(
  document: Json,
  operation: SpecOperation,
  sample: SampleRequest,
  call: Call,
  credentials: Credentials,
): Omit<SentRequest, 'method'> {
  const own = call.anonymous ? { query: [], headers: {} } : credentialsOf(operation, call.credentials ?? credentials, call.alternative);
  // A fragment is not sent unless its `#` is encoded.
  const path = operation.path
    .replaceAll('#', '%23')
    .replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(call.path?.[name] ?? sample.path[name] ?? 'x')));
  const credentialPairs = new URLSearchParams(own.query.map(([name, value]): [string, string] => [name, value])).toString();
  const query = [call.query ?? sample.query.join('&'), credentialPairs].filter((pairs) => pairs !== '').join('&');
  const headers = new Headers({ ...sample.headers, ...own.headers });
  const cookies = [sample.headers['Cookie'], own.headers['Cookie']].filter((cookie) => cookie !== undefined);
  if (cookies.length > 0) headers.set('Cookie', cookies.join('; '));
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
  const target = query === '' ? path : `${path}?${query}`;
  if (call.raw !== undefined) return { target, headers, body: call.raw === '' ? undefined : Buffer.from(call.raw) };
  const body = 'body' in call ? call.body : sample.body;
  if (body === undefined) return { target, headers, body: undefined };
  const type = headers.get('content-type') ?? sample.type ?? 'application/json';
  headers.set('content-type', contentTypeOf(type));
  return { target, headers, body: encodeBody(document, type, body, operation.body?.content[type]) };
}

/** How long a sequence is read, in ms, unless it ends before. */
const SEQUENCE_TIMEOUT_MS = 1000;

export async function readBody(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (sequenceKind(type) === undefined || response.body === null) return response.text();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  // To cancel ends a read that waits.
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), SEQUENCE_TIMEOUT_MS);
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value, { stream: true });
  } finally {
    clearTimeout(timer);
  }
  return wholeItems(text, type);
}

/** Without an item that has not come to its end. */
function wholeItems(text: string, type: string): string {
  const end = sequenceKind(type) === 'events' ? '\n\n' : '\n';
  const last = text.lastIndexOf(end);
  return last === -1 ? '' : text.slice(0, last + end.length);
}
