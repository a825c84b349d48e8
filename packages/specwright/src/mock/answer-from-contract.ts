/** Answers a request from the contract alone: the response that the client prefers, from its examples or generated. */
import { type Document, type DocumentOperation, bodyKind, examplesOf } from '@specwright/contract/document';
import type { MockRequest, MockResponse } from '@specwright/server';
import type { Json } from '../testing/contract/document.ts';
import { NoValueError } from '../testing/contract/values/build-options.ts';
import { seedOf } from '../testing/contract/values/leaf-values.ts';
import { textOf } from '../testing/contract/values/compare-values.ts';
import { exampleValues } from '../testing/contract/values/build-value.ts';
import {
  type DeclaredHeader,
  type DeclaredMedia,
  type DeclaredResponse,
  PreferError,
  type Preferences,
  declaredResponses,
  mockBody,
  responseFor,
  successStatus,
} from './mock-body.ts';
import { type MockValues, isPlainObject } from './mock-values.ts';

interface AnswerOptions extends Pick<Preferences, 'code' | 'example' | 'dynamic'> {
  /** What is known of the value, in the place of examples. */
  readonly given?: unknown;
  /** What is known of headers, by lower-case name. */
  readonly headers?: ReadonlyMap<string, string>;
}

/** What an answer depends on. */
interface AnsweredRequest {
  readonly operation: { readonly path: string; readonly deprecation?: MockRequest['operation']['deprecation'] };
  readonly input: Pick<MockRequest['input'], 'path' | 'query' | 'body'>;
  readonly headers: { readonly accept?: string | undefined };
}

export interface ContractAnswers {
  readonly operation: DocumentOperation;
  readonly responses: readonly DeclaredResponse[];
  /** @throws PreferError if there is no such response or example: it lists those that there are; or if the example is not valid. */
  readonly answer: (request: AnsweredRequest, options?: AnswerOptions) => Exclude<MockResponse, { refusal: object }>;
}

export interface AnswerParts {
  readonly document: Document;
  readonly values: MockValues;
  readonly hasLimits: boolean;
}

const NO_BODY = new Set([204, 205, 304]);

export function contractAnswers({ document, values, hasLimits }: AnswerParts, operation: DocumentOperation): ContractAnswers {
  const responses = declaredResponses(document, operation);
  const json = document as unknown as Json;

  return {
    operation,
    responses,
    answer(request, { code, example, dynamic = false, given, headers = new Map() } = {}) {
      const status = code ?? successStatus(responses);
      const response = responseFor(responses, status);
      if (responses.length === 0)
        throw new NoValueError(`${operation.id} declares no response: write what it answers with under \`responses\``);
      if (response === undefined) {
        const there = responses.map(({ key }) => key).join(', ');
        throw new PreferError(`header/Prefer: ${operation.id} declares no response ${status}; it declares ${there}`);
      }
      const media = chooseMedia(withExample(response, example, operation.id, status), request.headers.accept);
      const seed = seedOf(`${operation.id} ${status} ${describeInput(request)}`);
      const shared = { values, document: json, seed };
      const hasSuccessor = typeof request.operation.deprecation?.successor === 'string';
      const fields = mockHeaders(response.headers, { ...shared, hasLimits, hasSuccessor, given: headers });
      if (media === undefined || NO_BODY.has(status)) return { status, headers: fields };
      const isDownload = status === 200 && operation.method === 'get';
      const echo = status < 400 ? echoOf(request) : undefined;
      const body = mockBody(media, { ...shared, given, echo, example, ignoreExamples: dynamic, isDownload });
      return { status, headers: fields, ...body, type: media.type };
    },
  };
}

/** The media types of a response: those with the example, if one is asked for. @throws PreferError if none has it. */
function withExample({ content }: DeclaredResponse, example: string | undefined, id: string, status: number): DeclaredResponse['content'] {
  if (example === undefined) return content;
  const found = content.filter(({ media }) => Object.hasOwn(media.examples ?? {}, example));
  if (found.length > 0) return found;
  const names = [...new Set(content.flatMap(({ media }) => Object.keys(media.examples ?? {})))];
  const there = names.length === 0 ? 'no named examples' : names.join(', ');
  throw new PreferError(`header/Prefer: the response ${status} of ${id} has no example ${example}; it has ${there}`);
}

