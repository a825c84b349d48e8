/* A request as code: curl, fetch, the typed client and Python. Plain JavaScript of a browser. */

const NAME = /^[A-Za-z_$][\w$]*$/;
const isFile = (value) => value instanceof Blob;
const fileName = (file) => file.name || 'FILE';
const quote = (text) => JSON.stringify(text);

/** In single quotes of a shell. */
const quoteShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const SCRIPT = { indent: '  ', words: {}, key: (name) => (NAME.test(name) ? name : quote(name)), file: () => 'file' };
const PYTHON = {
  indent: '    ',
  words: { null: 'None', true: 'True', false: 'False' },
  key: quote,
  file: (file) => `open(${quote(fileName(file))}, "rb")`,
};

/** A value as code. A function in it gets the indentation, and returns code. */
function literal(value, language, by = '') {
  if (typeof value === 'function') return value(by);
  if (isFile(value)) return language.file(value);
  // Strings of JSON are strings of both languages.
  if (value === null || typeof value !== 'object') return language.words[value] ?? JSON.stringify(value);
  const inner = by + language.indent;
  const parts = Array.isArray(value)
    ? value.map((part) => literal(part, language, inner))
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([name, part]) => `${language.key(name)}: ${literal(part, language, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return parts.length === 0 ? open + close : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${by}${close}`;
}

function parseJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** @returns headers without what the sender adds, and the body as fields of a form, a file, JSON or other text. */
function readRequest({ method, url, headers, body }) {
  const isForm = body instanceof FormData;
  // A form gets its type, with the boundary, when it is sent.
  const sent = Object.entries(headers).filter(([name]) => !isForm || name.toLowerCase() !== 'content-type');
  const type = sent.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    method: method.toUpperCase(),
    url,
    headers: Object.fromEntries(sent),
    isStream: sent.some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('event-stream')),
    fields: isForm ? [...body.entries()] : undefined,
    file: isFile(body) ? body : undefined,
    text: typeof body === 'string' ? body : undefined,
    json: typeof body === 'string' && /json/i.test(type) ? parseJson(body) : undefined,
  };
}

function formatCurl({ method, url, headers, fields = [], file, text, isStream }) {
  const field = ([name, value]) =>
    isFile(value) ? `-F ${quoteShell(`${name}=@${fileName(value)}`)}` : `--form-string ${quoteShell(`${name}=${value}`)}`;
  return [
    `curl ${isStream ? '-N ' : ''}${{ GET: '', HEAD: '--head ' }[method] ?? `-X ${method} `}${quoteShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...fields.map(field),
    ...(file === undefined ? [] : [`--data-binary ${quoteShell(`@${fileName(file)}`)}`]),
    ...(text === undefined ? [] : [`--data-raw ${quoteShell(text)}`]),
  ].join(' \\\n  ');
}

function formatFetch({ method, url, headers, fields, file, text, json, isStream }) {
  const form = (fields ?? []).map(([name, value]) => `form.append(${quote(name)}, ${literal(value, SCRIPT)});\n`);
  const body = fields ? () => 'form' : json ? (by) => `JSON.stringify(${literal(json.value, SCRIPT, by)})` : (file ?? text);
  return [
    fields ? `const form = new FormData();\n${form.join('')}` : '',
    `const response = await fetch(${quote(url)}, ${literal({ method, headers, body }, SCRIPT)});\n`,
    isStream
      ? 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);'
      : 'console.log(response.status, await response.text());',
  ].join('');
}

function formatPython({ method, url, headers, fields, file, text, json, isStream }) {
  const part = (value) =>
    isFile(value)
      ? `(${quote(fileName(value))}, ${literal(value, PYTHON)}, ${quote(value.type || 'application/octet-stream')})`
      : `(None, ${quote(value)})`;
  const files = fields?.map(
    ([name, value]) =>
      () =>
        `(${quote(name)}, ${part(value)})`,
  );
  const data = json ? undefined : (file ?? (text === undefined ? undefined : () => `${quote(text)}.encode()`));
  const options = Object.entries({ headers, json: json?.value, data, files }).filter(([, value]) => value !== undefined);
  if (isStream) options.push(['stream', true]);
  const lines = [quote(method), quote(url), ...options.map(([name, value]) => `${name}=${literal(value, PYTHON, PYTHON.indent)}`)];
  return [
    'import requests\n\nresponse = requests.request(\n',
    ...lines.map((line) => `${PYTHON.indent}${line},\n`),
    isStream
      ? ')\nfor line in response.iter_lines(decode_unicode=True):\n    print(line)'
      : ')\nprint(response.status_code, response.text)',
  ].join('');
}

/** The client that `specwright client` writes. */
const formatClient = ({ operationId, base, credentials, input, isStream }) =>
  [
    "import { createClient } from './generated/client.ts';\n",
    `const client = createClient(${literal({ baseUrl: base, credentials }, SCRIPT)});`,
    `const reply = await client${NAME.test(operationId) ? `.${operationId}` : `[${quote(operationId)}]`}(${input ? literal(input, SCRIPT) : ''});`,
    isStream ? 'if (reply.ok) for await (const item of reply.body) console.log(item);' : 'console.log(reply.status, reply.body);',
  ].join('\n');

/** By the name of the language. @param request with method, url, headers and body. @param call of the client. */
export const SAMPLES = {
  curl: ({ request }) => formatCurl(readRequest(request)),
  fetch: ({ request }) => formatFetch(readRequest(request)),
  client: ({ request, call }) => formatClient({ ...call, isStream: readRequest(request).isStream }),
  Python: ({ request }) => formatPython(readRequest(request)),
};
