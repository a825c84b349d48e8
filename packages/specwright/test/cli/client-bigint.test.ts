/** A generated client of a contract with `x-int64: bigint`: integers of 64 bits keep every digit both ways. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createFolder, sourceOf, strictProblems, withServedClient, writeClient } from './support/client.ts';

const BIG = 'type: integer, format: int64, x-int64: bigint';
const PARAMETERS = `
        - { name: id, in: path, required: true, schema: { ${BIG} } }
        - { name: ids, in: query, schema: { type: array, items: { ${BIG} } } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object, properties: { id: { ${BIG} } } } } } }
        - { name: X-Id, in: header, schema: { ${BIG} } }`;
const YAML = `paths:
  /things/{id}:
    put:
      operationId: replace
      parameters:${PARAMETERS}
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses:
        '200':
          description: ok
          headers: { Last: { schema: { ${BIG} } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        '400': { description: refused, content: { application/json: { schema: { type: object } } } }
components:
  schemas:
    Thing:
      type: object
      properties:
        id: { ${BIG} }
        none: { ${BIG}, nullable: true }
        count: { type: integer }
        text: { type: string }
        parts: { type: array, items: { $ref: '#/components/schemas/Thing' } }
        named: { type: object, additionalProperties: { ${BIG} } }
`;

let given: unknown;
let text: string;
const replace = (input: { path: { id: bigint }; body: unknown }, reply: (status: number, payload: object) => unknown) => {
  given = input;
  return reply(200, { body: input.body, headers: { Last: input.path.id } });
};
const served = withServedClient(sourceOf(YAML), { replace });

const call = (input: object) => {
  const spy = async (url: string, init: RequestInit) => {
    text = init.body as string;
    return fetch(url, init);
  };
  return served.module.createClient({ baseUrl: served.url, fetch: spy })['replace']?.(input);
};

test('parameters, bodies and headers are what was given, in both directions', async () => {
  const big = 9007199254740993n;
  const input = {
    path: { id: -9223372036854775808n },
    query: { ids: [big, 1n], filter: { id: big } },
    headers: { 'X-Id': big },
    body: {
      id: big,
      none: null,
      count: 3,
      text: `"${big}" \\`,
      parts: [{ id: 2n, parts: [{ none: big }] }],
      named: { a: 9223372036854775807n },
    },
  };
  const reply = await call(input);
  expect(given).toMatchObject(input);
  expect(text).toContain(`{"id":${big},"none":null`);
  expect(reply).toMatchObject({ status: 200, headers: { Last: input.path.id }, body: input.body });
});

test('small integers are bigint too, and others stay numbers', async () => {
  const body = { id: 1n, count: 9007199254740992, text: '9007199254740993', named: { __proto__x: 1n } };
  expect((await call({ path: { id: 1n }, body }))?.body).toEqual(body);
});

test('the client compiles under the strictest settings, and its types say bigint', () => {
  writeFileSync(
    join(served.folder, 'source/use.ts'),
    `import { createClient, orThrow } from './client.ts';
const client = createClient({ baseUrl: '' });
export async function use(): Promise<bigint | undefined> {
  // @ts-expect-error a number is no bigint
  await client.replace({ path: { id: 1 }, body: {} });
  const { body, headers } = await orThrow(client.replace({ path: { id: 1n }, query: { ids: [2n] }, body: { id: 1n, none: null } }));
  return headers.Last ?? body.parts?.[0]?.id;
}
`,
  );
  expect(strictProblems(served.folder, ['source/use.ts', 'source/client.ts'])).toEqual([]);
});

test('a client without such integers has nothing for them', async () => {
  const other = createFolder();
  await writeClient(other.folder, sourceOf(YAML.replaceAll(', x-int64: bigint', '')));
  const written = readFileSync(join(other.folder, 'index.js'), 'utf8');
  other.remove();
  expect(written).not.toMatch(/MARK|isBigInteger/);
});
