/** One reader of JSON: a hostile text is refused alike as a body, an item, a field of a form, a part and a parameter. */
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const CLOSED = '{ type: object, additionalProperties: false, properties: { a: {}, n: { type: integer, format: int64, x-int64: bigint } } }';
const OPEN = '{ type: object }';
const OK = "responses: { '200': { description: ok, content: { application/json: { schema: {} } } } }";
const post = (id: string, type: string, schema: string) =>
  `post: { operationId: ${id}, requestBody: { required: true, content: { ${type}: { ${schema} } } }, ${OK} }`;
const wrapped = (schema: string) => `schema: { type: object, properties: { v: ${schema} } }`;
const parameter = (id: string, location: string, schema: string) =>
  `get: { operationId: ${id}, parameters: [{ name: v, in: ${location}, required: true, content: { application/json: { schema: ${schema} } } }], ${OK} }`;
const paths = Object.entries({ Closed: CLOSED, Open: OPEN }).flatMap(([kind, schema]) => [
  `  /body${kind}: { ${post(`body${kind}`, 'application/json', `schema: ${schema}`)} }`,
  `  /item${kind}: { ${post(`item${kind}`, 'application/jsonl', `itemSchema: ${schema}`)} }`,
  `  /form${kind}: { ${post(`form${kind}`, 'application/x-www-form-urlencoded', `${wrapped(schema)}, encoding: { v: { contentType: application/json } }`)} }`,
  `  /part${kind}: { ${post(`part${kind}`, 'multipart/form-data', wrapped(schema))} }`,
  `  /query${kind}: { ${parameter(`query${kind}`, 'query', schema)} }`,
  `  /header${kind}: { ${parameter(`header${kind}`, 'header', schema)} }`,
  `  /cookie${kind}: { ${parameter(`cookie${kind}`, 'cookie', schema)} }`,
]);

interface Input {
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
}
const DOORS: Record<string, { init: (json: string) => RequestInit; search?: (json: string) => string; value: (input: Input) => unknown }> =
  {
    body: { init: (json) => ({ method: 'POST', body: json, headers: { 'Content-Type': 'application/json' } }), value: ({ body }) => body },
    item: {
      init: (json) => ({ method: 'POST', body: json, headers: { 'Content-Type': 'application/jsonl' } }),
      value: async ({ body }) => {
        for await (const item of body as AsyncIterable<unknown>) return item;
        return undefined;
      },
    },
    form: { init: (json) => ({ method: 'POST', body: new URLSearchParams({ v: json }) }), value: ({ body }) => (body as { v: unknown }).v },
    part: {
      init: (json) => {
        const form = new FormData();
        form.append('v', json);
        return { method: 'POST', body: form };
      },
      value: ({ body }) => (body as { v: unknown }).v,
    },
    query: { init: () => ({}), search: (json) => `?${new URLSearchParams({ v: json }).toString()}`, value: ({ query }) => query['v'] },
    header: { init: (json) => ({ headers: { v: json } }), value: ({ headers }) => headers['v'] },
    cookie: { init: (json) => ({ headers: { Cookie: `v=${encodeURIComponent(json)}` } }), value: ({ cookies }) => cookies['v'] },
  };

