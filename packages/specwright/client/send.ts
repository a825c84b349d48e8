/** Sends the requests of a client: address, parameters, credentials, body. */
import { createDeadline } from './deadline.ts';
import { writeJson } from './json.ts';
import { serializeParameters } from './parameters.ts';
import { dropBody, NetworkError, readReply } from './replies.ts';
import { isRepeatable, sendWithRetries } from './retry.ts';
import type {
  AnyInput,
  AnyReply,
  BasicCredential,
  CallOptions,
  ClientOptions,
  Credential,
  OperationEntry,
  Retry,
  Scheme,
  UploadOptions,
  WrittenBody,
} from './types.ts';

/** @param url instead of the operation's, with its query. */
export type Send = (operation: OperationEntry, input?: AnyInput, call?: CallOptions, url?: string) => Promise<AnyReply>;

type CredentialsByScheme = Readonly<Record<string, Credential | BasicCredential | undefined>>;

/** Where the server is, without slashes at the end. */
export function baseOf({ baseUrl }: Pick<ClientOptions<object>, 'baseUrl'>): string {
  let base = baseUrl;
  while (base.endsWith('/')) base = base.slice(0, -1);
  return base;
}

export function createSend(schemes: Readonly<Record<string, Scheme>>, options: ClientOptions<object>): Send {
  const base = baseOf(options);
  const credentials = (options.credentials ?? {}) as CredentialsByScheme;
  return async (operation, input = {}, call = {}, url) => {
    const { id, method } = operation;
    const { onUploadProgress }: UploadOptions = call;
    const parameters = serializeParameters(operation, input);
    const headers = new Headers({ Accept: acceptedTypes(operation), ...options.headers, ...call.headers });
    for (const [name, value] of parameters.headers) headers.set(name, value);
    /** Sets the credentials that there are now. @returns the address, which has some of them. */
    const authorize = async (): Promise<string> => {
      const cookies = [...parameters.cookies];
      const query: string[] = [];
      for (const { scheme, value } of await credentialsOf(operation, schemes, credentials)) {
        if (scheme.in === 'header') headers.set(scheme.name, value);
        else (scheme.in === 'query' ? query : cookies).push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(value)}`);
      }
      if (cookies.length > 0) headers.set('Cookie', cookies.join('; '));
      return [url ?? base + parameters.path, ...query].reduce((all, part) =>
        all.includes(part) ? all : `${all}${all.includes('?') ? '&' : '?'}${part}`,
      );
    };
    let target = await authorize();
    const { location } = globalThis as { location?: { href: string } };
    if (!URL.canParse(target, location?.href))
      throw new TypeError(`${id}: ${base} is no address: baseUrl must begin with https:// or http://`);
    const { body, isStream = false, end } = await writeBody(operation, input, headers);
    // What was sent of a stream cannot be sent again.
    const retry = isStream ? false : (call.retry ?? options.retry ?? false);
    const takesKey = operation.parameters?.some(([location, name]) => location === 'headers' && /^idempotency-key$/i.test(name)) === true;
    // The same one for each attempt.
    if (retry !== false && takesKey && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', newKey());
    const deadline = createDeadline(operation, call.timeoutMs ?? (isStream ? Infinity : (options.timeoutMs ?? TIMEOUT_MS)), call.signal);
    const { signal } = deadline;
    // A declared redirect is a response like others, and no other is followed: it would take the key to another place.
    const init: RequestInit = {
      ...options.init,
      ...call.init,
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(isStream && { duplex: 'half' }),
      ...(signal && { signal }),
    };
    /** What `fetch` and the readers of a body throw where the connection fails. */
    const networkErrorOf = (error: unknown): unknown =>
      error instanceof TypeError && signal?.aborted !== true ? new NetworkError(id, target, error) : error;
    /** What the function for the progress has thrown: it ends the call, and is no failure of the network. */
    let thrown: [error: unknown] | undefined;
    const send = async () => {
      deadline.start();
      try {
        await options.onRequest?.({ operation: id, method, url: target, headers });
        if (operation.sendUpload && onUploadProgress)
          return await operation.sendUpload(target, init, onUploadProgress, (error) => (thrown = [error]), options.fetch);
        return await (options.fetch ?? fetch)(target, init);
      } catch (error) {
        throw thrown ? thrown[0] : networkErrorOf(error);
      } finally {
        // The wait for the next attempt does not count.
        deadline.pause();
      }
    };
    let isRenewed = false;
    /** @returns `undefined` if the request is to be sent with other credentials. */
    const read = async (response: Response): Promise<AnyReply | undefined> => {
      if (response.status === 401 && !isStream && !isRenewed && (await options.onUnauthorized?.(id)) === true) {
        isRenewed = true;
        dropBody(response);
        target = await authorize();
        return undefined;
      }
      deadline.resume();
      try {
        return await readReply(operation, response);
      } catch (error) {
        throw networkErrorOf(error);
      } finally {
        deadline.pause();
      }
    };
    let isAnswering = false;
    try {
      const onRetry = (failed: Omit<Retry, 'operation'>) => options.onRetry?.({ operation: id, ...failed });
      const sendAll = () => sendWithRetries(send, read, () => !thrown && isRepeatable(method, headers), retry, signal, onRetry);
      let reply: AnyReply | undefined;
      // Once more at the most: with other credentials.
      while (reply === undefined) reply = await sendAll();
      // A server that answers with items may still read the body of the request.
      isAnswering = typeof reply.body === 'object' && reply.body !== null && Symbol.asyncIterator in reply.body;
      return reply;
    } finally {
      if (!isAnswering) end?.();
    }
  };
}

const TIMEOUT_MS = 30_000;

/** 128 random bits; `crypto.randomUUID` is missing at plain http. */
const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The types of all responses, as the contract names them. */
const acceptedTypes = ({ responses }: OperationEntry): string =>
  [...new Set(Object.values(responses).flatMap(({ types = [] }) => types))].join(', ') || '*/*';

/** Those of the first alternative for which all are there; none if there is no such alternative, which the server answers. */
async function credentialsOf(
  { security = [] }: OperationEntry,
  schemes: Readonly<Record<string, Scheme>>,
  credentials: CredentialsByScheme,
): Promise<{ scheme: Scheme; value: string }[]> {
  const names = security.find((all) => all.length > 0 && all.every((name) => credentials[name] !== undefined)) ?? [];
  return Promise.all(
    names.map(async (name) => {
      const scheme = schemes[name];
      const credential = credentials[name];
      if (scheme === undefined || credential === undefined) throw new Error(`${name} cannot be sent by this client`);
      return { scheme, value: (scheme.prefix ?? '') + (await textOf(credential)) };
    }),
  );
}

async function textOf(credential: Credential | BasicCredential): Promise<string> {
  if (typeof credential === 'function') return credential();
  if (typeof credential === 'string') return credential;
  // In UTF-8 (RFC 7617, section 2.1), which btoa does not know.
  const bytes = new TextEncoder().encode(`${credential.username}:${credential.password}`);
  return btoa(String.fromCharCode(...bytes));
}

async function writeBody(
  { body: types = [], forms, parts, sequences, writeMultipart, writeForm, writeItems }: OperationEntry,
  input: AnyInput,
  headers: Headers,
): Promise<Partial<WrittenBody>> {
  const { body, contentType = types[0] } = input;
  if (body === undefined || contentType === undefined) return {};
  const isObject = typeof body === 'object' && body !== null;
  const isJson = /[/+]json\s*(;|$)/.test(contentType) || contentType === '*/*' || contentType === 'application/*';
  if (writeMultipart && /^multipart\/form-data/i.test(contentType) && isObject && !(body instanceof FormData)) {
    const { type, ...written } = await writeMultipart(body, parts);
    headers.set('Content-Type', type);
    return written;
  }
  // The boundary of a FormData is fetch's to write.
  if (!(body instanceof FormData) && !headers.has('Content-Type'))
    headers.set('Content-Type', contentType.includes('*') ? (isJson ? 'application/json' : 'application/octet-stream') : contentType);
  const sequence = sequences?.[contentType];
  if (writeItems && sequence !== undefined) return writeItems(body, sequence);
  if (isJson) return { body: writeJson(body) };
  if (writeForm && /^application\/x-www-form-urlencoded/i.test(contentType) && isObject)
    return { body: writeForm(body, forms?.[contentType]) };
  return { body: body as WrittenBody['body'], isStream: isObject && 'getReader' in body };
}
