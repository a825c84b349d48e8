/** Which operations of a new project no request can reach, with a proof; whatever else cannot be called is a defect. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { operationTable, parseSource, readDocument } from '@specwright/contract/document';
import { removeFolder } from 'specwright/testing';
import { formatDefects, outgoingExemptions, tryOperations, type TriedOperations } from '../../src/new/try-operations.ts';
import { unsentOutgoing } from '../../src/new/compose-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'exemptions-'));
afterAll(() => removeFolder(folder));

const responses = { '204': { description: 'Done.' } };
const operation = (operationId: string, schema: object, example?: unknown) => ({
  post: { operationId, requestBody: { required: true, content: { 'application/json': { schema, example } } }, responses },
});

async function tried(paths: object, components: object = {}): Promise<TriedOperations> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths, components }, null, 1));
  const source = readDocument(file);
  const generated = { digest: source.digest, operations: operationTable(source.document), rateLimitPlans: null };
  return tryOperations(pathToFileURL(file), generated, source);
}

const NONE = { unreachable: {}, defects: {} };

test('an example that its schema refuses keeps no operation from being called', async () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  expect(await tried({ '/a': operation('addA', schema, { nam: 'Rex' }), '/b': operation('addB', schema, 'Rex') })).toEqual(NONE);
});

const closed = (...names: string[]) => ({
  type: 'object',
  additionalProperties: false,
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const object = (property: object) => ({ type: 'object', required: ['a'], properties: { a: property } });
const branch = (name: string) => ({ required: [name] });

test.each<[name: string, schema: object, proof: RegExp]>([
  [
    'bounds',
    { type: 'string', minLength: 3, maxLength: 2 },
    /^body: minLength 3 \(line \d+\) is more than maxLength 2 \(line \d+\); tried ""$/,
  ],
  [
    'an enum of texts on a list',
    object({ type: 'array', enum: ['x', 'y'] }),
    /^body\/a: no value of enum \(line \d+\) is valid: must be array; tried "x"$/,
  ],
  [
    'closed parts of an allOf',
    { allOf: [closed('a'), closed('b')] },
    /^body: additionalProperties: false \(line \d+\) refuses "a", which required \(line \d+\) asks for; tried \{"a":null\}$/,
  ],
  [
    'what branches require of a closed object',
    { ...closed(), anyOf: [branch('a'), branch('b')] },
    /^body: no branch of anyOf is valid, the first: additionalProperties: false .* refuses "a"/,
  ],
  [
    'the same branch twice',
    object({
      oneOf: [
        { type: 'string', title: 'A' },
        { type: 'string', title: 'B' },
      ],
    }),
    /^body\/a: oneOf \(line \d+\) has the same schema several times/,
  ],
  ['types', { allOf: [{ type: 'string' }, { type: 'integer' }] }, /^body: type integer \(line \d+\) refuses type string \(line \d+\)/],
  ['false', { type: 'object', required: ['a'], properties: { a: false } }, /^body\/a: false \(line \d+\) accepts nothing/],
  ['an object that requires itself', { $ref: '#/components/schemas/Node' }, /^body\/a\/a: is required within itself without end/],
])('an operation that no request can reach is a contradiction of the contract: %s', async (_name, schema, proof) => {
  // prettier-ignore
  const { unreachable, defects } = await tried({ '/a': operation('addA', schema) }, { schemas: { Node: object({ $ref: '#/components/schemas/Node' }) } });
  expect({ unreachable, defects }).toEqual({ unreachable: { addA: expect.stringMatching(proof) }, defects: {} });
});

test('what is refused without a contradiction is a defect, which is said as such', async () => {
  const { unreachable, defects } = await tried({
    '/a': operation('addA', { type: 'string', pattern: '^(?=.*[A-Z])(?=.*\\d)(?!.*A1)[^a-z]{9,}(?<=Z#7)$' }),
  });
  expect(unreachable).toEqual({});
  expect(formatDefects(defects)).toContain(
    'defect of specwright: please report it with the document.\n  addA: no value can be made of body',
  );
});

test('exempts what the contract says that the service sends, until something sends it', () => {
  const post = { requestBody: { content: { 'application/json': {} } }, responses };
  const callbacks = { done: { '{$request.query.url}': { post } } };
  const paths = { '/a': { post: { operationId: 'addA', callbacks, responses } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, webhooks: { 'a.sold': { post } }, paths });
  const source = parseSource('openapi.json', text);
  expect(outgoingExemptions(source)).toEqual({ 'webhook aSold': 'nothing sends it yet', 'callback done': 'nothing sends it yet' });
  expect(unsentOutgoing(source).map(({ feature }) => feature)).toEqual(['the webhook aSold', 'the callback done']);
});
