/**
 * What the comparison reports, against servers: each edit is a pair of operations, one in the former document and one in the new. Requests that the
 * former server accepts are sent to the new one, and what the new one answers is judged by the former document.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HandlerResponse, apiKey, bearer, createServer, loadContract } from '@specwright/server';
import { type SourceDocument, operationTable, parseSource, readDocument } from '@specwright/contract/document';
import { compareSpecs } from 'openapi-compare';
import { createTestLog, createWitness, listenOnFreePort, type ListeningServer } from 'specwright/testing';

type Fields = Readonly<Record<string, unknown>>;

/** An edit of one operation, in the direction that breaks. */
interface Edit {
  readonly name: string;
  readonly before: Fields;
  readonly after: Fields;
}

interface Sent {
  readonly query?: string;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

const S = (more: Fields = {}): Fields => ({ type: 'string', ...more });
const I = (more: Fields = {}): Fields => ({ type: 'integer', ...more });
const list = (items: Fields, more: Fields = {}): Fields => ({ type: 'array', items, ...more });
const object = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more });
const parameter = (location: string, schema: Fields, more: Fields = {}): Fields => ({
  parameters: [
    {
      name: location === 'path' ? 'id' : location === 'header' ? 'X-Q' : 'q',
      in: location,
      schema,
      ...(location === 'path' && { required: true }),
      ...more,
    },
  ],
});
const content = (given: Fields, more: Fields = {}): Fields => ({ requestBody: { content: given, ...more } });
const json = (schema: Fields, more: Fields = {}): Fields => content({ 'application/json': { schema } }, more);
const form = (type: string, properties: Fields, encoding?: Fields, more: Fields = {}): Fields =>
  content({ [type]: { schema: object(properties, more), ...(encoding && { encoding }) } });
const answers = (given: Fields): Fields => ({
  responses: Object.fromEntries(
    Object.entries(given).map(([status, schema]) => [
      status,
      schema === null ? { description: 'd' } : { description: 'd', content: { 'application/json': { schema } } },
    ]),
  ),
});

/** Schemas, the wider first: the same pairs for each place where a value is sent. */
const NARROWER: readonly (readonly [string, Fields, Fields])[] = [
  ['shorter', S({ maxLength: 9 }), S({ maxLength: 1 })],
  ['longer', S(), S({ minLength: 3 })],
  ['a pattern', S(), S({ pattern: '^[0-9]$' })],
  ['a format', S(), S({ format: 'date' })],
  ['values', S(), S({ enum: ['a', '12'] })],
  ['fewer values', S({ enum: ['a', 'b', '12'] }), S({ enum: ['a', '12'] })],
  ['an integer', S(), I()],
  ['a boolean', S(), { type: 'boolean' }],
  ['a maximum', I(), I({ maximum: 5 })],
  ['a minimum', I({ minimum: 0 }), I({ minimum: 20 })],
  ['a multiple', I(), I({ multipleOf: 5 })],
  ['no fractions', { type: 'number' }, I()],
  ['a narrower maximum', I({ maximum: 100 }), I({ exclusiveMaximum: 12 })],
];
const LISTS: readonly (readonly [string, Fields, Fields])[] = [
  ['fewer items', list(S()), list(S(), { maxItems: 1 })],
  ['more items', list(S()), list(S(), { minItems: 2 })],
  ['other items', list(S()), list(I())],
  ['unique items', list(S()), list(S(), { uniqueItems: true })],
];

