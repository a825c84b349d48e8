/** The arguments of a tool: one flat object of the parameters of its operation and its `body`, and the request that they mean. */
import { randomUUID } from 'node:crypto';
import {
  type Document,
  type DocumentOperation,
  type Parameter,
  type RequestBody,
  type Schema,
  type EncodedField,
  acceptsIdempotencyKey,
  type DeclaredQuery,
  declaredQueryOf,
  encodeQuery,
  isSafe,
  encodePairs,
  encodeText,
  jsonContentOf,
  parametersOf,
  resolve,
  sentMethod,
  typeOf,
} from '@specwright/contract/document';
import type { OperationRequest } from '../tools/tool-server.ts';
import { ToolSchemas } from './tool-schema.ts';

/** Arguments that mean no request; the message is for the model. */
export class ArgumentError extends Error {}

export interface ToolArguments {
  /** JSON Schema of the arguments, an object. */
  readonly schema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /** @throws ArgumentError */
  readonly toRequest: (values: Readonly<Record<string, unknown>>) => OperationRequest;
  /** The argument that a part of a query is, with its value; `undefined` for what is none. */
  readonly ofQuery: (name: string, text: string) => readonly [argument: string, value: unknown] | undefined;
}

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const BODY = 'body';
/** The argument of a query that is one value (`in: querystring`). */
const QUERY = 'query';
/** A tool has no copy of what it has read. */
const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-range', 'range'];
const KEY_DESCRIPTION =
  'Leave it out, unless a call failed without an answer and is repeated: then give the key that its error names, so that nothing is done twice.';

export function createArguments(document: Document, operation: DocumentOperation): ToolArguments {
  const schemas = new ToolSchemas(document, 'request');
  const parameters = parametersOf(document, operation).filter((parameter) => isArgument(parameter, operation.method));
  const hasKey = acceptsIdempotencyKey(document, operation);
  const isKey = ({ name, in: location }: Parameter) =>
    hasKey && location === 'header' && name.toLowerCase() === IDEMPOTENCY_KEY.toLowerCase();
  const body = operation.operation.requestBody && resolve<RequestBody>(document, operation.operation.requestBody);
  const json = jsonContentOf(body?.content);

  const wholeQuery = declaredQueryOf(document, operation);

  const byArgument = new Map<string, Parameter>();
  const properties = new Map<string, object>();
  const required: string[] = [];
  const reserved = [...(body === undefined ? [] : [BODY]), ...(wholeQuery === undefined ? [] : [QUERY])];
  for (const parameter of parameters) {
    const argument = argumentName(parameter, (name) => byArgument.has(name) || reserved.includes(name));
    byArgument.set(argument, parameter);
    properties.set(argument, propertyOf(parameter, schemas, isKey(parameter) ? KEY_DESCRIPTION : parameter.description));
    if (parameter.required === true && !isKey(parameter)) required.push(argument);
  }
  if (wholeQuery !== undefined) {
    properties.set(QUERY, schemas.write(wholeQuery.media.schema ?? {}));
    if (wholeQuery.required) required.push(QUERY);
  }
  if (json !== undefined) properties.set(BODY, schemas.write(json[1].schema ?? {}, true));
  if (body?.required === true) required.push(BODY);

  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...schemas.definitions,
    },
    toRequest: createToRequest(operation, { byArgument, names: [...properties.keys()], isKey, wholeQuery, json: json?.[0] }),
    ofQuery(name, text) {
      const found = [...byArgument].find(([, one]) => one.in === 'query' && one.name === name);
      return found && [found[0], valueOfText(document, found[1], text)];
    },
  };
}

const isArgument = ({ name, in: location }: Parameter, method: string): boolean =>
  location !== 'cookie' && !(isSafe(method) && location === 'header' && CONDITIONS.includes(name.toLowerCase()));

function propertyOf({ schema, content }: Parameter, schemas: ToolSchemas, description: string | undefined): object {
  const written = schemas.write(schema ?? jsonContentOf(content)?.[1].schema ?? {});
  return { ...written, ...(description !== undefined && { description: description.trim() }) };
}

