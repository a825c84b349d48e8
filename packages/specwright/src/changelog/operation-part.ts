/** An operation as a part: its parameters, body, responses and callbacks as parts; who may call it, and for how long, as facts. */
import {
  DEFAULT_MAX_BODY_BYTES,
  type Document,
  type Header,
  METHODS,
  type MediaType,
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  bodyLimitOf,
  isObject,
  pointerKeys,
  pointerTo,
  resolveAt,
} from '@specwright/contract/document';
import type { Fact, Facts, Part, Segment } from './part.ts';
import { schemaPart } from './schema-part.ts';

/** An operation and where it is. `keys` are those of the path item and of the operation. */
export interface PlacedOperation {
  readonly path: string;
  readonly item: PathItem;
  readonly itemKeys: readonly string[];
  readonly operation: OperationObject;
  readonly keys: readonly string[];
  /** Whether clients send it. Webhooks and callbacks are sent to them. */
  readonly isIncoming: boolean;
}

export function operationPart(document: Document, placed: PlacedOperation, segment?: Segment): Part {
  const { operation, keys } = placed;
  const pointer = pointerTo(...keys);
  const parts = () =>
    new Map([
      ...parameterParts(document, placed),
      ...bodyParts(document, placed, pointer),
      ...responseParts(document, operation, pointer),
      ...callbackParts(document, operation, pointer),
    ]);
  return { ...part(pointer, parts, operationFacts(document, placed, pointer)), segment };
}

const LIFECYCLE = ['deprecated', 'x-deprecated-sunset', 'x-deprecated-successor'];

function operationFacts(document: Document, { operation, isIncoming }: PlacedOperation, pointer: string): Facts {
  const given = operation as unknown as Fields;
  const fact = (name: string, value: unknown, key = name) => [[name, { value, pointer: at(pointer, key) }] as const];
  return Object.fromEntries([
    ...fact('name of the function', operation.operationId, 'operationId'),
    ...fact('tags', ((given['tags'] as string[] | undefined) ?? []).toSorted()),
    ...LIFECYCLE.flatMap((name) => (given[name] ? fact(name, given[name]) : [])),
    ...fact('x-stability', given['x-stability'] ?? 'stable'),
    ...(given['servers'] === undefined ? [] : fact('servers', serverUrls(given['servers']))),
    ...(isIncoming ? [['security', securityFact(document, operation, pointer)] as const] : []),
    ...(isIncoming ? fact('x-rate-limit-cost', given['x-rate-limit-cost'] ?? 1) : []),
  ]);
}

export const serverUrls = (servers: unknown): string[] =>
  (Array.isArray(servers) ? servers : []).flatMap((server) => (isObject(server) ? [String(server['url'])] : [])).sort();

/** The alternatives, any one of which is sufficient (OpenAPI 3.0.3, section 4.7.10.1). */
function securityFact(document: Document, { security }: OperationObject, pointer: string): Fact {
  const list = security ?? document.security ?? [];
  const alternatives = list.map((requirement) => {
    const schemes = Object.entries(requirement).map(([name, scopes]) =>
      scopes.length > 0 ? `${name} (${scopes.toSorted().join(', ')})` : name,
    );
    return schemes.length === 0 ? 'no credentials' : schemes.sort().join(' and ');
  });
  const value = alternatives.length === 0 ? ['no credentials'] : [...new Set(alternatives)].sort();
  return { value, pointer: security === undefined ? pointerTo('security') : at(pointer, 'security') };
}

/** OpenAPI ignores header parameters of these names (3.0.3, section 4.7.12.1), and the response header Content-Type (4.7.17). */
const IGNORED = ['accept', 'content-type', 'authorization'];

function parameterParts(document: Document, { path, item, itemKeys, operation, keys }: PlacedOperation): Map<string, Part> {
  const lists = [[item.parameters, itemKeys] as const, [operation.parameters, keys] as const];
  const placeholders = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    lists.flatMap(([parameters = [], parent]) =>
      parameters.flatMap((reference, i): [string, Part][] => {
        const { value, pointer } = resolveAt<Parameter>(document, reference, pointerTo(...parent, 'parameters', i));
        const { name, in: location } = value;
        if (location === 'header' && IGNORED.includes(name.toLowerCase())) return [];
        // A path parameter is where it is, whatever it is called.
        const key = location === 'path' ? `#${placeholders.indexOf(name)}` : location === 'header' ? name.toLowerCase() : name;
        const form = location === 'query' || location === 'cookie';
        const style = value.style ?? (form ? 'form' : 'simple');
        const facts = {
          ...factsOf(value, pointer, { required: false, deprecated: false, allowReserved: false, allowEmptyValue: false }),
          ...factsOf({ style, explode: value.explode ?? style === 'form' }, pointer, { style: '', explode: false }),
          ...(location === 'path' ? factsOf(value, pointer, { name: '' }) : {}),
        };
        return [
          [`${location} ${key}`, part(pointer, () => valueParts(document, value, pointer), facts, `${location} parameter \`${name}\``)],
        ];
      }),
    ),
  );
}

