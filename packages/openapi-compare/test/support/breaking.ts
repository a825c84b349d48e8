/** Pairs of small specs for the tests of breaking changes: many cases, each on a path of its own, compared in one run. */
import { parseSource, type SourceDocument } from '@specwright/contract/document';

type Fields = Record<string, unknown>;

/** One change, and the rules that have to find it: none, if no client breaks. Methods of one path, or components by name. */
export type Case = readonly [name: string, before: Fields, after: Fields, finds: readonly string[]];

const RESPONSES = { 200: { description: 'ok' } };

/** An operation that takes nothing and answers nothing, but for what is given. */
export const operation = (fields: Fields = {}): Fields => ({ operationId: 'op', responses: RESPONSES, ...fields });
export const get = (fields: Fields = {}) => ({ get: operation(fields) });
export const parameters = (...list: Fields[]) => get({ parameters: list });
export const query = (fields: Fields = {}): Fields => ({ name: 'q', in: 'query', schema: { type: 'string' }, ...fields });
export const responses = (...statuses: string[]) =>
  get({ responses: Object.fromEntries(statuses.map((status) => [status, { description: 'd' }])) });

/** An operation with this body; @param fields of the body itself. */
export const request = (schema: Fields, { types = ['application/json'], ...fields }: { types?: string[]; required?: boolean } = {}) => ({
  post: operation({ requestBody: { required: true, content: content(schema, types), ...fields } }),
});

/** An operation that answers with this body. */
export const response = (schema: Fields, types = ['application/json'], headers?: Fields) =>
  get({ responses: { 200: { description: 'ok', content: content(schema, types), ...(headers && { headers }) } } });

const content = (schema: Fields, types: readonly string[]) => Object.fromEntries(types.map((type) => [type, { schema }]));

/** An answer with one header. */
export const header = (fields?: Fields, name = 'X-A') =>
  get({ responses: { 200: { description: 'ok', headers: { ...(fields && { [name]: fields }), 'X-Z': { schema: { type: 'string' } } } } } });

/** The path that a case has, as its number. */
export const pathOf = (index: number) => `/case-${index}`;

const PLANS = { plans: { free: { minute: 60, day: 1000 }, pro: { minute: 300, day: 9000 } }, address: { minute: 60, day: 5000 } };
const KEY = { type: 'http', scheme: 'bearer' };

/** All the cases as one document, before or after. @param fields of its root; what is undefined is left out. */
export function documentOf(cases: readonly Case[], side: 'before' | 'after', fields: Fields = {}): SourceDocument {
  const paths = Object.fromEntries(
    cases.map(([, before, after], i) => [
      pathOf(i),
      Object.fromEntries(
        Object.entries(side === 'before' ? before : after).map(([method, value]) => [
          method,
          method === 'parameters'
            ? value
            : { ...(value as Fields), operationId: `${(value as Fields)['operationId'] as string}-${method}-${i}` },
        ]),
      ),
    ]),
  );
  const components = {
    securitySchemes: { key: KEY, other: KEY },
    parameters: { Q: query() },
    schemas: { Same: OBJECT, Word: { type: 'string', maxLength: side === 'before' ? 10 : 5 } },
  };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    security: [{ key: [] }],
    'x-rate-limit-plans': PLANS,
    paths,
    components,
    ...fields,
  };
  return parseSource(`${side}.json`, JSON.stringify(document));
}

/** An object with one property of each kind. */
export const OBJECT = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 10, pattern: '^a' },
    kind: { type: 'string', enum: ['a', 'b'] },
    age: { type: 'integer', format: 'int32', nullable: true, minimum: 0, maximum: 9, default: 1 },
    list: { type: 'array', maxItems: 5, items: { type: 'object', properties: { deep: { type: 'string' }, more: { type: 'string' } } } },
  },
};

/** `OBJECT` with other keywords at a place: `changed('properties.name', { maxLength: 5 })`. `undefined` removes one. */
export function changed(place: string, keywords: Fields, from: Fields = OBJECT): Fields {
  const copy = structuredClone(from);
  const keys = place === '' ? [] : place.split('.');
  const target = keys.reduce<Fields>((parent, key) => parent[key] as Fields, copy);
  Object.assign(target, keywords);
  return copy;
}
