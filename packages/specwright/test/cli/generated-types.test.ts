/** The types of what real documents contain compile, and say what the validator accepts. One program checks all rows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { generate } from '../../src/generate/generate.ts';
import { checkGenerated } from './support/native-compiler.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

interface Row {
  readonly name: string;
  /** Of the request and the response of the operation `op`. */
  readonly schema: string;
  readonly schemas?: string;
  readonly id?: string;
  /** In place of a document with one operation. */
  readonly document?: string;
  /** Handlers that compile, but for the lines with `@ts-expect-error`. */
  readonly handlers: string;
}

const NULLABLE = '    N: { type: object, nullable: true, properties: { a: { type: string } } }';
const LISTS =
  '    A: { type: object, properties: { list: { type: array, items: { type: object, required: [q], properties: { q: { type: integer } } } }, maybe: { type: object, properties: { x: { type: string } } } } }';

const DEFAULTS = `
    Count: { type: object, properties: { n: { type: integer, default: 1 } } }
    Part: { type: object, properties: { part: { type: string, default: p } } }
    Shared:
      type: object
      required: [list]
      allOf: [{ $ref: '#/components/schemas/Part' }]
      properties:
        own: { type: integer, default: 1 }
        stamp: { type: string, readOnly: true, default: s }
        nested: { $ref: '#/components/schemas/Count' }
        list: { type: array, items: { $ref: '#/components/schemas/Count' } }
        map: { type: object, additionalProperties: { $ref: '#/components/schemas/Count' } }
        maybe: { nullable: true, properties: { text: { type: string, default: t } } }
        parent: { $ref: '#/components/schemas/Shared' }`;

