/** Writes the types of a client: per operation what it takes, what it may be answered with, and its method. */
import {
  type Document,
  type DocumentOperation,
  type Header,
  type MediaType,
  type OperationObject,
  type Parameter,
  type RequestBody,
  type Response,
  type Schema,
  alternativesOf,
  bodyKind,
  branchesOf,
  declaredQueryOf,
  describesBigInteger,
  isDateObject,
  describesEvents,
  itemSchemaOf,
  itemsOf,
  listOperations,
  parametersOf,
  propertiesOf,
  resolve,
  sequenceKind,
  typeOf,
  typesOf,
} from '@specwright/contract/document';
import { one } from '../generate/type-text.ts';
import type { BodyTypes } from './body-types.ts';

/**
 * Types that have names, which hovers and errors show: `Pet`, `CreatePetBody`, `CreatePetInput`, `CreatePet201`, `CreatePetReply`.
 *
 * @param document as `typesDocument` makes it.
 */
export function clientTypes(document: Document, bodies: BodyTypes): string {
  const operations = listOperations(document);
  const paged = listPagedOperations(document);
  const events = listEventOperations(document);
  const inputs = operations.map((operation) => [operation.id, inputType(document, operation, bodies)] as const);
  const replies = operations.map((operation) => [operation.id, replyType(document, operation, bodies)] as const);
  const members = (types: readonly (readonly [id: string, type: string])[]) =>
    types.map(([id, type]) => `  ${quote(id)}: ${type};\n`).join('');
  return [
    bodies.declarations(),
    `/** What the operations take. */\nexport interface Inputs {\n${members(inputs)}}\n`,
    `/** What the operations may be answered with. */\nexport interface Results {\n${members(replies)}}\n`,
    `/** A method for each operation. It rejects for what is not declared (\`UnexpectedResponseError\`), failures of the network, and an aborted signal. */`,
    `export interface Client {\n${operations.map((operation, i) => method(document, operation, inputs[i]?.[1], replies[i]?.[1])).join('')}}\n`,
    ...unionType('PagedOperation', 'have pages', paged),
    ...unionType('EventOperation', 'answer with events', events),
  ].join('\n');
}

const unionType = (name: string, what: string, ids: readonly string[]) =>
  ids.length === 0 ? [] : [`/** The operations that ${what}. */\nexport type ${name} = ${ids.map(literal).join(' | ')};\n`];

/** Reading operations with query parameters, whose successes have a \`Link\`: of an item, it is a link to something else. */
export function listPagedOperations(document: Document): string[] {
  return succeedingWith(document, ({ headers = {} }) => 'Link' in headers)
    .filter((operation) => operation.method === 'get' && parametersOf(document, operation).some((parameter) => parameter.in === 'query'))
    .map(({ id }) => id);
}

const succeedingWith = (document: Document, matches: (response: Response) => boolean): DocumentOperation[] =>
  listOperations(document).filter(({ operation }) =>
    Object.entries(operation.responses).some(
      ([status, response]) => status.startsWith('2') && matches(resolve<Response>(document, response)),
    ),
  );

/** Where parameters are found in `operations`, and their name in the input. */
const LOCATIONS: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
];

/** Declares the type of an input, and of its body. @returns its name. */
function inputType(document: Document, operation: DocumentOperation, bodies: BodyTypes): string {
  const parameters = parametersOf(document, operation);
  const groups = LOCATIONS.flatMap(([location, name]) => {
    const group = parameters.filter((parameter) => parameter.in === location);
    if (group.length === 0) return [];
    const type = `NonNullable<${operationType(operation)}['parameters'][${literal(location)}]>`;
    return [property(name, isRequired(group), `Given<${location === 'header' ? `Omit<${type}, IgnoredHeader>` : type}>`)];
  });
  const query = declaredQueryOf(document, operation);
  if (query !== undefined)
    groups.push(property('query', query.required, `NonNullable<${operationType(operation)}['parameters']['querystring']>`));
  const body = bodyOf(document, operation);
  const name = `${operation.id}Input`;
  if (body === undefined) return bodies.declare(name, one(groups.length === 0 ? 'Record<string, never>' : `{ ${groups.join('; ')} }`));
  const content = Object.entries(body.content).map(([type, media]) => ({ type, text: bodies.sent(type, media).text }));
  const texts = [...new Set(content.map(({ text }) => text))];
  const bodyName = bodies.declare(`${operation.id}Body`, one(texts.join(' | ')));
  const inputs = content.map(({ type, text }, i) => {
    const chosen = content.length === 1 ? [] : [property('contentType', i > 0, literal(type))];
    return `{ ${[...groups, ...chosen, property('body', body.required === true, texts.length === 1 ? bodyName : text)].join('; ')} }`;
  });
  return bodies.declare(name, one(inputs.join(' | ')));
}

