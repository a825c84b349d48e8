/** The mock of a contract as request handlers of MSW 2, for the tests of a front end: the entry `specwright/msw`. */
import { stringifyJson } from '@specwright/contract';
import { bodyKind, listOperations, readDocument, sequenceKind } from '@specwright/contract/document';
import type { MockResponse } from '@specwright/server';
import { textOf } from '../testing/contract/values/compare-values.ts';
import { type ContractAnswers, contractAnswers } from './answer-from-contract.ts';
import { eventText } from './mock-body.ts';
import { createMockValues, type MockValues } from './mock-values.ts';
import { comparePaths, pathMatcher } from './path-expression.ts';

/** `http` of MSW, as far as it is used. */
export type MswHttp<Handler> = Readonly<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options', (path: RegExp, resolve: Resolve) => Handler>
>;

/** Resolves to nothing for what another handler may answer. */
type Resolve = (info: { readonly request: Request }) => Promise<Response | undefined>;

export interface MswOptions {
  /** The document, or a file that was generated of it: `generated/document.json`. */
  readonly spec: string;
  /** That of the client. */
  readonly baseUrl: string;
}

interface AnyReply {
  readonly status: number;
  readonly body: unknown;
}

/** What is answered in the place of an example. */
export interface MswReply<Body> {
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** The example with this name. */
  readonly example?: string;
}

export interface MswHandlers<Results, Handler> {
  /** One for each operation, which answers with its success: for `setupServer(...handlers)`. Concrete paths come before templates. */
  readonly handlers: Handler[];
  /** A handler that answers an operation with a declared status: for `server.use(reply('getPet', 404))`. @throws Error for an operation that is not declared */
  readonly reply: <Op extends keyof Results & string, Status extends (Results[Op] & AnyReply)['status']>(
    operation: Op,
    status: Status,
    given?: MswReply<Extract<Results[Op], { readonly status: Status }> extends { readonly body: infer Body } ? Body : never>,
  ) => Handler;
}

/**
 * `createMswHandlers<Results, RequestHandler>(http, { spec, baseUrl })`, with `Results` of the generated client, and `http` and `RequestHandler` of MSW.
 *
 * @throws Error if the document cannot be read
 */
export function createMswHandlers<Results, Handler>(http: MswHttp<Handler>, { spec, baseUrl }: MswOptions): MswHandlers<Results, Handler> {
  const { document } = readDocument(spec, { allowOutside: true });
  const values = createMockValues(document);
  const answers = new Map(
    listOperations(document)
      .filter(({ method }) => method in http)
      .sort((a, b) => comparePaths(a.path, b.path))
      .map((operation) => [operation.id, contractAnswers({ document, values, hasLimits: false }, operation)]),
  );
  const handle = (id: string, code?: number, { body, headers, example }: MswReply<unknown> = {}): Handler => {
    const found = answers.get(id);
    if (found === undefined) throw new Error(`${spec} has no operation ${id} that MSW can answer`);
    const { method, path } = found.operation;
    const { expression, match } = pathMatcher(baseUrl, path);
    return http[method as keyof MswHttp<Handler>](expression, async ({ request }) => {
      const parameters = match(request.url);
      if (parameters === undefined) return undefined;
      const input = {
        path: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, numberOf(value)])),
        query: Object.fromEntries(new URL(request.url).searchParams),
        body: await request.json().then(
          (value: unknown) => value,
          () => undefined,
        ),
      };
      const accept = request.headers.get('Accept') ?? undefined;
      const answer = found.answer({ operation: { path }, input, headers: { accept } }, { code, example });
      return responseOf(body === undefined ? answer : withBody(answer, body), { ...missingHeaders(found, answer, values), ...headers });
    });
  };
  return { handlers: [...answers.keys()].map((id) => handle(id)), reply: handle };
}

/** Parameters are texts. */
const numberOf = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);

type Answer = Exclude<MockResponse, { refusal: object }>;

/** With a body in the place of the one that it has, whichever form that has; what can be iterated has the items of a sequence. */
function withBody({ status, headers, type }: Answer, body: unknown): Answer {
  const isItems = sequenceKind(type ?? '') !== undefined && isIterable(body);
  return { status, headers, type, ...(isItems ? { items: body } : { body }) } as Answer;
}

const isIterable = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (Symbol.asyncIterator in body || Symbol.iterator in body) &&
  !(body instanceof Uint8Array || body instanceof ReadableStream);

/** Required headers that the pipeline of a server writes. */
function missingHeaders(
  { responses, operation }: ContractAnswers,
  { status, headers = {} }: Answer,
  values: MockValues,
): Record<string, string> {
  const declared = responses.find(({ key }) => key === String(status))?.headers ?? [];
  const missing = declared.filter(({ name, required }) => required && !(name in headers));
  return Object.fromEntries(
    missing.map(({ name, schema }) => [name, schema === undefined ? operation.id : textOf(values.valueOf(schema, { seed: 1 }))]),
  );
}

async function responseOf({ status, headers, type, body, items, stream }: Answer, more: Record<string, string>): Promise<Response> {
  const all = new Headers({ ...(type !== undefined && { 'Content-Type': type }), ...(headers as Record<string, string> | undefined) });
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return new Response(await contentOf(all.get('Content-Type') ?? ''), { status, headers: all });

  async function contentOf(sent: string): Promise<string | Blob | ReadableStream | Uint8Array<ArrayBuffer> | null> {
    if (items !== undefined) {
      const texts: string[] = [];
      for await (const item of items) texts.push(itemText(item));
      return texts.join('');
    }
    if (stream !== undefined) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of typeof stream === 'function' ? await stream() : stream) chunks.push(Buffer.from(chunk));
      return new Uint8Array(Buffer.concat(chunks));
    }
    if (body === undefined) return null;
    if (body instanceof Uint8Array) return new Uint8Array(body);
    if (body instanceof Blob || body instanceof ReadableStream) return body;
    const isText = typeof body === 'string' && sent !== '' && bodyKind(sent) !== 'json';
    return isText ? body : (stringifyJson(body) ?? null);
  }

  function itemText(item: unknown): string {
    const kind = sequenceKind(type ?? '');
    if (kind === 'events') return eventText(item);
    return `${kind === 'records' ? '\u001e' : ''}${stringifyJson(item)}\n`;
  }
}
