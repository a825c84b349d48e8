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
  bodyKind,
  bodyLimitOf,
  itemSchemaOf,
  pointerKeys,
  pointerTo,
  resolveAt,
  schemaShape,
  toolExtensionOf,
} from '@specwright/contract/document';
import type { Side } from '@specwright/contract/proofs';
import { childPointer, plainPart, flatFacts, type Fact, type Facts, type Part, type Segment } from './part.ts';
import { ROOT, serverUrls } from './addresses.ts';
import { securityFact } from './credentials.ts';
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
  /** The names that its security schemes have now. */
  readonly schemeNames?: ReadonlyMap<string, string>;
}

export interface NamedOperation extends PlacedOperation {
  readonly name: string;
}

export function operationPart(document: Document, placed: PlacedOperation, segment?: Segment): Part {
  const { operation, keys, isIncoming } = placed;
  const pointer = pointerTo(...keys);
  const [request, response] = isIncoming ? (['sent', 'received'] as const) : (['received', 'sent'] as const);
  const parts = () =>
    new Map([
      ...parameterParts(document, placed, request),
      ...bodyParts(document, placed, pointer, request),
      ...responseParts(document, operation, pointer, response),
      ...callbackParts(document, operation, pointer),
    ]);
  return { ...plainPart('operation', pointer, { facts: operationFacts(document, placed, pointer), parts }), segment };
}

const LIFECYCLE = ['deprecated', 'x-deprecated-sunset', 'x-deprecated-successor'];

function operationFacts(document: Document, placed: PlacedOperation, pointer: string): Facts {
  const { path, item, itemKeys, operation, keys, isIncoming } = placed;
  const given = operation as unknown as Fields;
  const method = keys.at(-1) ?? '';
  const tool = isIncoming ? toolExtensionOf({ id: operation.operationId ?? '', path, method, item, operation })?.name : undefined;
  const lists = [
    [operation.servers, pointer] as const,
    [item.servers, pointerTo(...itemKeys)] as const,
    // What the server sends has an address of its own.
    [isIncoming ? (document.servers ?? ROOT) : undefined, '#'] as const,
  ];
  const servers = lists.find(([list]) => list !== undefined);
  const fact = (name: string, value: unknown, key = name) => [[name, { value, pointer: childPointer(pointer, key) }] as const];
  return Object.fromEntries([
    ...fact('name of the function', operation.operationId, 'operationId'),
    ...fact('tags', ((given['tags'] as string[] | undefined) ?? []).toSorted()),
    ...LIFECYCLE.flatMap((name) => (given[name] ? fact(name, given[name]) : [])),
    ...fact('x-stability', given['x-stability'] ?? 'stable'),
    ...(tool === undefined ? [] : fact('tool', tool, 'x-mcp')),
    ...(servers === undefined
      ? []
      : [['servers', { value: serverUrls(servers[0]), pointer: childPointer(servers[1], 'servers') }] as const]),
    ...(isIncoming ? [['security', securityFact(document, operation, pointer, placed.schemeNames)] as const] : []),
    ...(isIncoming ? fact('x-rate-limit-cost', given['x-rate-limit-cost'] ?? 1) : []),
  ]);
}

/** OpenAPI ignores header parameters of these names (3.0.3, section 4.7.12.1), and the response header Content-Type (4.7.17). */
const IGNORED = ['accept', 'content-type', 'authorization'];

