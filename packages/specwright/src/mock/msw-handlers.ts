/** The mock of a contract as request handlers of MSW 2, for the tests of a front end: the entry `specwright/msw`. */
import { listOperations, readDocument, sequenceKind } from '@specwright/contract/document';
import type { MockResponse } from '@specwright/server';
import { textOf } from '../testing/contract/values/compare-values.ts';
import { type ContractAnswers, contractAnswers } from './answer-from-contract.ts';
import { eventText } from './mock-body.ts';
import { createMockValues, type MockValues } from './mock-values.ts';

/** `http` of MSW, as far as it is used. */
export type MswHttp<Handler> = Readonly<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options', (path: string, resolve: Resolve) => Handler>
>;

type Resolve = (info: { readonly request: Request; readonly params: Readonly<Record<string, unknown>> }) => Promise<Response>;

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
  /** One for each operation, which answers with its success: for `setupServer(...handlers)`. */
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
      .map((operation) => [operation.id, contractAnswers({ document, values, hasLimits: false }, operation)]),
  );
  const base = baseUrl.replace(/\/$/, '');
  const handle = (id: string, code?: number, { body, headers, example }: MswReply<unknown> = {}): Handler => {
    const found = answers.get(id);
    if (found === undefined) throw new Error(`${spec} has no operation ${id} that MSW can answer`);
    const { method, path } = found.operation;
    const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    const template = names.reduce((text, name, i) => text.replace(`{${name}}`, `:p${i}`), path);
    return http[method as keyof MswHttp<Handler>](base + template, async ({ request, params }) => {
      const input = {
        path: Object.fromEntries(names.map((name, i) => [name, numberOf(String(params[`p${i}`]))])),
        query: Object.fromEntries(new URL(request.url).searchParams),
        body: await request.json().then(
          (value: unknown) => value,
          () => undefined,
        ),
      };
      const accept = request.headers.get('Accept') ?? undefined;
      const answer = found.answer({ operation: { path }, input, headers: { accept } }, { code, example });
      return responseOf(body === undefined ? answer : { ...answer, body }, { ...missingHeaders(found, answer, values), ...headers });
    });
  };
  return { handlers: [...answers.keys()].map((id) => handle(id)), reply: handle };
}

/** Parameters are texts. */
const numberOf = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);

type Answer = Exclude<MockResponse, { refusal: object }>;

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
  const all = { ...(type !== undefined && { 'Content-Type': type }), ...(headers as Record<string, string> | undefined), ...more };
  return new Response(await contentOf(), { status, headers: all });

  async function contentOf(): Promise<string | Uint8Array<ArrayBuffer> | null> {
    if (items !== undefined) {
      const isEvents = sequenceKind(type ?? '') === 'events';
      return (items as unknown[]).map((item) => (isEvents ? eventText(item) : `${JSON.stringify(item)}\n`)).join('');
    }
    if (stream !== undefined) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of typeof stream === 'function' ? await stream() : stream) chunks.push(Buffer.from(chunk));
      return new Uint8Array(Buffer.concat(chunks));
    }
    if (body === undefined) return null;
    return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
  }
}