export const EDITS: readonly Edit[] = [
  ...['query', 'header', 'path', 'cookie'].flatMap((location): Edit[] => [
    ...[...NARROWER, ...(location === 'cookie' ? [] : LISTS)].map(([name, wide, narrow]) => ({
      name: `${location}: ${name}`,
      before: parameter(location, wide),
      after: parameter(location, narrow),
    })),
    {
      name: `${location}: JSON`,
      before: parameter(location, S()),
      after: {
        parameters: [
          {
            ...(parameter(location, S()) as { parameters: Fields[] }).parameters[0],
            schema: undefined,
            content: { 'application/json': { schema: S() } },
          },
        ],
      },
    },
    ...(location === 'path'
      ? []
      : [
          { name: `${location}: required`, before: parameter(location, S()), after: parameter(location, S(), { required: true }) },
          { name: `${location}: new and required`, before: {}, after: parameter(location, S(), { required: true }) },
          ...(location === 'query' ? [{ name: 'query: removed', before: parameter(location, S()), after: {} }] : []),
        ]),
  ]),
  ...(['pipeDelimited', 'spaceDelimited'] as const).map((style) => ({
    name: `query: ${style}`,
    before: parameter('query', list(I())),
    after: parameter('query', list(I()), { style, explode: false }),
  })),
  { name: 'query: not exploded', before: parameter('query', list(I())), after: parameter('query', list(I()), { explode: false }) },
  {
    name: 'query: deepObject',
    before: parameter('query', object({ a: I() }), { style: 'deepObject' }),
    after: parameter('query', object({ a: I() })),
  },
  { name: 'path: label', before: parameter('path', S()), after: parameter('path', S(), { style: 'label' }) },
  { name: 'path: matrix', before: parameter('path', S()), after: parameter('path', S(), { style: 'matrix' }) },
  ...[...NARROWER, ...LISTS].flatMap(([name, wide, narrow]): Edit[] => [
    { name: `JSON: ${name}`, before: json(object({ q: wide })), after: json(object({ q: narrow })) },
    {
      name: `urlencoded: ${name}`,
      before: form('application/x-www-form-urlencoded', { q: wide }),
      after: form('application/x-www-form-urlencoded', { q: narrow }),
    },
    { name: `multipart: ${name}`, before: form('multipart/form-data', { q: wide }), after: form('multipart/form-data', { q: narrow }) },
    {
      name: `items: ${name}`,
      before: content({ 'application/jsonl': { 'x-item-schema': object({ q: wide }) } }),
      after: content({ 'application/jsonl': { 'x-item-schema': object({ q: narrow }) } }),
    },
  ]),
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'].flatMap((type): Edit[] => [
    {
      name: `${type}: a required property`,
      before: form(type, { q: S() }),
      after: form(type, { q: S(), more: S() }, undefined, { required: ['more'] }),
    },
    { name: `${type}: closed`, before: form(type, { q: S() }), after: form(type, { p: S() }, undefined, { additionalProperties: false }) },
    {
      name: `${type}: read-only`,
      before: form(type, { q: S() }, undefined, { required: ['q'] }),
      after: form(type, { q: S({ readOnly: true }) }, undefined, { required: ['q'] }),
    },
    { name: `${type}: removed`, before: form(type, { q: S() }), after: content({ 'text/plain': { schema: S() } }) },
    { name: `${type}: no body`, before: form(type, { q: S() }), after: {} },
    {
      name: `${type}: less large`,
      before: { ...form(type, { q: S() }), 'x-body-limit': 1000 },
      after: { ...form(type, { q: S() }), 'x-body-limit': 4 },
    },
  ]),
  { name: 'JSON: no null', before: json(object({ q: { type: ['string', 'null'] } })), after: json(object({ q: S() })) },
  { name: 'JSON: one alternative', before: json(object({ q: { oneOf: [S(), I()] } })), after: json(object({ q: I() })) },
  { name: 'JSON: all of', before: json(object({ q: S() })), after: json(object({ q: { allOf: [S(), S({ maxLength: 1 })] } })) },
  { name: 'JSON: a constant', before: json(object({ q: S() })), after: json(object({ q: { const: 'a' } })) },
  { name: 'JSON: one property', before: json(object({ q: S() })), after: json(object({ q: S() }, { minProperties: 1 })) },
  { name: 'a body is required', before: json(object({ q: S() })), after: json(object({ q: S() }), { required: true }) },
  {
    name: 'a file: less large',
    before: form('multipart/form-data', { f: { type: 'string', format: 'binary', maxLength: 100 } }),
    after: form('multipart/form-data', { f: { type: 'string', format: 'binary', maxLength: 2 } }),
  },
  {
    name: 'a file: another type',
    before: form('multipart/form-data', { f: { type: 'string', format: 'binary' } }),
    after: form('multipart/form-data', { f: { type: 'string', format: 'binary' } }, { f: { contentType: 'image/png' } }),
  },
  {
    name: 'a file: a narrower type',
    before: form('multipart/form-data', { f: { type: 'string', format: 'binary' } }, { f: { contentType: 'text/*' } }),
    after: form('multipart/form-data', { f: { type: 'string', format: 'binary' } }, { f: { contentType: 'text/csv' } }),
  },
  {
    name: 'a file: required',
    before: form('multipart/form-data', { q: S(), f: { type: 'string', format: 'binary' } }),
    after: form('multipart/form-data', { q: S(), f: { type: 'string', format: 'binary' } }, undefined, { required: ['f'] }),
  },
  { name: 'security: a key', before: {}, after: { security: [{ key: [] }] } },
  { name: 'security: another scheme', before: { security: [{ key: [] }] }, after: { security: [{ login: [] }] } },
  { name: 'security: both schemes', before: { security: [{ key: [] }] }, after: { security: [{ key: [], login: [] }] } },
  { name: 'security: one alternative', before: { security: [{ key: [] }, { login: [] }] }, after: { security: [{ login: [] }] } },
  { name: 'security: no longer optional', before: { security: [{ key: [] }, {}] }, after: { security: [{ key: [] }] } },
  // Of an answer the direction is the other one: more is what breaks.
  ...[...NARROWER, ...LISTS].map(([name, wide, narrow]): Edit => ({
    name: `answer: ${name}`,
    before: answers({ 200: object({ q: narrow }) }),
    after: answers({ 200: object({ q: wide }) }),
  })),
  {
    name: 'answer: optional',
    before: answers({ 200: object({ q: S() }, { required: ['q'] }) }),
    after: answers({ 200: object({ q: S() }) }),
  },
  {
    name: 'answer: null',
    before: answers({ 200: object({ q: S() }) }),
    after: answers({ 200: object({ q: { type: ['string', 'null'] } }) }),
  },
];

