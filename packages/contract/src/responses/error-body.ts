/** Makes the bodies of errors as the contract declares them: the message gets into whatever schema a response has. */
import type { DocumentModules } from '../document-modules.ts';
import { bodyKind, isJson } from '../http/media-types.ts';
import { createShapes, WHOLE, whole, type ShapeOf } from './error-shape.ts';
import type { ErrorParts, Made, Shape } from './error-values.ts';
import { remember } from '../remember.ts';
import { isObject, listOperations, resolve, type Document, type OperationObject, type Response } from '../document/openapi.ts';

export interface ErrorBody {
  readonly type: string;
  /** @param now called if the body has the time in it: the next error with the same parts has another body. */
  readonly make: (error: ErrorParts, now?: () => Date) => unknown;
  /** Whether the contract has a place for the message. If it has none, `make` adds `code`, `message` and `status`. */
  readonly hasMessage: boolean;
}

/** The body of an error with this status, for requests with and without a matching operation. */
export type ErrorBodyOf = (operation: OperationObject | undefined, status: number) => ErrorBody;

/** Bodies are made when they are first needed. What an operation does not declare has the most usual error body of the document. */
export function createErrorBodies(document: Document, modules: Pick<DocumentModules, 'branches'>): ErrorBodyOf {
  const shapeOf = createShapes(document, modules);
  const bodyOfResponse = remember((response: Response) => errorBodyOf(response, shapeOf));
  const bodyOf = (reference: OperationObject['responses'][string]) => bodyOfResponse(resolve<Response>(document, reference));
  let usual: ErrorBody | undefined;
  const find = (operation: OperationObject | undefined, status: number): ErrorBody => {
    const { responses = {} } = operation ?? {};
    const declared = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
    return (declared && bodyOf(declared)) ?? (usual ??= mostUsual(document, bodyOf));
  };
  const ofOperation = remember((operation: OperationObject | undefined) => remember((status: number) => find(operation, status)));
  return (operation, status) => ofOperation(operation)(status);
}

function mostUsual(document: Document, bodyOf: (response: OperationObject['responses'][string]) => ErrorBody | undefined): ErrorBody {
  const counts = new Map<string, { body: ErrorBody; count: number }>();
  for (const { operation } of listOperations(document))
    for (const [status, reference] of Object.entries(operation.responses)) {
      const body = /^([45]|default)/.test(status) ? bodyOf(reference) : undefined;
      if (!body?.hasMessage || !isJson(body.type)) continue;
      const key = `${body.type} ${JSON.stringify(body.make({ code: 'code', message: 'message', status: 500 }))}`;
      counts.set(key, { body, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  const [first] = [...counts.values()].sort((a, b) => b.count - a.count);
  return first?.body ?? { type: 'application/json', make: whole, hasMessage: true };
}

/** @returns `undefined` for a response without a body of JSON or plain text. */
function errorBodyOf({ content = {} }: Response, shapeOf: ShapeOf): ErrorBody | undefined {
  const types = Object.keys(content);
  const type = types.find(isJson) ?? types.find((name) => bodyKind(name) === 'json');
  if (type === undefined) {
    const text = types.find((name) => /^text\/(plain|\*)\s*(;|$)/i.test(name));
    return text === undefined ? undefined : { type: text, make: ({ message }) => message, hasMessage: true };
  }
  const { schema } = content[type] ?? {};
  const { rank, make, names = [] } = schema === undefined ? WHOLE : (shapeOf(schema) ?? NOTHING);
  // A property whose name says nothing is no place; what is a text or a list of texts as a whole is one.
  const hasMessage = rank > 1 || (rank === 1 && !isObject(make(EMPTY))) || make === whole;
  const hasFragments = /^application\/problem\+json\b/i.test(type);
  const write: ErrorBody['make'] = (error, now = systemTime) => make({ ...error, hasFragments, now });
  return { type, make: hasMessage ? write : (error, now) => withWhole(error, write(error, now) as object, names), hasMessage };
}

/** Code, message and status beside what the contract has a place for. A property that it declares has only the values that it allows. */
const withWhole = (error: ErrorParts, written: object, names: readonly string[]): object => ({
  ...Object.fromEntries(Object.entries(whole(error)).filter(([name]) => name in written || !names.includes(name))),
  ...written,
});

const systemTime = () => new Date();
const EMPTY: Made = { code: '', message: '', status: 0, now: systemTime };
const NOTHING: Shape = { rank: 0, make: () => ({}) };