function parameterParts(document: Document, { path, item, itemKeys, operation, keys }: PlacedOperation, side: Side): Map<string, Part> {
  const lists = [[item.parameters, itemKeys] as const, [operation.parameters, keys] as const];
  const placeholders = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    lists.flatMap(([parameters = [], parent]) =>
      parameters.flatMap((reference, i): [string, Part][] => {
        const place = pointerTo(...parent, 'parameters', i);
        const { value, pointer } = resolveAt<Parameter>(document, reference, place);
        const { name, in: location } = value;
        if (location === 'header' && IGNORED.includes(name.toLowerCase())) return [];
        const key = parameterKey(value, placeholders);
        const facts = {
          ...factsOf(value, pointer, { required: false, deprecated: false, allowReserved: false, allowEmptyValue: false }),
          ...writtenAs(document, value, pointer),
          ...(location === 'path' ? factsOf(value, pointer, { name: '' }) : {}),
        };
        const text = `${location} parameter \`${name}\``;
        return [
          [
            `${location} ${key}`,
            plainPart('parameter', pointer, { text, place, facts, side, parts: () => valueParts(document, value, pointer) }),
          ],
        ];
      }),
    ),
  );
}

function parameterKey({ name, in: location }: Parameter, placeholders: readonly (string | undefined)[]): string {
  // These are where they are, whatever they are called.
  if (location === 'path') return `#${placeholders.indexOf(name)}`;
  if ((location as string) === 'querystring') return '';
  return location === 'header' ? name.toLowerCase() : name;
}

function bodyParts(document: Document, { operation, isIncoming }: PlacedOperation, parent: string, side: Side): [string, Part][] {
  const { requestBody } = operation;
  if (requestBody === undefined) return [];
  const place = childPointer(parent, 'requestBody');
  const { value, pointer } = resolveAt<RequestBody>(document, requestBody, place);
  const isOfAll = operation['x-body-limit'] === undefined && document['x-body-limit'] !== undefined;
  const limit = {
    value: bodyLimitOf(document, operation) ?? DEFAULT_MAX_BODY_BYTES,
    pointer: childPointer(isOfAll ? '#' : parent, 'x-body-limit'),
  };
  const facts = { ...factsOf(value, pointer, { required: false }), ...(isIncoming && { 'x-body-limit': limit }) };
  const parts = () => contentParts(document, value.content, childPointer(pointer, 'content'));
  return [['body', plainPart('body', pointer, { text: 'request body', place, facts, side, parts })]];
}

function callbackParts(document: Document, { callbacks = {} }: OperationObject, parent: string): [string, Part][] {
  return Object.entries(callbacks).flatMap(([name, reference]) => {
    const { value, pointer } = resolveAt<Record<string, PathItem>>(document, reference as never, childPointer(parent, 'callbacks', name));
    return Object.entries(value).flatMap(([expression, reference]) => {
      if (expression.startsWith('x-')) return [];
      const item = resolveAt<PathItem>(document, reference, childPointer(pointer, expression));
      return sentOperations(item.value, pointerKeys(item.pointer)).map((sent): [string, Part] => [
        `callback ${name} ${expression} ${sent.keys.at(-1)}`,
        operationPart(document, sent, { text: `callback \`${name}\`` }),
      ]);
    });
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

/** The fields of an object that are not at their default, as facts. */
function factsOf(object: object, pointer: string, defaults: Fields): Facts {
  const given = object as Fields;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]): [string, Fact] => [
      name,
      { value: given[name] ?? value, pointer: childPointer(pointer, name) },
    ]),
  );
}

/** How the value of a parameter or a header is written, where that can be written in several ways. */
function writtenAs(document: Document, value: Parameter | Header, pointer: string): Facts {
  const [type] = Object.keys(value.content ?? {});
  if (type !== undefined) return { 'written as': { value: type, pointer: childPointer(pointer, 'content') } };
  const { types } = schemaShape(document, [value.schema ?? {}]);
  const written: Facts = { 'written as': { value: 'text', pointer: childPointer(pointer, 'schema') } };
  if (!['array', 'object'].some((one) => types.has(one))) return written;
  const { in: location, style: given, explode } = value as Parameter;
  const style = given ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple');
  return { ...written, ...factsOf({ style, explode: explode ?? style === 'form' }, pointer, { style: '', explode: false }) };
}