const ROWS: readonly Row[] = [
  {
    name: 'integers of x-int64 are bigint, in parts, lists, references and enums, with null where it is allowed',
    schema: "{ $ref: '#/components/schemas/Account' }",
    schemas: `
    Id: { type: integer, format: int64, x-int64: bigint }
    Account:
      type: object
      required: [id, none, list, kind, map, count]
      properties:
        id: { $ref: '#/components/schemas/Id' }
        none: { type: integer, format: int64, x-int64: bigint, nullable: true }
        list: { type: array, items: { type: integer, format: int64, x-int64: bigint } }
        kind: { type: integer, format: int64, x-int64: bigint, enum: [1, -2] }
        map: { type: object, additionalProperties: { $ref: '#/components/schemas/Id' } }
        count: { type: integer, format: int64 }
        version: { type: integer, format: int64, x-int64: bigint, default: 1 }`,
    handlers: `
  op: async ({ body }, reply) => {
    const id: bigint = body.id;
    const none: bigint | null = body.none;
    const list: bigint[] = body.list;
    const kind: 1n | -2n = body.kind;
    const version: bigint = body.version;
    const count: number = body.count;
    const rest = { none, list, kind, map: { a: id, b: version }, count };
    // @ts-expect-error a number is no bigint
    reply(200, { body: { id: 1, ...rest } });
    // @ts-expect-error null is not allowed
    reply(200, { body: { id: null, ...rest } });
    // @ts-expect-error 3n is none of the values
    reply(200, { body: { id, ...rest, kind: 3n } });
    // @ts-expect-error x-int64 is not said of count
    reply(200, { body: { id, ...rest, count: 3n } });
    return reply(200, { body: { id, ...rest } });
  },`,
  },
  {
    name: 'texts of format date-time are Date where the contract says so, in parts, lists, references and unions, and with defaults',
    schema: "{ $ref: '#/components/schemas/Event' }",
    schemas: `
    At: { type: string, format: date-time, x-date-time: date }
    Event:
      type: object
      required: [at, none, list, either, map, text]
      properties:
        at: { $ref: '#/components/schemas/At' }
        none: { type: string, format: date-time, x-date-time: date, nullable: true }
        list: { type: array, items: { $ref: '#/components/schemas/At' } }
        either: { oneOf: [{ type: integer }, { $ref: '#/components/schemas/At' }] }
        map: { type: object, additionalProperties: { $ref: '#/components/schemas/At' } }
        made: { type: string, format: date-time, x-date-time: date, default: '2026-12-24T12:00:00Z' }
        text: { type: string, format: date-time }
        read: { type: string, format: date-time, x-date-time: date, readOnly: true }`,
    handlers: `
  op: async ({ body }, reply) => {
    const at: Date = body.at;
    const none: Date | null = body.none;
    const list: Date[] = body.list;
    const either: number | Date = body.either;
    const made: Date = body.made;
    const text: string = body.text;
    const rest = { none, list, either, map: { a: at }, text };
    // @ts-expect-error a text is no Date
    reply(200, { body: { at: text, ...rest } });
    // @ts-expect-error null is not allowed
    reply(200, { body: { at: null, ...rest } });
    // @ts-expect-error x-date-time is not said of text
    reply(200, { body: { at, ...rest, text: at } });
    return reply(200, { body: { at, ...rest, made, read: made } });
  },`,
  },
  {
    name: 'allOf of a nullable object with required',
    schema: "{ allOf: [{ $ref: '#/components/schemas/N' }], required: [a] }",
    schemas: NULLABLE,
    handlers: `
  op: async ({ body }, reply) => {
    const a: string | undefined = body?.a;
    if (a === undefined) return reply(200, { body: null });
    // @ts-expect-error a is required
    reply(200, { body: {} });
    return reply(200, { body: { a } });
  },`,
  },
  {
    name: 'allOf of a reference into an optional property with required',
    schema: "{ allOf: [{ $ref: '#/components/schemas/A/properties/maybe' }], required: [x] }",
    schemas: LISTS,
    handlers: `
  op: async ({ body: { x } }, reply) => {
    // @ts-expect-error x is required
    reply(200, { body: {} });
    return reply(200, { body: { x } });
  },`,
  },
  {
    name: 'a reference to the items of a list in a named schema',
    schema: "{ $ref: '#/components/schemas/A/properties/list/items' }",
    schemas: LISTS,
    handlers: `
  op: async ({ body }, reply) => {
    const q: number = body.q;
    // @ts-expect-error q is a number
    reply(200, { body: { q: '1' } });
    return reply(200, { body: { q } });
  },`,
  },
  {
    name: 'allOf beside a $ref is ignored, whatever it is',
    schema:
      "{ type: object, required: [z], properties: { z: { $ref: '#/components/schemas/Text', allOf: { type: object }, properties: { q: 5 }, readOnly: true } } }",
    schemas: '    Text: { type: string }',
    handlers: `
  op: async ({ body: { z } }, reply) => {
    const text: string = z;
    return reply(200, { body: { z: text } });
  },`,
  },
  {
    name: 'a default is present in a request, and optional in a response',
    schema: "{ $ref: '#/components/schemas/Shared' }",
    schemas: DEFAULTS,
    handlers: `
  op: async ({ body }, reply) => {
    const own: number = body.own;
    const nested: number = body.nested?.n ?? body.map?.['a']?.n ?? 0;
    const inList: number[] = body.list.map(({ n }) => n);
    const part: string = body.part;
    const parent: number | undefined = body.parent?.own;
    const stamp: string | undefined = body.maybe?.text;
    const text: string = body.maybe!.text;
    // @ts-expect-error the validator refuses readOnly properties
    void body.stamp;
    // @ts-expect-error list is required
    reply(200, { body: {} });
    // @ts-expect-error own is a number
    reply(200, { body: { list: [], own: '1' } });
    reply(200, { body: { own, part, list: inList.map((n) => ({ n })), nested: { n: nested }, stamp: 's', parent: { list: [] } } });
    void [parent, stamp, text];
    return reply(200, { body: { list: [{}], nested: {}, map: { a: {} } } });
  },`,
  },
  {
    name: 'a default that its own schema rejects is not filled in',
    schema: '{ type: object, properties: { a: { type: string, default: null }, b: { type: integer, default: "1" } } }',
    handlers: `
  op: async ({ body }, reply) => {
    const b: number = body.b;
    // @ts-expect-error a may be absent
    const a: string = body.a;
    return reply(200, { body: { a, b } });
  },`,
  },
  {
    name: 'a default within a union is not filled in',
    schema: '{ oneOf: [{ type: object, properties: { a: { type: string, default: x } } }, { type: integer }] }',
    handlers: `
  op: async ({ body }, reply) => {
    if (typeof body === 'number') return reply(200, { body });
    // @ts-expect-error a may be absent
    const a: string = body.a;
    return reply(200, { body: a === '' ? {} : body });
  },`,
  },
  {
    name: 'a default in a body without a name',
    schema:
      '{ type: object, properties: { a: { type: string, nullable: true, default: null }, "b-c": { type: array, items: { type: object, properties: { d: { type: boolean, default: true } } } } } }',
    handlers: `
  op: async ({ body }, reply) => {
    const a: string | null = body.a;
    const d: boolean | undefined = body['b-c']?.[0]?.d;
    const all: boolean[] = (body['b-c'] ?? []).map((item) => item.d);
    void [a, d, all];
    return reply(200, { body: {} });
  },`,
  },
  {
    name: 'operations of OpenAPI 3.2, of which webhooks are none',
    schema: '',
    document: `openapi: 3.2.0
info: { title: Test, version: '1' }
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    query:
      operationId: search
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [q], properties: { q: { type: [string, 'null'] } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, prefixItems: [{ type: integer }] } } } } }
    additionalOperations:
      COPY:
        operationId: copy
        responses: { '204': { description: ok } }
webhooks:
  changed:
    post: { operationId: changed, responses: { '204': { description: ok } } }
`,
    handlers: `
  search: async ({ path: { id }, body: { q } }, reply) => {
    const text: string | null = q;
    // @ts-expect-error the first item is a number
    reply(200, { body: [text] });
    return reply(200, { body: [id] });
  },
  copy: async (input, reply) => reply(204),
  // @ts-expect-error a webhook is no operation of the server
  changed: async () => undefined,`,
  },
  ...['a#b', 'a/b', 'a%20b', "it's `a` ${b}"].map((id) => ({
    name: `the operationId ${id}`,
    id,
    schema: '{ type: string }',
    handlers: `\n  ${JSON.stringify(id)}: async ({ body }, reply) => reply(200, { body }),`,
  })),
];

const specOf = ({ schema, schemas = '', id = 'op', document }: Row) =>
  document ??
  `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things:
    post:
      operationId: ${JSON.stringify(id)}
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: ${schema} } } }
components:
  schemas:
    Any: { type: string }
${schemas}
`;

const folder = withFolder('all tests');
let problems: readonly string[];
beforeAll(async () => {
  const roots: string[] = [];
  for (const [i, row] of ROWS.entries()) {
    const generated = await generate(parseSource(`${row.name}.yaml`, specOf(row)));
    mkdirSync(join(folder.path, `${i}`));
    for (const [name, text] of generated) writeFileSync(join(folder.path, `${i}`, name), text);
    writeFileSync(
      join(folder.path, `${i}`, 'handlers.ts'),
      `import type { Handlers } from './contract.ts';\nexport const handlers: Handlers = {${row.handlers}\n};\n`,
    );
    roots.push(join(folder.path, `${i}`, 'handlers.ts'));
  }
  problems = checkGenerated(folder.path, roots).map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);
}, 180_000);

test.each(ROWS.map(({ name }, i) => [name, i] as const))('%s', (_name, i) => {
  expect(problems.filter((problem) => problem.startsWith(`${i}/`))).toEqual([]);
});
