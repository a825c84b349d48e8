/** A generated client of a contract with `dates: 'date'`: moments are `Date` both ways. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createFolder, sourceOf, strictProblems, withServedClient, writeClient } from './support/client.ts';

const AT = 'type: string, format: date-time';
const YAML = `x-date-time: date
paths:
  /things/{at}:
    put:
      operationId: replace
      parameters:
        - { name: at, in: path, required: true, schema: { ${AT} } }
        - { name: any, in: query, schema: { type: array, items: { ${AT} } } }
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: { since: { ${AT} } } } }
        - { name: X-At, in: header, schema: { ${AT} } }
        - { name: seen, in: cookie, schema: { ${AT} } }
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Thing' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Thing' } }
          multipart/form-data: { schema: { $ref: '#/components/schemas/Thing' } }
      responses:
        '200':
          description: ok
          headers: { Last: { schema: { ${AT} } }, All: { schema: { type: array, items: { ${AT} } } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        '400': { description: refused, content: { application/json: { schema: { type: object } } } }
  /lines:
    get:
      operationId: lines
      responses:
        '200': { description: ok, content: { application/jsonl: { x-item-schema: { $ref: '#/components/schemas/Thing' } } } }
components:
  schemas:
    Thing:
      type: object
      properties:
        at: { ${AT} }
        none: { ${AT}, nullable: true }
        text: { type: string }
        list: { type: array, items: { ${AT} } }
        parts: { type: array, items: { $ref: '#/components/schemas/Thing' } }
        either: { oneOf: [{ type: integer }, { ${AT} }] }
        named: { type: object, additionalProperties: { ${AT} } }
`;
const TEXT = '2026-12-24T12:00:00.123Z';
const DATE = new Date(TEXT);

let given: unknown;
let sent: unknown;
const replace = (input: { path: { at: Date }; body: unknown }, reply: (status: number, payload: object) => unknown) => {
  given = input;
  return reply(200, { body: input.body, headers: { Last: input.path.at, All: [DATE] } });
};
const lines = (_: unknown, reply: (status: number, payload: object) => unknown) => reply(200, { items: [{ at: DATE, text: TEXT }] });
const served = withServedClient(sourceOf(YAML), { replace, lines });

const call = (input: object, changed?: string) => {
  const spy = async (url: string, init: RequestInit) => {
    sent = init.body;
    const response = await fetch(url, init);
    return changed === undefined ? response : new Response(changed, { headers: { 'Content-Type': 'application/json', Last: TEXT } });
  };
  return served.module.createClient({ baseUrl: served.url, fetch: spy })['replace']?.(input);
};

const BODY = {
  at: DATE,
  none: null,
  text: TEXT,
  list: [DATE],
  parts: [{ at: DATE, parts: [{ none: DATE }] }],
  either: DATE,
  named: { a: DATE },
};

test('parameters, bodies and headers are what was given, in both directions', async () => {
  const parameters = {
    path: { at: DATE },
    query: { any: [DATE, DATE], filter: { since: DATE } },
    headers: { 'X-At': DATE },
    cookies: { seen: DATE },
  };
  const reply = await call({ ...parameters, body: BODY });
  expect(given).toMatchObject({ ...parameters, body: BODY });
  expect(sent).toContain(`{"at":"${TEXT}","none":null,"text":"${TEXT}"`);
  expect(reply).toMatchObject({ status: 200, headers: { Last: DATE, All: [DATE] }, body: BODY });
});

test.each(['application/x-www-form-urlencoded', 'multipart/form-data'])('so are the fields of %s', async (contentType) => {
  const body = { at: DATE, text: TEXT };
  expect(await call({ path: { at: DATE }, contentType, body })).toMatchObject({ status: 200, body });
  expect(given).toMatchObject({ body });
});

test('items of a sequence have them too', async () => {
  const reply = await served.client['lines']?.();
  const items: unknown[] = [];
  for await (const item of reply?.body as AsyncIterable<unknown>) items.push(item);
  expect(items).toEqual([{ at: DATE, text: TEXT }]);
});

test('an invalid Date is not sent, and a response that is none is no reply', async () => {
  await expect(call({ path: { at: DATE }, body: { at: new Date(NaN) } })).rejects.toThrow('Invalid Date is no moment');
  await expect(call({ path: { at: new Date(NaN) }, body: {} })).rejects.toThrow('Invalid Date is no moment');
  await expect(call({ path: { at: DATE }, body: {} }, '{"at":"yesterday"}')).rejects.toThrow('has "yesterday", which is no date-time');
});

test('the client compiles under the strictest settings, and its types say Date', () => {
  writeFileSync(
    join(served.folder, 'source/use.ts'),
    `import { createClient, orThrow } from './client.ts';
const client = createClient({ baseUrl: '' });
export async function use(): Promise<Date | undefined> {
  const at = new Date();
  // @ts-expect-error a text is no Date
  await client.replace({ path: { at: '${TEXT}' }, body: {} });
  // @ts-expect-error a text is no Date
  await client.replace({ path: { at }, body: { list: ['${TEXT}'] } });
  const { body, headers } = await orThrow(client.replace({ path: { at }, query: { any: [at] }, body: { at, none: null, either: 1, named: { a: at } } }));
  return headers.Last ?? headers.All?.[0] ?? body.parts?.[0]?.at ?? body.named?.['a'];
}
`,
  );
  expect(strictProblems(served.folder, ['source/use.ts', 'source/client.ts'])).toEqual([]);
});

test('a client without them has nothing for them', async () => {
  const other = createFolder();
  await writeClient(other.folder, sourceOf(YAML.replace('x-date-time: date\n', '')));
  const written = readFileSync(join(other.folder, 'index.js'), 'utf8');
  other.remove();
  expect(written).not.toMatch(/MARK|momentOf/);
});
