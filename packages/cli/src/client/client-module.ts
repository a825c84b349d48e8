/** Makes the TypeScript client of a document: one module, whose only import are the types that `generate` writes. */
import { readFileSync } from 'node:fs';
import { hasBigIntegers, visitDocument, type Document, type Schema, type SourceDocument } from '@specwright/server/document';
import { createBigIntegerPlaces } from './big-integer-places.ts';
import { clientTable } from './client-table.ts';
import { clientTypes, listPagedOperations } from './client-types.ts';
import { hasForms } from './form-fields.ts';
import { hasSentSequences, hasSequences, listEventOperations } from './item-kinds.ts';
import { hasFormData } from './multipart-parts.ts';
import { listWebhooks, webhookTable } from './webhook-table.ts';

const HEADER = `/**
 * A client of TITLE. Generated from the spec by \`npm run client\`. Do not edit: change the spec.
 *
 * const client = createClient({ baseUrl, credentials });
 * const reply = await client.OPERATION(...): narrow it by \`status\` or \`ok\`, or take \`(await orThrow(reply)).body\`.
 */
`;

/** Of the runtime, what its users see besides types. */
const PUBLIC = ['ResponseError', 'UnexpectedResponseError', 'orThrow', 'nodeWebhookHandler'];

/** @param openapi the module of the types, as imported. */
export function clientModule({ document }: SourceDocument, openapi = './openapi.ts'): string {
  const paged = listPagedOperations(document).length > 0;
  const json = hasBigIntegers(document, schemasOf(document)) ? 'big-json' : 'json';
  const follows = listEventOperations(document).length > 0;
  const receives = listWebhooks(document).length > 0;
  return [
    HEADER.replace('TITLE', () => document.info.title.replace(/\s+/g, ' ').replaceAll('*/', '* /')),
    `import type { components, operations${receives && /\bwebhooks\[/.test(webhookTable(document)) ? ', webhooks' : ''} } from '${openapi}';\n`,
    clientTypes(document),
    clientTable(document, createBigIntegerPlaces(document)),
    CREATE_CLIENT,
    paged ? PAGINATE : '',
    follows ? LISTEN : '',
    receives ? `${webhookTable(document)}\n${RECEIVE}` : '',
    ...[
      'types',
      json,
      'parameters',
      hasForms(document) ? 'forms' : 'no-forms',
      ...(hasFormData(document) || hasSentSequences(document) ? ['streamed'] : []),
      hasFormData(document) ? 'multipart' : 'no-multipart',
      hasSentSequences(document) ? 'sequences' : 'no-sequences',
      'retry',
      hasSequences(document) ? 'items' : 'no-items',
      'replies',
      'send',
    ].map(readRuntime),
    ...[...(paged ? ['pages'] : []), ...(follows ? ['events'] : []), ...(receives ? ['webhooks'] : [])].map(readRuntime),
  ].join('\n');
}

/** All schemas of a document: requests need to write what responses do not have. */
function schemasOf(document: Document): Schema[] {
  const schemas: Schema[] = [];
  visitDocument(document, { schema: (schema) => void schemas.push(schema) });
  return schemas;
}

/** A part of the runtime, without its imports of other parts. */
function readRuntime(name: string): string {
  const text = readFileSync(new URL(`../../client/${name}.ts`, import.meta.url), 'utf8');
  return text
    .replace(/^\/\*\* (.*) \*\/\n/, '// ---- $1\n')
    .replace(/^import [^;]* from '\.\/[^']*';\n/gm, '')
    .replace(/^export (?=(?:async )?(?:function\*?|const|class) (\w+))/gm, (keyword, symbol: string) =>
      PUBLIC.includes(symbol) ? keyword : '',
    );
}

const CREATE_CLIENT = `const senders = new WeakMap<Client, Send>();

/** A client of one server. Creating one costs little and connects to nothing. */
export function createClient(options: ClientOptions<Credentials>): Client {
  const send = createSend(SCHEMES, options);
  const calls = Object.entries(OPERATIONS).map(([id, operation]) => [id, (input?: AnyInput, call?: CallOptions) => send(operation, input, call)]);
  const client = Object.fromEntries(calls) as unknown as Client;
  senders.set(client, send);
  return client;
}
`;

const PAGINATE = `/**
 * The pages of a list, each read when it is asked for: \`for await (const { body } of paginate(client, 'OPERATION', input))\`.
 *
 * @throws ResponseError for a page that is no success.
 */
export function paginate<Op extends PagedOperation>(client: Client, operation: Op, ...args: Parameters<Client[Op]>): AsyncGenerator<Extract<Results[Op], { readonly ok: true }>> {
  const send = senders.get(client);
  const entry = OPERATIONS[operation];
  if (send === undefined || entry === undefined) throw new TypeError('not a client of createClient, or not one of its operations');
  const [input, call] = args as [AnyInput?, CallOptions?];
  return followPages(send, entry, input, call) as unknown as AsyncGenerator<Extract<Results[Op], { readonly ok: true }>>;
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
export function listen<Op extends EventOperation>(client: Client, operation: Op, ...args: Parameters<Client[Op]>): AsyncGenerator<EventsOf<Results[Op]>> {
  const send = senders.get(client);
  const entry = OPERATIONS[operation];
  if (send === undefined || entry === undefined) throw new TypeError('not a client of createClient, or not one of its operations');
  const [input, call] = args as [AnyInput?, CallOptions?];
  return followEvents(send, entry, input, call) as unknown as AsyncGenerator<EventsOf<Results[Op]>>;
}
`;