/** What a generated value takes over from the request: the id that its path ends with, and the properties of its body. */
function echoOf({ operation, input: { path, body } }: AnsweredRequest): unknown {
  const name = /\{([^/{}]+)\}$/.exec(operation.path)?.[1];
  const id = name === undefined || path[name] === undefined ? {} : { id: path[name], [name]: path[name] };
  return { ...id, ...(isPlainObject(body) && body) };
}

/** The input as a text: of a body that is read as it arrives, that there is one. */
function describeInput({ input: { path, query, body } }: AnsweredRequest): string {
  const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  return JSON.stringify([path, query, isStream ? 'stream' : body], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** The one with the highest weight, JSON before others of the same; the first of all if none is accepted, as most servers do. */
function chooseMedia(content: readonly DeclaredMedia[], accept: string | undefined): DeclaredMedia | undefined {
  const byKind = [...content].sort((a, b) => Number(bodyKind(b.type) === 'json') - Number(bodyKind(a.type) === 'json'));
  if (accept === undefined) return byKind[0];
  const ranges = accept.split(',').map(readRange);
  const weightOf = ({ type }: DeclaredMedia): number => {
    const [essence = ''] = type.toLowerCase().split(';');
    const [main = ''] = essence.split('/');
    const found = [essence.trim(), `${main}/*`, '*/*'].map((name) => ranges.find(({ range }) => range === name));
    return found.find((one) => one !== undefined)?.weight ?? (essence.includes('*') ? 0.01 : 0);
  };
  const [best] = [...byKind].sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}

function readRange(text: string): { readonly range: string; readonly weight: number } {
  const [range = '', ...parameters] = text.toLowerCase().split(';');
  const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((found) => found !== undefined);
  return { range: range.trim(), weight: weight === undefined ? 1 : Number(weight) };
}

/** What the pipeline and Node write: of the body that is sent, of the connection, of the request. */
const WRITTEN = new Set([
  ...['x-request-id', 'x-content-type-options', 'cache-control', 'deprecation', 'sunset', 'x-stability', 'idempotent-replayed', 'x-mock'],
  ...['content-type', 'content-length', 'content-encoding', 'content-range', 'transfer-encoding', 'date', 'vary'],
  ...['connection', 'keep-alive', 'upgrade', 'trailer', 'te', 'access-control-allow-origin', 'access-control-expose-headers'],
]);
const RATE_LIMITS = new Set(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-policy']);
/** An example of these would be wrong of most responses: that there is a further page, a cookie that replaces the page's own. */
const ONLY_IF_REQUIRED = new Set(['link', 'set-cookie']);

interface HeaderOptions {
  readonly values: MockValues;
  readonly document: Json;
  readonly seed: number;
  readonly hasLimits: boolean;
  /** Whether the pipeline writes a `Link` to the operation's successor. */
  readonly hasSuccessor: boolean;
  /** What is known of some, by lower-case name. */
  readonly given: ReadonlyMap<string, string>;
}

function mockHeaders(declared: readonly DeclaredHeader[], options: HeaderOptions): Record<string, string> {
  const { values, document, seed, hasLimits, hasSuccessor, given } = options;
  const headers: Record<string, string> = {};
  for (const { name, required, media, schema } of declared) {
    const key = name.toLowerCase();
    if (WRITTEN.has(key) || (hasLimits && RATE_LIMITS.has(key))) continue;
    const known = given.get(key);
    const [part] = schema === undefined ? [] : values.view(schema).parts;
    const [example] = [...exampleValues(document, media), ...(part === undefined ? [] : examplesOf(part.value))];
    if (known !== undefined) headers[name] = known;
    else if (key === 'link' && hasSuccessor) continue;
    else if (!required && (example === undefined || ONLY_IF_REQUIRED.has(key))) continue;
    else if (example !== undefined) headers[name] = textOf(example);
    else if (schema !== undefined) headers[name] = textOf(values.valueOf(schema, { seed }));
    else headers[name] = 'mock';
  }
  return headers;
}
