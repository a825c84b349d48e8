/** What a generated client writes of forms arrives at a server as it was: the values of docs/how-to/forms.md, in the styles of the contract. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { tableRows } from '../../../contract/test/support/markdown-tables.ts';
import { parse } from 'yaml';
import { withServedClient } from './support/client.ts';

const FORM = 'application/x-www-form-urlencoded';
/** The rows whose body has a value. */
const cases = ['docs/how-to/forms.md', 'packages/contract/test/forms.md']
  .flatMap((page) => tableRows(readFileSync(page, 'utf8')))
  .filter(({ 'Value or problem': result = '' }) => !result.startsWith('body'))
  .map((row) => {
    const { Form: form, 'Property `a`': property = '', 'Its `encoding`': encoding = '', 'Value or problem': result = '' } = row;
    const closed = { type: 'object', properties: { a: parse(property) as unknown }, additionalProperties: false };
    const bigInteger = /(\d+)n /.exec(result)?.[1];
    return {
      title: Object.values(row).join(' '),
      schema: form === undefined ? closed : (parse(form) as object),
      encoding: encoding === '' ? undefined : { a: parse(encoding) as object },
      value: bigInteger === undefined ? (JSON.parse(result) as unknown) : { a: BigInt(bigInteger) },
    };
  });

const paths = Object.fromEntries(
  cases.map(({ schema, encoding }, i) => {
    const media = { schema, ...(encoding && { encoding }) };
    const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
    return [`/form${i}`, { post: { operationId: `form${i}`, requestBody: { content: { [FORM]: media } }, responses } }];
  }),
);
const source = parseSource('api.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'Forms', version: '1' }, paths }));

let received: { body?: unknown };
let sent: string;
const take = (input: { body?: unknown }, reply: (status: number, payload: object) => unknown) => {
  received = input;
  return reply(200, { body: {} });
};
const record = (url: string, init: RequestInit) => {
  sent = init.body as string;
  return fetch(url, init);
};
const served = withServedClient(source, Object.fromEntries(cases.map((_, i) => [`form${i}`, take])), { fetch: record });

test.each(cases.map((row, i) => [row.title, row, i] as const))('%s', async (_title, { value }, i) => {
  expect(await served.client[`form${i}`]?.({ body: value })).toMatchObject({ status: 200 });
  expect(received.body).toEqual(value);
});

/** The first row with the encoding, and what is sent of a value. */
test.each<[encoding: object | undefined, value: unknown, body: string]>([
  [undefined, { a: { b: 'x y' } }, 'a=%7B%22b%22%3A%22x+y%22%7D'],
  [{ explode: false }, { a: ['x,y', 'z'] }, 'a=x%2Cy,z'],
  [{ style: 'spaceDelimited' }, { a: ['x', 'y'] }, 'a=x%20y'],
  [{ style: 'deepObject' }, { a: { b: 1 } }, 'a%5Bb%5D=1'],
  [{ allowReserved: true }, { a: '/x?y&z:@' }, 'a=/x?y%26z:@'],
  [{ contentType: 'application/json' }, { a: 'x' }, 'a=%22x%22'],
  [{ style: 'form' }, { a: [] }, ''],
])('%j: %j is sent as %s', async (encoding, value, body) => {
  const i = cases.findIndex((row) => JSON.stringify(row.encoding?.a) === JSON.stringify(encoding));
  await served.client[`form${i}`]?.({ body: value });
  expect(sent).toBe(body);
});

test('an item with the delimiter of its list is not sent, because it would become two', async () => {
  const i = cases.findIndex((row) => JSON.stringify(row.encoding) === '{"a":{"style":"pipeDelimited"}}');
  await expect(served.client[`form${i}`]?.({ body: { a: ['x|y'] } })).rejects.toThrow('body/a must not have "|" in an item');
});
