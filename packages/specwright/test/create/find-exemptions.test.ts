/** Which operations of a new project its tests cannot call: those of which no valid request can be made, not those with a wrong example. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { operationTable, parseSource, readDocument } from '@specwright/contract/document';
import { removeFolder } from 'specwright/testing';
import { findExemptions, outgoingExemptions } from '../../src/new/find-exemptions.ts';
import { unsentOutgoing } from '../../src/new/compose-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'exemptions-'));
afterAll(() => removeFolder(folder));

const responses = { '204': { description: 'Done.' } };
const operation = (operationId: string, schema: object, example?: unknown) => ({
  post: { operationId, requestBody: { required: true, content: { 'application/json': { schema, example } } }, responses },
});

async function exemptionsOf(paths: object): Promise<Record<string, string>> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths }));
  const { digest, document } = readDocument(file);
  return findExemptions(pathToFileURL(file), { digest, operations: operationTable(document), rateLimitPlans: null });
}

test('exempts no operation for an example that its schema refuses', async () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  expect(await exemptionsOf({ '/a': operation('addA', schema, { nam: 'Rex' }), '/b': operation('addB', schema, 'Rex') })).toEqual({});
});

test('exempts an operation of which no valid request can be made', async () => {
  const schema = { type: 'string', minLength: 3, maxLength: 2 };
  expect(await exemptionsOf({ '/a': operation('addA', schema) })).toEqual({ addA: 'no value can be made of body' });
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