const SCALARS = ['a', 'b', '12', '1', 'abcd', '1.5', '7', '2026-01-01', 'true'];
const boundary = (type: string, name: string) => {
  const data = new FormData();
  data.append(name, new Blob(['abcdef'], { type }), 'a');
  return data;
};
const withField = (value: string) => {
  const data = new FormData();
  data.append('q', value);
  return data;
};
const typed = (type: string, body: string): Sent => ({ headers: { 'Content-Type': type }, body });
const values = SCALARS.flatMap((text): unknown[] => [text, ...(/^(\d+(\.\d+)?|true)$/.test(text) ? [JSON.parse(text) as unknown] : [])]);

/** Requests of every kind: of each operation those count that the former server accepts. */
const REQUESTS: readonly Sent[] = [
  {},
  ...SCALARS.flatMap((text): Sent[] => [
    { query: `q=${text}` },
    { id: text },
    { headers: { 'X-Q': text } },
    { headers: { Cookie: `q=${text}` } },
    typed('application/x-www-form-urlencoded', `q=${text}`),
    { body: withField(text) },
  ]),
  ...values.flatMap((q): Sent[] => [
    typed('application/json', JSON.stringify({ q })),
    typed('application/jsonl', `${JSON.stringify({ q })}\n`),
  ]),
  ...[['a'], ['a', 'a'], ['a', 'b'], [1, 2], []].flatMap((q): Sent[] => [
    typed('application/json', JSON.stringify({ q })),
    typed('application/jsonl', `${JSON.stringify({ q })}\n`),
    { query: q.map((one) => `q=${one}`).join('&') },
    typed('application/x-www-form-urlencoded', q.map((one) => `q=${one}`).join('&')),
  ]),
  typed('application/json', '{"q":null}'),
  typed('application/json', '{}'),
  { query: 'q[a]=1' },
  { body: boundary('text/plain', 'f') },
  { body: boundary('text/csv', 'f') },
  { body: boundary('image/png', 'f') },
  { headers: { 'X-Key': 'k' } },
  { headers: { Authorization: 'Bearer k' } },
];

const ANSWERS: readonly unknown[] = [
  {},
  { q: null },
  ...values.map((q) => ({ q })),
  ...[['a'], ['a', 'a'], ['a', 'b'], [1], []].map((q) => ({ q })),
];

/** Answers of handlers: the path says which. */
const ASKED: readonly Sent[] = ANSWERS.map((_, i) => ({ id: String(i) }));

const parametersOf = (edit: Fields): readonly Fields[] => (edit['parameters'] as readonly Fields[] | undefined) ?? [];

const documentOf = (edits: readonly Edit[], side: 'before' | 'after'): Fields => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: Object.fromEntries(
    edits.map(({ [side]: operation }, i) => [
      `/c${i}/{id}`,
      {
        post: {
          operationId: `c${i}`,
          responses: { 200: { description: 'd', content: { 'application/json': { schema: {} } } } },
          ...operation,
          parameters: [
            ...parametersOf(operation),
            ...(parametersOf(operation).some((one) => one['in'] === 'path')
              ? []
              : [{ name: 'id', in: 'path', required: true, schema: S() }]),
          ],
        },
      },
    ]),
  ),
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, login: { type: 'http', scheme: 'bearer' } } },
});

