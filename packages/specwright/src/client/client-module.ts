/** Makes the TypeScript client of a document: one module, whose only import are the types that `generate` writes. */
import {
  type Document,
  type DocumentOutgoing,
  type Schema,
  type SourceDocument,
  hasNativeValues,
  listOutgoing,
  outgoingBody,
  outgoingTable,
  requiredOf,
  resolve,
  schemaShape,
  valuesOf,
  visitDocument,
} from '@specwright/contract/document';
import { typesDocument } from '../generate/types-document.ts';
import { type BodyTypes, createBodyTypes } from './body-types.ts';
import { type NativePlaces, clientTable, createPlaces, operationExports } from './client-table.ts';
import { readRuntime } from './runtime-parts.ts';
import { clientTypes, listEventOperations, listPagedOperations } from './client-types.ts';

const HEADER = `/**
 * A client of TITLE. Generated from the spec by \`npx specwright client\`. Do not edit: change the spec.
 *
 * const client = createClient({ baseUrl, credentials });
 * const reply = await client.OPERATION(...): narrow it by \`status\` or \`ok\`, or take \`(await orThrow(reply)).body\`.
 */
`;

/** @param openapi the module of the types, as imported. */
export function clientModule({ document, published }: SourceDocument, openapi = './openapi.ts'): string {
  const paged = listPagedOperations(document).length > 0;
  const json = hasNativeValues(document, schemasOf(document)) ? 'native-json' : 'json';
  const follows = listEventOperations(document).length > 0;
  const receives = listWebhooks(document).length > 0;
  const places = createPlaces(document);
  const table = clientTable(document, places);
  const runtime = [
    CREATE_CLIENT,
    HELPERS,
    paged ? PAGINATE : '',
    follows ? LISTEN : '',
    receives ? RECEIVE : '',
    ...runtimeOf(table, json).map(readRuntime),
    ...[...(paged ? ['pages'] : []), ...(follows ? ['events'] : []), ...(receives ? ['webhooks'] : [])].map(readRuntime),
  ].join('\n');
  const typed = typesDocument(document, published);
  const bodies = createBodyTypes(typed, document, runtime);
  const webhooks = receives ? webhookTable(document, places, bodies) : '';
  const module = [
    HEADER.replace('TITLE', () => document.info.title.replace(/\s+/g, ' ').replaceAll('*/', '* /')),
    `import type { operations } from '${openapi}';\n`,
    clientTypes(typed, bodies),
    table,
    webhooks,
    runtime,
  ].join('\n');
  return `${module}\n${operationExports(document, module)}`;
}

/** The parts of the runtime that the operations of a table use. */
function runtimeOf(table: string, json: string): string[] {
  const uses = (name: string) => table.includes(`, ${name}`);
  return [
    'types',
    ...(json === 'native-json' ? ['date-time'] : []),
    json,
    'encode',
    'parameters',
    ...(uses('writeForm') || uses('query: (value)') ? ['encode-field', 'forms'] : []),
    ...(uses('query: (value)') ? ['whole-query'] : []),
    ...(uses('cookies: encodeCookies') ? ['encode-cookies'] : []),
    ...(uses('writeMultipart') || uses('writeItems') || uses('sendUpload') ? ['streamed'] : []),
    ...(uses('sendUpload') ? ['uploads'] : []),
    ...(uses('writeMultipart') ? ['encode-part', 'multipart'] : []),
    ...(uses('writeItems') ? ['sequences'] : []),
    'retry',
    'deadline',
    ...(uses('readItems') ? ['items'] : []),
    'replies',
    'send',
  ];
}

/** All schemas of a document: requests need to write what responses do not have. */
function schemasOf(document: Document): Schema[] {
  const schemas: Schema[] = [];
  visitDocument(document, { schema: (schema) => void schemas.push(schema) });
  return schemas;
}

