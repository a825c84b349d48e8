/** One corpus of hostile values through each location of a real server: one verdict and one value, or a listed reason why it cannot be sent there. */
import { expect, test } from '@jest/globals';
import { encodeField, encodePairs, encodePart, encodeText } from '@specwright/contract/document';
import { withApp } from 'specwright/testing';
import { HOSTILE_VALUES, type HostileValue } from '../../../contract/test/support/hostile-values.ts';
import { serve } from '../support/serve.ts';

const SCHEMAS: Readonly<Record<HostileValue['type'], string>> = {
  integer: '{ type: integer }',
  int64: '{ type: integer, format: int64, x-int64: bigint }',
  number: '{ type: number }',
  boolean: '{ type: boolean }',
  string: '{ type: string }',
};
const OK = "responses: { '200': { description: ok, content: { application/json: { schema: {} } } } }";
const LOCATIONS = ['body', 'item', 'form', 'part', 'query', 'path', 'header', 'cookie'] as const;
type Location = (typeof LOCATIONS)[number];

function pathOf(location: Location, type: HostileValue['type']): string {
  const schema = SCHEMAS[type];
  const body = (media: string, text: string) =>
    `  /${location}${type}: { post: { operationId: ${location}${type}, requestBody: { required: true, content: { ${media}: { ${text} } } }, ${OK} } }`;
  const wrapped = `schema: { type: object, required: [v], properties: { v: ${schema} } }`;
  if (location === 'body') return body('application/json', `schema: ${schema}`);
  if (location === 'item') return body('application/jsonl', `itemSchema: ${schema}`);
  if (location === 'form') return body('application/x-www-form-urlencoded', wrapped);
  if (location === 'part') return body('multipart/form-data', wrapped);
  const path = `/${location}${type}${location === 'path' ? '/{v}' : ''}`;
  return `  ${path}: { get: { operationId: ${location}${type}, parameters: [{ name: v, in: ${location}, required: true, schema: ${schema} }], ${OK} } }`;
}

type Input = Readonly<Record<'body' | 'query' | 'path' | 'headers' | 'cookies', unknown>>;

async function valueOf(location: Location, input: Input): Promise<unknown> {
  if (location === 'body') return input.body;
  if (location === 'item') {
    for await (const item of input.body as AsyncIterable<unknown>) return item;
    return undefined;
  }
  const group = { form: 'body', part: 'body', query: 'query', path: 'path', header: 'headers', cookie: 'cookies' } as const;
  return (input[group[location]] as { readonly v: unknown }).v;
}

const types = Object.keys(SCHEMAS) as HostileValue['type'][];
const handlers = Object.fromEntries(
  LOCATIONS.flatMap((location) =>
    types.map((type) => [
      location + type,
      async (input: Input, reply: (status: number, payload: object) => unknown) => {
        const value = await valueOf(location, input);
        return reply(200, { body: { read: typeof value === 'bigint' ? `${value}n` : JSON.stringify(value) } });
      },
    ]),
  ),
);
const paths = LOCATIONS.flatMap((location) => types.map((type) => pathOf(location, type)));
const app = withApp(() => serve(`paths:\n${paths.join('\n')}\n`, { handlers }));

const send = (media: string, body: string): RequestInit => ({ method: 'POST', body, headers: { 'Content-Type': media } });

/** @throws TypeError or URIError for what the location cannot carry. */
function requestOf(location: Location, { type, text }: HostileValue): readonly [target: string, init: RequestInit] {
  const json = type === 'string' ? JSON.stringify(text) : text;
  const target = `/${location}${type}`;
  switch (location) {
    case 'body':
      return [target, send('application/json', json)];
    case 'item':
      return [target, send('application/jsonl', json)];
    case 'form':
      return [target, send('application/x-www-form-urlencoded', encodeField('v', {}, text).join('&'))];
    case 'part':
      encodeURIComponent(text);
      return [
        target,
        send(
          'multipart/form-data; boundary=x',
          `--x\r\nContent-Disposition: form-data; name="v"\r\n\r\n${encodePart(text).text}\r\n--x--\r\n`,
        ),
      ];
    case 'query':
      return [`${target}?${encodePairs({ name: 'v', in: 'query' }, text).join('&')}`, {}];
    case 'path':
      return [`${target}/${encodeText({ name: 'v', in: 'path' }, text)}`, {}];
    case 'header':
      return [target, { headers: { v: encodeText({ name: 'v', in: 'header' }, text) } }];
    case 'cookie':
      return [target, { headers: { Cookie: `v=${encodeText({ name: 'v', in: 'cookie' }, text)}` } }];
  }
}

const isJson = (location: Location): boolean => location === 'body' || location === 'item';

/** What a location cannot carry, or reads in a way of its own, each with its reason. */
const EXCEPTIONS: readonly (readonly [reason: string, applies: (location: Location, value: HostileValue) => boolean])[] = [
  ['an unpaired surrogate has no UTF-8: only JSON can escape it', (location, { text }) => !isJson(location) && !text.isWellFormed()],
  [
    'an empty segment and those of dots are another path (RFC 3986, section 5.2.4)',
    (location, { text }) => location === 'path' && /^\.{0,2}$/.test(text),
  ],
  [
    'a field has visible characters and blanks within, of Latin-1 (RFC 9110, section 5.5)',
    (location, { text }) => location === 'header' && /^\s|\s$|[^\t -~\x80-\xff]/.test(text),
  ],
  [
    'JSON has no type integer: a fraction of zero and an exponent are other texts of the same number (JSON Schema, section 4.2.3)',
    (location, { type, text }) =>
      isJson(location) && (type === 'integer' || type === 'int64') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && /[.e]/i.test(text),
  ],
];

async function verdictOf(location: Location, value: HostileValue): Promise<string> {
  const [target, init] = requestOf(location, value);
  const response = await fetch(app.url + target, init);
  const text = await response.text();
  return response.status === 200 ? (JSON.parse(text) as { read: string }).read : String(response.status);
}

/** The locations of a value whose verdicts differ, as a sentence. */
async function differenceOf(value: HostileValue, exceptions = EXCEPTIONS): Promise<string | undefined> {
  const carried = LOCATIONS.filter((location) => !exceptions.some(([, applies]) => applies(location, value)));
  const verdicts = await Promise.all(carried.map((location) => verdictOf(location, value).catch((error: unknown) => String(error))));
  if (new Set(verdicts).size <= 1) return undefined;
  return `${JSON.stringify(value.text).slice(0, 60)}: ${carried.map((location, i) => `${location} ${verdicts[i]?.slice(0, 60)}`).join('; ')}`;
}

test('the corpus has 500 values', () => expect(HOSTILE_VALUES.length).toBeGreaterThan(500));

test.each(types)('%s: one verdict and one value in each location that can carry it', async (type) => {
  const values = HOSTILE_VALUES.filter((value) => value.type === type);
  const wrong: (string | undefined)[] = [];
  for (let i = 0; i < values.length; i += 8)
    wrong.push(...(await Promise.all(values.slice(i, i + 8).map(async (value) => differenceOf(value)))));
  expect(wrong.filter((text) => text !== undefined)).toEqual([]);
});

test.each(EXCEPTIONS)('an exception is needed: %s', async (reason, applies) => {
  const others = EXCEPTIONS.filter(([other]) => other !== reason);
  const values = HOSTILE_VALUES.filter((value) => LOCATIONS.some((location) => applies(location, value))).slice(0, 40);
  const differences = await Promise.all(values.map(async (value) => differenceOf(value, others)));
  expect(differences.filter((text) => text !== undefined)).not.toEqual([]);
});