function bodyParts(document: Document, { operation, isIncoming }: PlacedOperation, parent: string): [string, Part][] {
  const { requestBody } = operation;
  if (requestBody === undefined) return [];
  const { value, pointer } = resolveAt<RequestBody>(document, requestBody, at(parent, 'requestBody'));
  const isOfAll = operation['x-body-limit'] === undefined && document['x-body-limit'] !== undefined;
  const limit = {
    value: bodyLimitOf(document, operation) ?? DEFAULT_MAX_BODY_BYTES,
    pointer: at(isOfAll ? '#' : parent, 'x-body-limit'),
  };
  const facts = { ...factsOf(value, pointer, { required: false }), ...(isIncoming && { 'x-body-limit': limit }) };
  return [['body', part(pointer, () => contentParts(document, value.content, at(pointer, 'content')), facts, 'request body')]];
}

function callbackParts(document: Document, { callbacks = {} }: OperationObject, parent: string): [string, Part][] {
  return Object.entries(callbacks).flatMap(([name, reference]) => {
    const { value, pointer } = resolveAt<Record<string, PathItem>>(document, reference as never, at(parent, 'callbacks', name));
    return Object.entries(value).flatMap(([expression, item]) =>
      sentOperations(item, [...pointerKeys(pointer), expression]).map((sent): [string, Part] => [
        `callback ${name} ${expression} ${sent.keys.at(-1)}`,
        operationPart(document, sent, { text: `callback \`${name}\`` }),
      ]),
    );
  });
}

/** The operations of a path item that the server sends: of a webhook or a callback. */
export const sentOperations = (item: PathItem, itemKeys: readonly string[]): PlacedOperation[] =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path: '', item, itemKeys, operation, keys: [...itemKeys, method], isIncoming: false }];
  });

/** What requests and responses have as parts: media types, headers, links; and what parts are made with. */
type Fields = Readonly<Record<string, unknown>>;

/** A part without references and facts, unless they are given. */
function part(pointer: string, parts: () => ReadonlyMap<string, Part>, facts: Facts = {}, text?: string): Part {
  const made: Part = { segment: text === undefined ? undefined : { text }, pointer, facts, references: [], parts, expand: () => made };
  return made;
}

const at = (pointer: string, ...keys: readonly (string | number)[]) => pointer + pointerTo(...keys).slice(1);

/** The fields of an object that are not at their default, as facts. */
function factsOf(object: object, pointer: string, defaults: Fields): Facts {
  const given = object as Fields;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]): [string, Fact] => [name, { value: given[name] ?? value, pointer: at(pointer, name) }]),
  );
}

/** The schema of a parameter or a header, or that of its content. */
function valueParts(document: Document, { schema, content }: Parameter | Header, pointer: string): Map<string, Part> {
  if (schema !== undefined) return new Map([['schema', schemaPart(document, schema, at(pointer, 'schema'))]]);
  return contentParts(document, content, at(pointer, 'content'));
}

/** Each media type. */
function contentParts(document: Document, content: Record<string, MediaType> = {}, parent: string): Map<string, Part> {
  const types = Object.entries(content);
  return new Map(
    types.map(([type, media]) => {
      const pointer = at(parent, type);
      const schemas = [
        ['schema', media.schema, undefined],
        ['itemSchema', media.itemSchema, { text: '[]', isPath: true }],
        ['x-item-schema', media['x-item-schema'], { text: '[]', isPath: true }],
      ] as const;
      const parts = () =>
        new Map(
          schemas.flatMap(([name, schema, segment]) => {
            if (schema === undefined) return [];
            const key = name === 'schema' ? name : 'items';
            return [[key, schemaPart(document, schema, at(pointer, name), segment && { segment })] as const];
          }),
        );
      const facts = flatFacts(media.encoding ?? {}, at(pointer, 'encoding'), 'encoding');
      const made = part(pointer, parts, facts, `\`${type}\``);
      return [type.toLowerCase(), { ...made, isOnly: types.length === 1 }];
    }),
  );
}

/** Each header of a response. */
function headerParts(document: Document, headers: Response['headers'] = {}, parent: string): [string, Part][] {
  return Object.entries(headers).flatMap(([name, reference]): [string, Part][] => {
    if (name.toLowerCase() === 'content-type') return [];
    const { value, pointer } = resolveAt<Header>(document, reference, at(parent, name));
    const facts = factsOf(value, pointer, { required: false, deprecated: false });
    return [[`header ${name.toLowerCase()}`, part(pointer, () => valueParts(document, value, pointer), facts, `header \`${name}\``)]];
  });
}

/** Each status. */
function responseParts(document: Document, { responses }: OperationObject, parent: string): [string, Part][] {
  return Object.entries(responses).map(([status, reference]) => {
    const { value, pointer } = resolveAt<Response>(document, reference, at(parent, 'responses', status));
    const parts = () =>
      new Map([
        ...headerParts(document, value.headers, at(pointer, 'headers')),
        ...contentParts(document, value.content, at(pointer, 'content')),
        ...Object.entries(value.links ?? {}).map(([name, link]): [string, Part] => {
          const target = resolveAt<object>(document, link, at(pointer, 'links', name));
          return [`link ${name}`, part(target.pointer, () => new Map(), flatFacts(target.value, target.pointer), `link \`${name}\``)];
        }),
      ]);
    return [`response ${status}`, part(pointer, parts, {}, `response ${status}`)];
  });
}

/** Each value in an object as a fact, named by its keys. */
export function flatFacts(value: unknown, pointer: string, name = ''): Facts {
  if (!isObject(value)) return { [name]: { value, pointer } };
  const entries = Object.entries(value).filter(([key]) => key !== 'description');
  return Object.fromEntries(
    entries.flatMap(([key, inner]) => Object.entries(flatFacts(inner, at(pointer, key), name === '' ? key : `${name}.${key}`))),
  );
}
