/** What the adapters in JavaScript share: the operations of the document, the answers that are asked, and the credentials. */
import { readFileSync } from 'node:fs';

export const file = process.env.CONTRACT;
export const document = JSON.parse(readFileSync(file, 'utf8'));
export const port = Number(process.env.PORT);

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
export const resolve = (value) =>
  value?.$ref?.startsWith('#/')
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key.replace(/~1/g, '/')], document)
    : value;

/** Each operation, with its path, its method and the parameters of its path. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  [
    ...METHODS.filter((method) => item[method]).map((method) => [method, item[method]]),
    ...Object.entries(item.additionalOperations ?? {}).map(([method, operation]) => [method.toLowerCase(), operation]),
  ].map(([method, operation]) => ({
    path,
    method,
    ...operation,
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve),
    bodies: resolve(operation.requestBody)?.content ?? {},
  })),
);

/** The media types of request bodies that are neither JSON, nor text, nor a form: a server asks a parser of bytes for them. */
export const byteTypes = [...new Set(operations.flatMap(({ bodies }) => Object.keys(bodies)))].filter(
  (type) => !/json|^text\/|x-www-form-urlencoded|^multipart\//.test(type),
);

/** The declared parameters of a location, as the tool gives them. Some give the names of header fields in lower case. */
export const pick = ({ parameters }, location, values = {}) =>
  Object.fromEntries(
    parameters.filter((each) => each.in === location).map(({ name }) => [name, values[name] ?? values[name.toLowerCase()]]),
  );

/** A body as JSON: bytes are base64. */
export const plain = (body) => (body instanceof Uint8Array ? { bytes: Buffer.from(body).toString('base64') } : body);

/** The fields and files of a form: files under the name of their field, a list if the property is one. */
export function form({ bodies }, fields, files) {
  const properties = resolve(bodies['multipart/form-data']?.schema)?.properties ?? {};
  const body = { ...fields };
  for (const { name } of files) delete body[name];
  for (const { name, bytes, filename } of files) {
    const part = { ...plain(bytes), filename };
    body[name] = resolve(properties[name])?.type === 'array' ? [...(body[name] ?? []), part] : part;
  }
  return body;
}

/** The answer that a request asks for, with the media type that the operation declares for it. */
export function asked(operation, text) {
  const answer = typeof text === 'string' ? JSON.parse(text) : text;
  if (answer.throws !== undefined) throw new Error('asked to throw');
  const { status, headers = {} } = answer;
  const { responses } = operation;
  const types = Object.keys(resolve(responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default)?.content ?? {});
  const isJson = 'json' in answer;
  const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const usual = isJson ? 'application/json' : 'text' in answer ? 'text/plain' : 'application/octet-stream';
  const type =
    sent ??
    types.find((each) => !each.includes('*') && each.includes('json') === (isJson || 'items' in answer)) ??
    types.find((each) => !each.includes('*')) ??
    usual;
  const bytes = 'bytes' in answer ? Buffer.from(answer.bytes, 'base64') : undefined;
  return { ...answer, headers, type, bytes, parts: answer.items?.map((item) => partOf(type, item)) };
}

/** An item of a stream as its media type writes it. */
function partOf(type, item) {
  const text = JSON.stringify(item);
  if (type.startsWith('application/json-seq')) return `\u001e${text}\n`;
  if (!type.startsWith('text/event-stream')) return `${text}\n`;
  const lines = Object.entries(item).flatMap(([name, value]) =>
    (typeof value === 'object' ? JSON.stringify(value) : String(value)).split('\n').map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join('')}\n`;
}

/** Sends the answer that is asked, as a handler of Express does. */
export function send({ status, headers, type, json, text, bytes, parts }, res) {
  res.status(status).set(headers);
  if (parts !== undefined) {
    res.type(type);
    for (const part of parts) res.write(part);
    res.end();
  } else if (json !== undefined) res.type(type).json(json);
  else if (text !== undefined || bytes !== undefined) res.type(type).send(text ?? bytes);
  else res.end();
}

const SCOPES = { valid: ['read'], admin: ['read', 'write'] };

/** Whether a credential has the scopes; `undefined` if it is unknown. */
export const hasScopes = (credential, scopes) =>
  SCOPES[credential] ? scopes.every((each) => SCOPES[credential].includes(each)) : undefined;

/** The credential that a request has for a security scheme: the API key, the bearer token, or the password of the user `user`. */
export function credentialOf(scheme, { headers, query, cookies }) {
  if (scheme.type === 'apiKey')
    return { header: headers[scheme.name.toLowerCase()], query: query?.[scheme.name], cookie: cookies?.[scheme.name] }[scheme.in];
  const [kind = '', value = ''] = (headers.authorization ?? '').split(' ');
  if (scheme.type !== 'http' || scheme.scheme.toLowerCase() === 'bearer') return kind.toLowerCase() === 'bearer' ? value : undefined;
  return kind.toLowerCase() === 'basic'
    ? Buffer.from(value, 'base64')
        .toString()
        .match(/^user:(.*)$/s)?.[1]
    : undefined;
}