/** Numbers and booleans are read as JSON. */
const valueOfText = (document: Document, { schema = {} }: Parameter, text: string): unknown =>
  ['integer', 'number', 'boolean'].includes(typeOf(resolve<Schema>(document, schema)) ?? '') ? JSON.parse(text) : text;

interface DeclaredArguments {
  readonly byArgument: ReadonlyMap<string, Parameter>;
  readonly names: readonly string[];
  readonly isKey: (parameter: Parameter) => boolean;
  readonly wholeQuery: DeclaredQuery | undefined;
  readonly json: string | undefined;
}

function createToRequest(
  { id, method, path }: DocumentOperation,
  { byArgument, names, isKey, wholeQuery, json }: DeclaredArguments,
): ToolArguments['toRequest'] {
  return (values) => {
    // Only its own properties: an argument may be called `constructor`.
    const given = new Map(Object.entries(values));
    const unknown = [...given.keys()].filter((name) => !names.includes(name));
    if (unknown.length > 0)
      throw new ArgumentError(`there is no argument ${unknown.join(', ')}: the tool has ${names.join(', ') || 'none'}`);
    for (const [name, value] of given) assertExact(name, value);
    const segments = new Map<string, string>();
    const pairs: string[] = [];
    const headers: Record<string, string> = { Accept: 'application/json, text/*;q=0.5' };
    for (const [argument, parameter] of byArgument) {
      const value = given.get(argument) ?? (isKey(parameter) ? randomUUID() : undefined);
      if (value === undefined) {
        if (parameter.in === 'path') throw new ArgumentError(`the argument ${argument} is required`);
      } else if (parameter.in === 'query') pairs.push(...written(argument, parameter, (field) => encodePairs(field, value)));
      else {
        const text = written(argument, parameter, (field) => encodeText(field, value));
        if (parameter.in === 'path') segments.set(parameter.name, text);
        else headers[parameter.name] = text;
      }
    }
    if (wholeQuery !== undefined && given.get(QUERY) !== undefined) pairs.push(writtenQuery(wholeQuery, given.get(QUERY)));
    const body = json === undefined ? undefined : JSON.stringify(given.get(BODY));
    if (body !== undefined && json !== undefined) headers['Content-Type'] = json.includes('*') ? 'application/json' : json;
    return { operationId: id, method: sentMethod(method), target: targetOf(path, segments, pairs), headers, body };
  };
}

/** The message was parsed before: an integer that a number cannot hold is another one by now. @throws ArgumentError */
function assertExact(argument: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) assertExact(argument, part);
  // Larger ones are no integers of a contract, but numbers such as 1e30.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) <= 2 ** 64)
    throw new ArgumentError(`the argument ${argument} has an integer beyond ${Number.MAX_SAFE_INTEGER}, which may have been rounded`);
}

/** @param segments of the path, by their parameters. @param pairs of the query, behind those that the path has. */
function targetOf(path: string, segments: ReadonlyMap<string, string>, pairs: readonly string[]): string {
  const [plain = '', fixed] = (path.split('#')[0] ?? '').split('?');
  const filled = plain.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => segments.get(name) ?? '');
  const query = [...(fixed === undefined ? [] : [fixed]), ...pairs].join('&');
  return query === '' ? filled : `${filled}?${query}`;
}

/** As the contract spells it, with what model providers accept in the name of a property. */
function argumentName({ name, in: location }: Parameter, isTaken: (name: string) => boolean): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64);
  if (!isTaken(plain)) return plain;
  const longer = `${location}_${plain.slice(0, 48)}`;
  let argument = longer;
  for (let i = 2; isTaken(argument); i++) argument = `${longer}_${i}`;
  return argument;
}

/** As the codec of parameters writes it; its errors name the argument. */
function written<T>(argument: string, { name, in: location, style, explode, content }: Parameter, encode: (field: EncodedField) => T): T {
  try {
    return encode({ name, in: location, style: content === undefined ? style : 'json', explode });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ArgumentError(error.message.replace(`${location}/${name}`, () => `the argument ${argument}`));
  }
}

function writtenQuery(query: DeclaredQuery, value: unknown): string {
  try {
    return encodeQuery(query, value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ArgumentError(`the argument ${QUERY}: ${error.message}`);
  }
}
