/** A property `__proto__` is one like any other, however it is sent: own where it is declared or the object is open, else refused. */
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const KINDS = {
  Declared: '{ type: object, additionalProperties: false, properties: { __proto__: { type: integer } } }',
  Open: '{ type: object, additionalProperties: { type: integer } }',
  Closed: '{ type: object, additionalProperties: false, properties: { a: { type: integer } } }',
};

interface Input {
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
}
interface Way {
  /** The members of the operation that declare the object. */
  readonly declares: (schema: string) => string;
  readonly init?: () => RequestInit;
  /** What follows the path of the operation. */
  readonly url?: string;
  readonly template?: string;
  readonly value: (input: Input) => unknown;
}

const parameter = (location: string, rest: string) => (schema: string) =>
  `parameters: [{ name: v, in: ${location}, required: true, ${rest}, schema: ${schema} }]`;
const media = (type: string, schema: string, rest = '') =>
  `requestBody: { required: true, content: { ${type}: { schema: ${schema}${rest} } } }`;
const wrapped = (schema: string) => `{ type: object, properties: { v: ${schema} } }`;
const post = (body: string | FormData, type?: string) => () => ({
  method: 'POST',
  body,
  ...(type !== undefined && { headers: { 'Content-Type': type } }),
});
const part = (name: string, value: string) => {
  const form = new FormData();
  form.append(name, value);
  return form;
};
const JSON_TEXT = '{"__proto__":1}';
const FORM = 'application/x-www-form-urlencoded';
const whole = ({ body }: Input) => body;
const field = ({ body }: Input) => (body as { v?: unknown }).v;

const WAYS: Readonly<Record<string, Way>> = {
  jsonBody: { declares: (schema) => media('application/json', schema), init: post(JSON_TEXT, 'application/json'), value: whole },
  jsonWithin: {
    declares: (schema) => media('application/json', wrapped(schema)),
    init: post(`{"v":${JSON_TEXT}}`, 'application/json'),
    value: field,
  },
  form: { declares: (schema) => media(FORM, schema), init: post('__proto__=1', FORM), value: whole },
  formBrackets: { declares: (schema) => media(FORM, wrapped(schema)), init: post('v[__proto__]=1', FORM), value: field },
  formEscapedBrackets: { declares: (schema) => media(FORM, wrapped(schema)), init: post('v%5b%5F_proto__%5d=1', FORM), value: field },
  formJson: { declares: (schema) => media(FORM, wrapped(schema)), init: post('v=%7B%22__proto__%22:1%7D', FORM), value: field },
  part: { declares: (schema) => media('multipart/form-data', schema), init: () => post(part('__proto__', '1'))(), value: whole },
  partJson: {
    declares: (schema) => media('multipart/form-data', wrapped(schema)),
    init: () => post(part('v', JSON_TEXT))(),
    value: field,
  },
  queryDeepObject: {
    declares: parameter('query', 'style: deepObject, explode: true'),
    url: '?v[__proto__]=1',
    value: ({ query }) => query['v'],
  },
  queryExploded: { declares: parameter('query', 'style: form, explode: true'), url: '?__proto__=1', value: ({ query }) => query['v'] },
  queryList: { declares: parameter('query', 'style: form, explode: false'), url: '?v=__proto__,1', value: ({ query }) => query['v'] },
  path: { declares: parameter('path', 'style: simple'), template: '/{v}', url: '/__proto__,1', value: ({ path }) => path['v'] },
  header: {
    declares: parameter('header', 'style: simple'),
    init: () => ({ headers: { v: '__proto__,1' } }),
    value: ({ headers }) => headers['v'],
  },
  cookie: {
    declares: parameter('cookie', 'style: form, explode: false'),
    init: () => ({ headers: { Cookie: 'v=__proto__,1' } }),
    value: ({ cookies }) => cookies['v'],
  },
};

const each = Object.entries(WAYS).flatMap(([way, { declares, template = '', init }]) =>
  Object.entries(KINDS).map(([kind, schema]) => ({
    id: way + kind,
    yaml: `  /${way}${kind}${template}: { ${init?.().method === 'POST' ? 'post' : 'get'}: { operationId: ${way}${kind}, ${declares(schema)}, responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }`,
    handler: async (input: Input, reply: (status: number, payload: object) => unknown) => {
      const value = WAYS[way]?.value(input) as object;
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new Error('its prototype was set');
      return reply(200, { body: value });
    },
  })),
);
const app = withApp(() =>
  serve(`paths:\n${each.map(({ yaml }) => yaml).join('\n')}\n`, {
    handlers: Object.fromEntries(each.map(({ id, handler }) => [id, handler])),
  }),
);

async function ask(way: string, kind: keyof typeof KINDS): Promise<[status: number, text: string]> {
  const { init, url = '' } = WAYS[way] as Way;
  const response = await fetch(`${app.url}/${way}${kind}${url}`, init?.());
  return [response.status, await response.text()];
}

test.each(Object.keys(WAYS))('%s: own where it is declared or the object is open, in requests and responses; else 400', async (way) => {
  expect([await ask(way, 'Declared'), await ask(way, 'Open')]).toEqual([
    [200, JSON_TEXT],
    [200, JSON_TEXT],
  ]);
  const [status, text] = await ask(way, 'Closed');
  expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([400, expect.stringContaining('__proto__')]);
});