/** The schema of a parameter or a header, or that of its content. */
function valueParts(document: Document, { schema, content }: Parameter | Header, pointer: string): Map<string, Part> {
  if (schema !== undefined)
    return new Map([['schema', { ...schemaPart(document, schema, childPointer(pointer, 'schema')), isText: true }]]);
  return contentParts(document, content, childPointer(pointer, 'content'));
}

function contentParts(document: Document, content: Record<string, MediaType> = {}, parent: string): Map<string, Part> {
  const types = Object.entries(content);
  return new Map(
    types.map(([type, media]) => {
      const pointer = childPointer(parent, type);
      const parts = () => {
        const found = new Map<string, Part>();
        const isText = ['form', 'multipart'].includes(bodyKind(type));
        if (media.schema !== undefined)
          found.set('schema', { ...schemaPart(document, media.schema, childPointer(pointer, 'schema')), isText });
        const items = itemSchemaOf(type, media);
        const place = { kind: 'items', segment: { text: '[]', isPath: true } } as const;
        if (items !== undefined) found.set('items', schemaPart(document, items.schema, childPointer(pointer, items.keyword), place));
        return found;
      };
      const made = plainPart('media', pointer, {
        text: `\`${type}\``,
        facts: encodingFacts(document, type, media, childPointer(pointer, 'encoding')),
        parts,
      });
      return [type.toLowerCase(), { ...made, isOnly: types.length === 1 }];
    }),
  );
}

/** How the fields of a form or a multipart body are written. Headers of a part are not read. */
function encodingFacts(document: Document, type: string, { schema = {}, encoding = {} }: MediaType, pointer: string): Facts {
  const kind = bodyKind(type);
  if (kind !== 'form' && kind !== 'multipart') return {};
  const fields = [...schemaShape(document, [schema]).properties.keys()];
  return Object.fromEntries(
    fields.flatMap((name) => {
      const { contentType = '*/*', style = 'form', explode = style === 'form' } = encoding[name] ?? {};
      const written: Readonly<Record<string, unknown>> = kind === 'form' ? { style, explode } : { contentType };
      return Object.entries(written).map(([key, value]) => [
        `encoding ${name} ${key}`,
        { value, pointer: childPointer(pointer, name, key) },
      ]);
    }),
  );
}

function headerParts(document: Document, headers: Response['headers'] = {}, parent: string): [string, Part][] {
  return Object.entries(headers).flatMap(([name, reference]): [string, Part][] => {
    if (name.toLowerCase() === 'content-type') return [];
    const place = childPointer(parent, name);
    const { value, pointer } = resolveAt<Header>(document, reference, place);
    const facts = { ...factsOf(value, pointer, { required: false, deprecated: false }), ...writtenAs(document, value, pointer) };
    const parts = () => valueParts(document, value, pointer);
    return [[`header ${name.toLowerCase()}`, plainPart('header', pointer, { text: `header \`${name}\``, place, facts, parts })]];
  });
}

function responseParts(document: Document, { responses = {} }: Partial<OperationObject>, parent: string, side: Side): [string, Part][] {
  return Object.entries(responses).map(([status, reference]) => {
    const place = childPointer(parent, 'responses', status);
    const { value, pointer } = resolveAt<Response>(document, reference, place);
    const parts = () =>
      new Map([
        ...headerParts(document, value.headers, childPointer(pointer, 'headers')),
        ...contentParts(document, value.content, childPointer(pointer, 'content')),
        ...Object.entries(value.links ?? {}).map(([name, link]): [string, Part] => {
          const target = resolveAt<object>(document, link, childPointer(pointer, 'links', name));
          return [
            `link ${name}`,
            plainPart('link', target.pointer, { text: `link \`${name}\``, facts: flatFacts(target.value, target.pointer) }),
          ];
        }),
      ]);
    return [`response ${status}`, plainPart('response', pointer, { text: `response ${status}`, place, side, parts })];
  });
}
