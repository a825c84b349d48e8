/** Answers a request from the contract alone: the response that the client prefers, from its examples or generated. */
import type { MockRequest, MockResponse } from '@specwright/server';
import type { Document, DocumentOperation } from '@specwright/contract/document';
import { isPlainObject } from './plain-object.ts';
import { seedOf } from '../testing/contract/values/seeded-values.ts';
import type { Json } from '../testing/contract/document.ts';
import { chooseMedia } from './choose-media.ts';
import { declaredResponses, responseFor, successStatus, type DeclaredResponse } from './declared-responses.ts';
import { mockBody } from './mock-body.ts';
import { mockHeaders } from './mock-headers.ts';
import type { MockValues } from './mock-values.ts';
import { PreferError, type Preferences } from './prefer.ts';

export interface AnswerOptions extends Pick<Preferences, 'code' | 'example' | 'dynamic'> {
  /** What is known of the value, in the place of examples. */
  readonly given?: unknown;
  /** What is known of headers, by lower-case name. */
  readonly headers?: ReadonlyMap<string, string>;
}

export interface ContractAnswers {
  readonly operation: DocumentOperation;
  readonly responses: readonly DeclaredResponse[];
  /** @throws PreferError if there is no such response or example: it lists those that there are; or if the example is not valid. */
  readonly answer: (request: MockRequest, options?: AnswerOptions) => Exclude<MockResponse, { refusal: object }>;
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
      if (response === undefined) {
        const there = responses.map(({ key }) => key).join(', ') || 'none';
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
function echoOf({ operation, input: { path, body } }: MockRequest): unknown {
  const name = /\{([^/{}]+)\}$/.exec(operation.path)?.[1];
  const id = name === undefined || path[name] === undefined ? {} : { id: path[name], [name]: path[name] };
  return { ...id, ...(isPlainObject(body) && body) };
}

/** The input as a text: of a body that is read as it arrives, that there is one. */
function describeInput({ input: { path, query, body } }: MockRequest): string {
  const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  return JSON.stringify([path, query, isStream ? 'stream' : body], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}