const handlers = Object.fromEntries(
  Object.entries(DOORS).flatMap(([door, { value }]) =>
    ['Closed', 'Open'].map((kind) => [
      door + kind,
      async (input: Input, reply: (status: number, payload: object) => unknown) =>
        reply(200, {
          body: { read: JSON.stringify(await value(input), (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) },
        }),
    ]),
  ),
);
const app = withApp(() => serve(`paths:\n${paths.join('\n')}\n`, { handlers }));

async function ask(door: string, kind: string, json: string): Promise<[status: number, body: { read?: string; message?: string }]> {
  const { init, search } = DOORS[door] as (typeof DOORS)[string];
  const response = await fetch(`${app.url}/${door}${kind}${search?.(json) ?? ''}`, init(json));
  return [response.status, (await response.json()) as object];
}

const DEEP = 20;
const HOSTILE: Record<string, [json: string, problem: RegExp]> = {
  'a property twice': ['{"a":1,"a":2}', /\/a is given twice/],
  'a property twice, once escaped': ['{"a":1,"\\u0061":2}', /\/a is given twice/],
  'a property twice, deep within': [`{"a":${'['.repeat(DEEP)}{"b":1,"b":1}${']'.repeat(DEEP)}}`, /\/b is given twice/],
  'a property twice, between white space': ['{"a":1 , "a" : 2}', /\/a is given twice/],
  'a property twice, beside texts that look like JSON': ['{"a":[0,{"b":":,{}[]","c\\"":1,"c\\"":2}]}', /\/a\/1\/c" is given twice/],
  'an empty name twice': ['{"a":{"":1,"":2}}', /\/a\/ is given twice/],
  '__proto__ twice': ['{"__proto__":1,"__proto__":2}', /\/__proto__ is given twice/],
  'an unpaired surrogate': ['{"a":"\\ud800"}', /has an unpaired surrogate/],
  'an unpaired surrogate, in capitals': ['{"a":"\\uDBFF"}', /has an unpaired surrogate/],
  'an unpaired surrogate in a name': ['{"a":{"\\udfff":1}}', /has an unpaired surrogate/],
  'an integer that a number cannot hold': ['{"a":9007199254740993}', /\/a is an integer that a number cannot hold/],
  'a number beyond all others': ['{"a":1e999}', /\/a is larger than every number/],
  '1,001 lists in each other': [`{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, /is nested deeper than 1000 objects and lists/],
  'a trailing comma': ['{"a":1,}', /JSON/],
  'a comment': ['{"a":1/**/}', /JSON/],
  NaN: ['{"a":NaN}', /JSON/],
  'two values': ['{"a":1}{"a":2}', /JSON/],
  'a single quote': ["{'a':1}", /JSON/],
};

test.each(Object.keys(DOORS).flatMap((door) => Object.keys(HOSTILE).map((name) => [door, name] as const)))(
  'as JSON in %s, %s is 400',
  async (door, name) => {
    const [json, problem] = HOSTILE[name] as [string, RegExp];
    for (const kind of ['Closed', 'Open']) {
      const [status, { message }] = await ask(door, kind, json);
      expect([kind, status, message]).toEqual([kind, 400, expect.stringMatching(problem)]);
    }
  },
);

test.each(Object.keys(DOORS))(
  'in %s, __proto__ is a name like any other: 400 where it is not declared, and else no prototype',
  async (door) => {
    const json = '{"__proto__":{"a":1}}';
    const [status, { message }] = await ask(door, 'Closed', json);
    expect([status, message]).toEqual([400, expect.stringContaining('/__proto__ is not declared')]);
    expect(await ask(door, 'Open', json)).toEqual([200, { read: json }]);
  },
);

test.each(Object.keys(DOORS))('in %s, valid JSON has one value', async (door) => {
  for (const [json, read] of [
    ['{"a":"a:b, {\\"a\\": 1}"}', '{"a":"a:b, {\\"a\\": 1}"}'],
    ['{"a":"\\\\\\":"}', '{"a":"\\\\\\":"}'],
    ['{"a":[{"b":1},{"b":1}]}', '{"a":[{"b":1},{"b":1}]}'],
    ['{"a":"\\ud83d\\ude00:\\"{"}', '{"a":"😀:\\"{"}'],
    [`{"a":${'['.repeat(999)}${']'.repeat(999)}}`, `{"a":${'['.repeat(999)}${']'.repeat(999)}}`],
    ['{"n":9007199254740993}', '{"n":"9007199254740993n"}'],
  ] as const)
    expect(await ask(door, 'Closed', json)).toEqual([200, { read }]);
});

test('a list in a list, 30,000 deep, does not exhaust the stack', async () => {
  const [status, { message }] = await ask('body', 'Open', `${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  expect([status, message]).toEqual([400, 'body is nested deeper than 1000 objects and lists']);
});
