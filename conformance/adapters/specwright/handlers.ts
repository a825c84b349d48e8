/** The handlers of the suite, for this project's server: an echo of the input, and the answer that a request asks for. */
import { buffer } from 'node:stream/consumers';
import type { Contract } from '@specwright/contract';

type Parts = Readonly<Record<string, unknown>>;
type Handler = (input: Parts, reply: (status: number, response: Parts) => unknown) => unknown;

const echo: Handler = async ({ path, query, headers, cookies, body, files }, reply) =>
  reply(200, { body: { path, query, header: headers, cookie: cookies, body: await plain(body, files) } });

export const handlersOf = ({ operations }: Contract): Record<string, Handler> => Object.fromEntries(operations.map(({ id }) => [id, echo]));

export const securityOf = (): Record<string, never> => ({});

async function plain(body: unknown, files: unknown): Promise<unknown> {
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body).toString('base64') };
  if (files === undefined) return body;
  return { ...(body as object), files: await buffer(files as never) };
}
