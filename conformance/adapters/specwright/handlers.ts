/** The handlers of the suite, for this project's server: an echo of the input, and the answer that a request asks for. */
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Contract, ContractOperation } from '@specwright/contract';
import { apiKey, type Authenticator, basic, bearer } from '@specwright/server';

type Parts = Readonly<Record<string, unknown>>;
type Reply = (status: number, response: Parts) => unknown;
type Handler = (input: Parts, reply: Reply) => unknown;

interface File {
  readonly name: string;
  readonly filename: string | undefined;
  readonly stream: Readable;
}

/** What a request asks the handler to return. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** In base64. */
  readonly bytes?: string;
  readonly items?: readonly unknown[];
  readonly throws?: unknown;
}

export const handlersOf = ({ operations }: Contract): Record<string, Handler> =>
  Object.fromEntries(operations.map((operation) => [operation.id, operation.id.startsWith('answer') ? answer : echoOf(operation)]));

const echoOf =
  (operation: ContractOperation): Handler =>
  async ({ path, query, headers, cookies, body, files }, reply) =>
    reply(200, {
      body: { path, query, header: headers, cookie: cookies, body: await plain(operation, body, files as readonly File[] | undefined) },
    });

async function plain(operation: ContractOperation, body: unknown, files: readonly File[] | undefined): Promise<unknown> {
  if (body instanceof Uint8Array) return base64(body);
  if (isIterable(body)) {
    const items: unknown[] = [];
    for await (const item of body) items.push(item);
    return items;
  }
  if (files === undefined) return body;
  const all: Record<string, unknown> = { ...(body as object) };
  for (const { name, filename, stream } of files) {
    const file = { ...base64(await buffer(stream)), filename };
    const isList = operation.multipart?.files.get(name)?.isList === true;
    all[name] = isList ? [...((all[name] as unknown[] | undefined) ?? []), file] : file;
  }
  return all;
}

const base64 = (bytes: Uint8Array): { bytes: string } => ({ bytes: Buffer.from(bytes).toString('base64') });

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const answer: Handler = ({ query }, reply) => {
  const { status, headers = {}, json, text, bytes, items, throws } = JSON.parse((query as { answer: string }).answer) as Answer;
  if (throws !== undefined) throw new Error('asked to throw');
  const { 'Content-Type': type, ...fields } = headers as { 'Content-Type'?: string };
  const body = text ?? (bytes === undefined ? json : Buffer.from(bytes, 'base64'));
  return reply(status, {
    ...(Object.keys(fields).length > 0 && { headers: fields }),
    ...(type !== undefined && { type }),
    ...(items !== undefined && { items }),
    ...(body !== undefined && { body }),
  });
};

interface Caller {
  readonly scopes: readonly string[];
}

const CALLERS = new Map<string, Caller>([
  ['valid', { scopes: ['read'] }],
  ['admin', { scopes: ['read', 'write'] }],
]);

/** The keys, tokens and passwords `valid` and `admin`, for every scheme of the document. */
export function securityOf({ document }: Contract): Record<string, Authenticator<Caller>> {
  const find = (credential: string): Caller | undefined => CALLERS.get(credential);
  const schemes = (document.components?.securitySchemes ?? {}) as Record<string, { type: string; scheme?: string }>;
  return Object.fromEntries(
    Object.entries(schemes).map(([name, { type, scheme = '' }]) => {
      if (type === 'apiKey') return [name, apiKey(find)];
      return [
        name,
        scheme.toLowerCase() === 'basic' ? basic((user, password) => (user === 'user' ? find(password) : undefined)) : bearer(find),
      ];
    }),
  );
}
