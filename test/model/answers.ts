/** What the model compares of a response. */
import type { HttpAnswer } from './client.ts';
import { parseJson } from './client.ts';
import type { Answer } from './state.ts';

type Json = Readonly<Record<string, unknown>>;

const photo = ({ id, petId, caption }: Json) => ({ id, petId, caption });
const names = (body: unknown) => (body as Json[]).map(({ name }) => name).sort();

/** What of a body the model has, where that is not all of it. Ids, secrets and times of accounts are not the model's. */
const COMPARED: Readonly<Record<string, (body: unknown) => unknown>> = {
  listPhotos: (body) => (body as Json[]).map(photo),
  createPhoto: (body) => photo(body as Json),
  getPhoto: () => undefined,
  listKeys: names,
  createKey: (body) => (body as Json)['name'],
  getKey: (body) => (body as Json)['name'],
  rotateKey: (body) => (body as Json)['name'],
  sendMessage: (body) => (body as Json)['message'],
  getMessage: (body) => (body as Json)['message'],
  setWebhook: (body) => (body as Json)['url'],
  getWebhook: (body) => (body as Json)['url'],
  createAccount: (body) => (body as Json)['email'],
  getAccount: () => undefined,
  getRateLimit: () => undefined,
  replayMessages: () => undefined,
};

export function toAnswer(operation: string, { status, headers, body }: HttpAnswer): Answer {
  const isReplay = headers['idempotent-replayed'] === 'true';
  if (status >= 400) return { status, code: String((parseJson(body) as { code?: unknown } | undefined)?.code) };
  if (body.length === 0) return { status, ...(isReplay && { isReplay }) };
  const compared = (COMPARED[operation] ?? ((given: unknown) => given))(parseJson(body));
  return { status, ...(compared !== undefined && { body: compared }), ...(isReplay && { isReplay }) };
}

/** The id of what a request has created. */
export const createdId = ({ body }: HttpAnswer): number | string | undefined =>
  (parseJson(body) as { id?: number | string } | undefined)?.id;
