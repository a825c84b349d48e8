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
  const { method, path } = operation;
  const schemas = new ToolSchemas(document, 'request');
  const parameters = parametersOf(document, operation).filter(
    ({ name, in: location }) =>
      location !== 'cookie' && !(isSafe(method) && location === 'header' && CONDITIONS.includes(name.toLowerCase())),
  );
  const hasKey = acceptsIdempotencyKey(document, operation);
  const isKey = ({ name, in: location }: Parameter) =>
    hasKey && location === 'header' && name.toLowerCase() === IDEMPOTENCY_KEY.toLowerCase();
  const body = operation.operation.requestBody && resolve<RequestBody>(document, operation.operation.requestBody);
  const json = jsonContentOf(body?.content);

  const wholeQuery = declaredQueryOf(document, operation);

  const byArgument = new Map<string, Parameter>();
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const parameter of parameters) {
    const argument = argumentName(
      parameter,
      (name) => byArgument.has(name) || (name === BODY && body !== undefined) || (name === QUERY && wholeQuery !== undefined),
    );
    byArgument.set(argument, parameter);
    const schema = parameter.schema ?? jsonContentOf(parameter.content)?.[1].schema ?? {};
    const description = isKey(parameter) ? KEY_DESCRIPTION : parameter.description;
    properties[argument] = { ...schemas.write(schema), ...(description !== undefined && { description: description.trim() }) };
    if (parameter.required === true && !isKey(parameter)) required.push(argument);
  }
  if (wholeQuery !== undefined) {
    properties[QUERY] = schemas.write(wholeQuery.media.schema ?? {});
    if (wholeQuery.required) required.push(QUERY);
  }
  if (json !== undefined) properties[BODY] = schemas.write(json[1].schema ?? {}, true);
  if (body?.required === true) required.push(BODY);

  const toRequest: ToolArguments['toRequest'] = (values) => {
    const unknown = Object.keys(values).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length > 0)
      throw new ArgumentError(`there is no argument ${unknown.join(', ')}: the tool has ${Object.keys(properties).join(', ') || 'none'}`);
    const segments = new Map<string, string>();
    const pairs: string[] = [];
    const headers: Record<string, string> = { Accept: 'application/json, text/*;q=0.5' };
    for (const [argument, parameter] of byArgument) {
      const value = values[argument] ?? (isKey(parameter) ? randomUUID() : undefined);
      if (value === undefined) {
        if (parameter.in === 'path') throw new ArgumentError(`the argument ${argument} is required`);
      } else if (parameter.in === 'query') pairs.push(...written(argument, parameter, (field) => encodePairs(field, value)));
      else {
        const text = written(argument, parameter, (field) => encodeText(field, value));
        if (parameter.in === 'path') segments.set(parameter.name, text);
        else headers[parameter.name] = text;
      }
    }
    if (wholeQuery !== undefined && values[QUERY] !== undefined) pairs.push(writtenQuery(wholeQuery, values[QUERY]));
    const sent = values[BODY];
    const hasBody = json !== undefined && sent !== undefined;
    if (hasBody) headers['Content-Type'] = json[0].includes('*') ? 'application/json' : json[0];
    const [plain = '', fixed] = (path.split('#')[0] ?? '').split('?');
    const filled = plain.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => segments.get(name) ?? '');
    const query = [...(fixed === undefined ? [] : [fixed]), ...pairs].join('&');
    const target = query === '' ? filled : `${filled}?${query}`;
    return { method: sentMethod(method), target, headers, body: hasBody ? JSON.stringify(sent) : undefined };
  };
  return {
    schema: {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...schemas.definitions,
    },
    toRequest,
    ofQuery(name, text) {
      const [argument, parameter] = [...byArgument].find(([, one]) => one.in === 'query' && one.name === name) ?? [];
      if (argument === undefined) return undefined;
      const type = typeOf(resolve<Schema>(document, parameter?.schema ?? {}));
      return [argument, ['integer', 'number', 'boolean'].includes(type ?? '') ? (JSON.parse(text) as unknown) : text];
    },
  };
}

/** As the contract spells it, with what model providers accept in the name of a property. */
function argumentName({ name, in: location }: Parameter, isTaken: (name: string) => boolean): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64);
  return isTaken(plain) ? `${location}_${plain}` : plain;
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