const isOfAnswer = ({ name }: Edit): boolean => name.startsWith('answer:');

async function startServer(document: Fields, edits: readonly Edit[]): Promise<ListeningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'http-edits-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const source = readDocument(file);
  const contract = await loadContract(file, { digest: source.digest, operations: operationTable(source.document) } as never);
  await rm(folder, { recursive: true });
  const handler = ({ path }: { path: { id: unknown } }) =>
    HandlerResponse.reply(200, { type: 'application/json', body: ANSWERS[Number(path.id)] ?? {} });
  return listenOnFreePort(
    createServer({
      contract,
      handlers: Object.fromEntries(edits.map((_, i) => [`c${i}`, handler])),
      security: { key: apiKey(async () => ({ id: 'a' })), login: bearer(async () => ({ id: 'a' })) },
      responseValidation: 'strict',
      log: createTestLog([]),
    } as never),
  );
}

const send = async (url: string, i: number, { query, id = 'a', headers = {}, body }: Sent) => {
  const response = await fetch(`${url}/c${i}/${id}${query === undefined ? '' : `?${query}`}`, {
    method: 'POST',
    headers,
    ...(body !== undefined && { body }),
  });
  // The headers of every response of the server are no answer of an operation.
  const headersOf = new Headers({ 'content-type': response.headers.get('content-type') ?? '' });
  return { status: response.status, headers: headersOf, text: await response.text() };
};

const NOW = new Date('2026-06-01T00:00:00Z');

export interface Judgement {
  /** Edits that break a client, and are not reported. */
  readonly missed: readonly string[];
  /** Edits that are reported. */
  readonly reported: readonly string[];
  /** Of how many edits a break was met. */
  readonly met: number;
}

/** Compares two documents that differ by the edits, and asks servers of both. */
export async function judgeEdits(edits: readonly Edit[]): Promise<Judgement> {
  const [before, after] = [documentOf(edits, 'before'), documentOf(edits, 'after')];
  const sources = [before, after].map((document) => parseSource('spec.json', JSON.stringify(document))) as [SourceDocument, SourceDocument];
  const changes = await compareSpecs(...sources, NOW);
  const reported = new Set(changes.flatMap(({ operations }) => operations));
  const former = createWitness(before);
  const servers = [await startServer(before, edits), await startServer(after, edits)] as const;
  const missed: string[] = [];
  let met = 0;
  try {
    for (const [i, edit] of edits.entries()) {
      const broken = await findBreak(servers, i, edit, (response) => former.problems(`c${i}`, response));
      if (broken === undefined) continue;
      met++;
      if (!reported.has(`POST /c${i}/{id}`)) missed.push(`${edit.name}: ${broken}`);
    }
  } finally {
    for (const server of servers) await server.close();
  }
  return { missed, met, reported: edits.flatMap(({ name }, i) => (reported.has(`POST /c${i}/{id}`) ? [name] : [])) };
}

type Response = Awaited<ReturnType<typeof send>>;

/** @returns what a client of the former document meets. */
async function findBreak(
  [former, current]: readonly [{ readonly url: string }, { readonly url: string }],
  i: number,
  edit: Edit,
  problemsOf: (response: Response) => readonly string[],
): Promise<string | undefined> {
  for (const request of isOfAnswer(edit) ? ASKED : REQUESTS) {
    // What the former document does not allow to be sent is no request of its clients.
    if (!isOfAnswer(edit) && (await send(former.url, i, request)).status >= 400) continue;
    const answer = await send(current.url, i, request);
    const isServed = answer.status < 400;
    if (!isServed && !isOfAnswer(edit)) return `${JSON.stringify(request)} is ${answer.status} ${answer.text.slice(0, 200)}`;
    const problems = isServed ? problemsOf(answer) : [];
    if (problems.length > 0) return `${answer.text.slice(0, 200)}: ${problems.join('; ')}`;
  }
  return undefined;
}

/** Edits whose reverse breaks too: what is written in another way, another type, something that is gone. */
const BREAKS_BOTH_WAYS =
  /^answer|: JSON$|Delimited|exploded|deepObject|label|matrix|removed|no body|closed|read-only|an integer|a boolean|other items|another scheme|new and required|a required property/;

/** The other edits, reversed: they break nobody. */
export const HARMLESS: readonly Edit[] = EDITS.flatMap(({ name, before, after }) =>
  BREAKS_BOTH_WAYS.test(name) ? [] : [{ name: `reverse of ${name}`, before: after, after: before }],
);
