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

export function clientTypes(document: Document): string {
  const operations = listOperations(document);
  const paged = listPagedOperations(document);
  const events = listEventOperations(document);
  return [
    `/** The named schemas, as the server sends them. */\nexport type Schema<Name extends keyof components['schemas']> = Read<components['schemas'][Name]>;\n`,
    `/** What the operations take. */\nexport interface Inputs {\n${operations.map((operation) => `  ${quote(operation.id)}: ${inputType(document, operation)};\n`).join('')}}\n`,
    `/** What the operations may be answered with. */\nexport interface Results {\n${operations.map((operation) => `  ${quote(operation.id)}:${resultType(document, operation)};\n`).join('')}}\n`,
    `/** A method for each operation. It rejects for what is not declared (\`UnexpectedResponseError\`), failures of the network, and an aborted signal. */`,
    `export interface Client {\n${operations.map((operation) => method(document, operation)).join('')}}\n`,
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

function inputType(document: Document, operation: DocumentOperation): string {
  const parameters = parametersOf(document, operation);
  const groups = LOCATIONS.flatMap(([location, name]) => {
    const group = parameters.filter((parameter) => parameter.in === location);
    if (group.length === 0) return [];
    const type = `NonNullable<${operationType(operation)}['parameters'][${literal(location)}]>`;
    return [
      `readonly ${name}${isRequired(group) ? '' : '?'}: Given<${location === 'header' ? `Omit<${type}, IgnoredHeader>` : type}>${isRequired(group) ? '' : ' | undefined'}`,
    ];
  });
  const query = declaredQueryOf(document, operation);
  if (query !== undefined)
    groups.push(
      `readonly query${query.required ? '' : '?'}: NonNullable<${operationType(operation)}['parameters']['querystring']>${query.required ? '' : ' | undefined'}`,
    );
  const body = bodyOf(document, operation);
  if (body === undefined) return groups.length === 0 ? 'Record<string, never>' : `{ ${groups.join('; ')} }`;
  const types = Object.keys(body.content);
  const bodies = types.map((type, i) => {
    const isChosen =
      types.length === 1 ? [] : [`readonly contentType${i === 0 ? '?' : ''}: ${literal(type)}${i === 0 ? ' | undefined' : ''}`];
    const schema = `NonNullable<${operationType(operation)}['requestBody']>['content'][${literal(type)}]`;
    return `{ ${[...groups, ...isChosen, `readonly body${body.required === true ? '' : '?'}: SentBody<${literal(type)}, ${schema}>${body.required === true ? '' : ' | undefined'}`].join('; ')} }`;
  });
  return bodies.join(' | ');
}

const isRequired = (parameters: readonly Parameter[]): boolean => parameters.some(({ required }) => required === true);

function bodyOf(document: Document, { operation }: DocumentOperation): RequestBody | undefined {
  const body = operation.requestBody && resolve<RequestBody>(document, operation.requestBody);
  return body !== undefined && Object.keys(body.content).length > 0 ? body : undefined;
}

function resultType(document: Document, operation: DocumentOperation): string {
  const { responses } = operation.operation;
  const keys = Object.keys(responses);
  const declared = (except: string) =>
    keys
      .filter((key) => key !== except && key !== 'default')
      .map(statuses)
      .join(' | ') || 'never';
  return keys
    .flatMap((key) => {
      const response = resolve<Response>(document, responses[key] ?? { description: '' });
      const optional = [...responseHeaders(document, response)].filter(([, { required }]) => !required);
      const source = `${operationType(operation)}['responses'][${/^\d+$/.test(key) ? key : literal(key)}]`;
      const bodiless = key === '204' || key === '304' || operation.method === 'head' || Object.keys(response.content ?? {}).length === 0;
      const rest = `${bodiless ? `Omit<${source}, 'content'>` : source}${optional.length > 0 ? `, ${optional.map(([name]) => literal(name)).join(' | ')}` : ''}`;
      if (key !== 'default')
        return [
          `${key.startsWith('2') ? 'Success' : 'Failure'}<${key.endsWith('XX') ? `Hundred<${key[0] ?? ''}, ${declared(key)}>` : key}, ${rest}>`,
        ];
      const failure = `Failure<Other<${declared(key)}>, ${rest}>`;
      return keys.some((other) => other.startsWith('2')) ? [failure] : [`Success<Hundred<2>, ${rest}>`, failure];
    })
    .map((type) => `\n    | ${type}`)
    .join('');
}

const statuses = (key: string): string => (key.endsWith('XX') ? `Hundred<${key[0] ?? ''}>` : key);

function method(document: Document, operation: DocumentOperation): string {
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
  return `${lines.length > 0 ? `  /**\n${comment}\n   */\n` : ''}  ${quote(operation.id)}(input${required ? '' : '?'}: Inputs[${literal(operation.id)}], call?: CallOptions): Promise<Results[${literal(operation.id)}]>;\n`;
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