const CREATE_CLIENT = `/** How a client sends each of its operations. */
type BoundSend = (id: string) => { readonly send: Send; readonly entry: OperationEntry; readonly baseUrl: string };

const senders = new WeakMap<object, BoundSend>();

/** A client of one server. Creating one costs little and connects to nothing. */
export function createClient(options: ClientOptions<Credentials>): Client {
  return createPartialClient(options, OPERATIONS);
}

/**
 * A client of some operations: \`createPartialClient(options, { OPERATION })\`, each imported from this module. Bundlers drop the others.
 */
export function createPartialClient<Ops extends { readonly [Id in keyof Client]?: Operation<Id> }>(
  options: ClientOptions<Credentials>,
  operations: Ops,
): Pick<Client, keyof Ops & keyof Client> {
  const send = createSend(SCHEMES, options);
  const entries = operations as Readonly<Record<string, OperationEntry>>;
  const calls = Object.entries(entries).map(([id, entry]) => [id, (input?: AnyInput, call?: CallOptions) => send(entry, input, call)]);
  const client = Object.fromEntries(calls) as unknown as Pick<Client, keyof Ops & keyof Client>;
  senders.set(client, (id) => {
    const entry = entries[id];
    if (entry === undefined) throw new TypeError(\`the client has no operation \${id}\`);
    return { send, entry, baseUrl: baseOf(options) };
  });
  return client;
}
`;

const HELPERS = `/** What an operation may be answered with that is no success. */
export type Failures = { readonly [Op in keyof Results]: Exclude<Results[Op], { readonly ok: true }> };

/** Whether an error is a declared failure of an operation: \`if (isFailure(error, 'OPERATION') && error.reply.status === 409) ...\`. */
export function isFailure<Op extends keyof Results>(error: unknown, operation: Op): error is ResponseError<Extract<Failures[Op], AnyReply>> {
  return error instanceof ResponseError && error.operation === operation;
}

/** The address of a request, without credentials: for \`src\` and \`href\`. */
export function urlOf<Op extends keyof Client>(client: Pick<Client, Op>, operation: Op, ...[input]: Parameters<Client[Op]>): string {
  const { entry, baseUrl } = senderOf(client, operation);
  return baseUrl + serializeParameters(entry, (input ?? {}) as AnyInput).path;
}

function senderOf(client: object, id: string): ReturnType<BoundSend> {
  const bound = senders.get(client);
  if (bound === undefined) throw new TypeError('not a client of createClient or createPartialClient');
  return bound(id);
}
`;

const PAGINATE = `/**
 * The pages of a list, each read when it is asked for: \`for await (const { body } of paginate(client, 'OPERATION', input))\`.
 *
 * @throws ResponseError for a page that is no success, TypeError where a page of another origin cannot read whether there is a next one.
 */
export function paginate<Op extends PagedOperation>(client: Pick<Client, Op>, operation: Op, ...args: Parameters<Client[Op]>): AsyncGenerator<Extract<Results[Op], { readonly ok: true }>> {
  const { send, entry } = senderOf(client, operation);
  const [input, call] = args as [AnyInput?, CallOptions?];
  return followPages(send, entry, input, call) as unknown as AsyncGenerator<Extract<Results[Op], { readonly ok: true }>>;
}

/** Whether there is a page after one, which may have been serialized. */
export const hasNextPage = ({ headers }: { readonly headers: object }): boolean => nextLink((headers as { readonly Link?: string }).Link ?? '') !== undefined;

/**
 * The page after one, \`undefined\` after the last one. The page may have been serialized: its \`Link\` is among its headers.
 *
 * @throws what \`paginate\` throws.
 */
export async function nextPage<Op extends PagedOperation>(client: Pick<Client, Op>, operation: Op, page: Pick<Results[Op], 'headers'>, call?: CallOptions): Promise<Extract<Results[Op], { readonly ok: true }> | undefined> {
  const { send, entry, baseUrl } = senderOf(client, operation);
  const address = nextAddress(page, (page as Partial<AnyReply>).response?.url ?? baseUrl);
  if (address === undefined) return undefined;
  return (await orThrow(send(entry, undefined, call, address))) as unknown as Extract<Results[Op], { readonly ok: true }>;
}

/** The operations whose pages are lists. */
export type ListOperation = { [Op in PagedOperation]: Extract<Results[Op], { readonly ok: true }>['body'] extends readonly unknown[] ? Op : never }[PagedOperation];

/** An item of a page of an operation. */
export type ItemOf<Op extends ListOperation> = Extract<Results[Op], { readonly ok: true }>['body'] extends readonly (infer Item)[] ? Item : never;

/**
 * The items of all pages, whose next one is read when its first item is asked for: \`for await (const item of items(client, 'OPERATION', input))\`.
 *
 * @throws what \`paginate\` throws.
 */
export function items<Op extends ListOperation>(client: Pick<Client, Op>, operation: Op, ...args: Parameters<Client[Op]>): AsyncGenerator<ItemOf<Op>> {
  const { send, entry } = senderOf(client, operation);
  const [input, call] = args as [AnyInput?, CallOptions?];
  return followItems(followPages(send, entry, input, call)) as AsyncGenerator<ItemOf<Op>>;
}
`;