const property = (name: string, required: boolean, type: string): string =>
  `readonly ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`;

const isRequired = (parameters: readonly Parameter[]): boolean => parameters.some(({ required }) => required === true);

function bodyOf(document: Document, { operation }: DocumentOperation): RequestBody | undefined {
  const body = operation.requestBody && resolve<RequestBody>(document, operation.requestBody);
  return body !== undefined && Object.keys(body.content).length > 0 ? body : undefined;
}

/** Declares a type for each response of an operation, and their union. @returns its name. */
function replyType(document: Document, operation: DocumentOperation, bodies: BodyTypes): string {
  const { responses } = operation.operation;
  const keys = Object.keys(responses);
  const declared = (except: string) =>
    keys
      .filter((key) => key !== except && key !== 'default')
      .map(statuses)
      .join(' | ') || 'never';
  const names = keys.flatMap((key) => {
    const response = resolve<Response>(document, responses[key] ?? { description: '' });
    const source = `${operationType(operation)}['responses'][${/^\d+$/.test(key) ? key : literal(key)}]`;
    const optional = [...responseHeaders(document, response)].filter(([, { required }]) => !required);
    const headers = `HeadersOf<${[source, optional.map(([name]) => literal(name)).join(' | ') || []].flat().join(', ')}>`;
    const isBodiless = key === '204' || key === '304' || operation.method === 'head';
    const content = isBodiless ? [] : Object.entries(response.content ?? {});
    const named = `${operation.id}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    const contents = content.map(([type, media], i) => {
      const body = bodies.received(type, media);
      // An object that has no name yet.
      const text = body.text.startsWith('{') ? bodies.declare(`${named}Body${i === 0 ? '' : i + 1}`, body) : body.text;
      return `${literal(type)}, ${text}`;
    });
    const replyOf = (suffix: string, status: string, isOk: boolean) =>
      bodies.declareReply(
        named + suffix,
        (contents.length === 0 ? ['undefined, undefined'] : contents).map((text) => `Reply<${status}, ${isOk}, ${headers}, ${text}>`),
      );
    if (key !== 'default')
      return [replyOf('', key.endsWith('XX') ? `Hundred<${key.charAt(0)}, ${declared(key)}>` : key, key.startsWith('2'))];
    const failure = replyOf('', `Other<${declared(key)}>`, false);
    return keys.some((other) => other.startsWith('2')) ? [failure] : [replyOf('Success', 'Hundred<2>', true), failure];
  });
  return bodies.declare(`${operation.id}Reply`, one(names.join(' | ')));
}

const statuses = (key: string): string => (key.endsWith('XX') ? `Hundred<${key[0] ?? ''}>` : key);

function method(document: Document, operation: DocumentOperation, input = '', reply = ''): string {
  const {
    summary,
    description,
    deprecated,
    'x-deprecated-successor': successor,
  } = operation.operation as OperationObject & Record<string, unknown>;
  const text = [summary, description].filter((part) => typeof part === 'string' && part !== '').join('\n\n');
  const lines = [
    ...text.trim().split('\n'),
    ...(deprecated === true ? [`@deprecated${typeof successor === 'string' ? ` Use ${successor}.` : ''}`] : []),
  ].filter((line, i) => line !== '' || i > 0);
  const comment = lines.map((line) => `   * ${line.replaceAll('*/', '* /')}`.trimEnd()).join('\n');
  const required =
    parametersOf(document, operation).some((parameter) => parameter.required === true) ||
    declaredQueryOf(document, operation)?.required === true ||
    bodyOf(document, operation)?.required === true;
  return `${lines.length > 0 ? `  /**\n${comment}\n   */\n` : ''}  ${quote(operation.id)}(input${required ? '' : '?'}: ${input}, call?: ${takesFiles(bodyOf(document, operation)) ? 'Upload' : 'Call'}Options): Promise<${reply}>;\n`;
}

const operationType = ({ id }: DocumentOperation): string => `operations[${literal(id)}]`;
const literal = (text: string): string => JSON.stringify(text);
const quote = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** As the runtime of clients has it (`client/items.ts`). */
export type ItemKind = 'event' | 'event-text' | 'data' | 'data-text' | 'lines';

/** @returns `undefined` for a media type whose items are not declared. */
export function itemKindOf(document: Document, type: string, media: MediaType): ItemKind | undefined {
  const declared = itemSchemaOf(type, media);
  if (declared === undefined) return undefined;
  if (sequenceKind(type) !== 'events') return 'lines';
  const isEvent = describesEvents(document, declared.schema);
  const data = isEvent ? dataSchemas(document, declared.schema) : [resolve<Schema>(document, declared.schema)];
  const isText = data.every((schema) => typesOf(schema).length > 0 && typesOf(schema).every((kind) => kind === 'string'));
  return `${isEvent ? 'event' : 'data'}${isText ? '-text' : ''}`;
}

/** The schemas of the data of an event, of all its kinds. */
function dataSchemas(document: Document, given: Schema, seen = new Set<Schema>()): Schema[] {
  const schema = resolve<Schema>(document, given);
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { data } = propertiesOf(schema);
  const branches = [...alternativesOf(schema), ...branchesOf(schema).allOf];
  return [
    ...(data === undefined ? [] : [resolve<Schema>(document, data)]),
    ...branches.flatMap((branch) => dataSchemas(document, branch, seen)),
  ];
}

/** How the items of a body are sent, by media type; `undefined` without any. */
export function sentSequencesOf({ content }: RequestBody): Record<string, 'lines' | 'records'> | undefined {
  const sequences = Object.entries(content).flatMap(([type, media]): [string, 'lines' | 'records'][] => {
    const kind = itemSchemaOf(type, media) === undefined ? undefined : sequenceKind(type);
    return kind === undefined || kind === 'events' ? [] : [[type, kind]];
  });
  return sequences.length === 0 ? undefined : Object.fromEntries(sequences);
}

/** Whether a body is so large that its sender wants to know how much of it has been sent. */
export const takesFiles = (body: RequestBody | undefined): boolean =>
  Object.keys(body?.content ?? {}).some((type) => ['multipart', 'bytes'].includes(bodyKind(type)));

/** The operations that answer with server-sent events. */
export const listEventOperations = (document: Document): string[] =>
  succeedingWith(document, ({ content = {} }) =>
    Object.entries(content).some(([type, media]) => sequenceKind(type) === 'events' && itemSchemaOf(type, media) !== undefined),
  ).map(({ id }) => id);

/** The headers of a response, for the types of a client and for its table. */
export interface ResponseHeader {
  readonly required: boolean;
  /** How the runtime reads it. */
  readonly type: 'text' | 'number' | 'bigint' | 'date' | 'boolean' | 'list' | 'numbers' | 'bigints' | 'dates' | 'json';
}

/** Most responses are references to a few. */
const known = new WeakMap<Response, ReadonlyMap<string, ResponseHeader>>();

export function responseHeaders(document: Document, response: Response): ReadonlyMap<string, ResponseHeader> {
  const headers =
    known.get(response) ??
    new Map(
      Object.entries(response.headers ?? {}).map(([name, reference]) => {
        const header = resolve<Header>(document, reference);
        return [name, { required: header.required === true, type: readAs(document, header) }];
      }),
    );
  known.set(response, headers);
  return headers;
}

const SCALARS: Readonly<Record<string, ResponseHeader['type']>> = { integer: 'number', number: 'number', boolean: 'boolean' };

function readAs(document: Document, { schema = {}, content }: Header): ResponseHeader['type'] {
  if (content !== undefined) return Object.keys(content).some((type) => /[/+]json/.test(type)) ? 'json' : 'text';
  if (describesBigInteger(document, schema)) return 'bigint';
  const resolved = resolve<Schema>(document, schema);
  const type = typeOf(resolved);
  if (type !== 'array') return isDateObject(resolved) ? 'date' : (SCALARS[type ?? ''] ?? 'text');
  const items = itemsOf(resolved) ?? {};
  if (describesBigInteger(document, items)) return 'bigints';
  if (isDateObject(resolve<Schema>(document, items))) return 'dates';
  return ['integer', 'number'].includes(typeOf(resolve<Schema>(document, items)) ?? '') ? 'numbers' : 'list';
}