const RECEIVE = `/**
 * Receives what the service sends: it verifies the signature, and calls the handler of the webhook, as the payload tells.
 *
 * const receiver = createWebhookReceiver({ secret, handlers: { WEBHOOK: async (payload, { id }) => { ... } } });
 * const response = await receiver(request);
 *
 * It takes the \`Request\` of fetch; for Node and Express there is \`nodeWebhookHandler(receiver)\`.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions<WebhookPayloads>): WebhookReceiver<keyof WebhookPayloads> {
  return createReceiver(WEBHOOKS, options);
}
`;

const LISTEN = `/**
 * The events of an operation: \`for await (const event of listen(client, 'OPERATION', input, { signal }))\`. Where they end, or the network fails, it
 * connects again after the time that the server has named, and goes on after the last event that had an id.
 *
 * @throws ResponseError for a response that is no success, and the reason of \`signal\`.
 */
export function listen<Op extends EventOperation>(client: Pick<Client, Op>, operation: Op, ...args: ArgumentsWith<ListenOptions, Parameters<Client[Op]>>): AsyncGenerator<EventsOf<Results[Op]>> {
  const { send, entry } = senderOf(client, operation);
  const [input, options] = args as [AnyInput?, ListenOptions?];
  return followEvents(send, entry, input, options) as unknown as AsyncGenerator<EventsOf<Results[Op]>>;
}
`;

/** What a service sends that a receiver can be made for. */
function listWebhooks(document: Document): DocumentOutgoing[] {
  const table = outgoingTable(document);
  return listOutgoing(document).filter(({ name }) => Object.hasOwn(table, name));
}

/** @returns TypeScript: the interface `WebhookPayloads` and the table `WEBHOOKS`. */
function webhookTable(document: Document, { placeOf }: NativePlaces, { payload }: BodyTypes): string {
  const webhooks = listWebhooks(document);
  const types = webhooks.map((one) => `  ${JSON.stringify(one.name)}: ${payload(one)};\n`);
  const entries = webhooks.map((one) => {
    const place = placeOf(outgoingBody(document, one)?.schema ?? {});
    const fields = Object.entries(entryOf(document, one)).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    return `  ${JSON.stringify(one.name)}: {${[...fields, ...(place === undefined ? [] : [`place: ${place}`])].join(',')}},\n`;
  });
  return (
    `/** What the service sends: the payload of each webhook and callback. */\nexport interface WebhookPayloads {\n${types.join('')}}\n\n` +
    `const WEBHOOKS: Readonly<Record<keyof WebhookPayloads, WebhookEntry>> = {\n${entries.join('')}};\n`
  );
}

/** As `WebhookEntry` of the runtime. Tags are required texts, so what has none has no required properties, or others. */
function entryOf(document: Document, outgoing: DocumentOutgoing): object {
  const body = outgoingBody(document, outgoing);
  if (body === undefined) return { body: 'none' };
  const optional = body.isRequired ? {} : { body: 'optional' };
  if (body.schema === undefined) return optional;
  const schema = resolve<Schema>(document, body.schema);
  const { properties } = schemaShape(document, [schema]);
  const required = requiredOf(schema);
  const tags = required.flatMap((name) => {
    const values = properties.get(name)?.map((property) => valuesOf(resolve<Schema>(document, property)));
    const texts = values?.find((listed) => listed?.every((value) => typeof value === 'string'));
    return texts === undefined ? [] : [[name, texts] as const];
  });
  return { ...(tags.length > 0 && { tags: Object.fromEntries(tags) }), ...(required.length > 0 && { required }), ...optional };
}
