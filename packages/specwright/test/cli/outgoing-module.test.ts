/** `outgoing.ts`: made of webhooks and callbacks, typed by their schemas, and only for documents that have some. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { generate } from '../../src/generate/generate.ts';
import { findObsolete, writeGenerated } from '../../src/generate/generated-files.ts';
import { checkGenerated } from './support/native-compiler.ts';

const OK = "responses: { '200': { description: ok } }";
const BODY = "requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }";
const REST = `paths:
  /orders/{orderId}:
    put:
      operationId: putOrder
      parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [url], properties: { url: { type: string } } } } } }
      ${OK}
      callbacks:
        onDone: { '{$request.body#/url}?order={$request.path.orderId}': { post: { ${BODY}, ${OK} } } }
        onEnd: { '{$response.body#/url}': { post: { ${OK} } } }
components:
  schemas:
    Pet:
      type: object
      required: [id, note]
      properties: { id: { type: integer, readOnly: true }, note: { type: string }, secret: { type: string, writeOnly: true } }
`;

/** Generated files by their names. */
const generateFrom = (version: string, yaml: string) =>
  generate(parseSource('api.yaml', `openapi: ${version}\ninfo: { title: T, version: '1' }\n${yaml}`));

const PROOFS = `import { callbackUrls, outgoing, type OutgoingTypes } from './outgoing.ts';
export const url: string | undefined = callbackUrls.onDone({ path: { orderId: 7 }, query: {}, headers: {}, cookies: {}, body: { url: 'https://a' } });
// @ts-expect-error its expression needs the response
callbackUrls.onEnd;
// @ts-expect-error the request has a body
callbackUrls.onDone({ path: { orderId: 7 }, query: {}, headers: {}, cookies: {}, body: {} });
export const body: OutgoingTypes['petSold']['body'] = { id: 1, note: '' };
// @ts-expect-error writeOnly
export const secret: OutgoingTypes['petSold']['body'] = { id: 1, note: '', secret: '' };
export const done: OutgoingTypes['onDone'] = { kind: 'callback', body };
export const ping: OutgoingTypes['ping'] = { kind: 'webhook', body: undefined };
export const source: string = outgoing.table.petSold.source;
// @ts-expect-error not declared
outgoing.table.petBought;
`;

test('types and table of OpenAPI 3.0 and 3.1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outgoing-'));
  const sections = { '3.0.3': 'x-webhooks', '3.1.0': 'webhooks' };
  try {
    for (const [version, section] of Object.entries(sections)) {
      const webhooks = `${section}:\n  pet.sold: { post: { ${BODY}, ${OK} } }\n  ping: { post: { ${OK} } }\n`;
      mkdirSync(join(folder, version));
      for (const [name, text] of await generateFrom(version, webhooks + REST)) writeFileSync(join(folder, version, name), text);
      writeFileSync(join(folder, version, 'proofs.ts'), PROOFS);
    }
    const roots = Object.keys(sections).map((version) => join(folder, version, 'proofs.ts'));
    expect(checkGenerated(folder, roots)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a module of bodies that are all empty imports no type of one', async () => {
  const files = await generateFrom('3.1.0', `webhooks:\n  ping: { post: { ${OK} } }\npaths: {}\n`);
  expect(files.get('outgoing.ts')).toContain('readonly "ping": server.OutgoingWebhook<undefined>;');
  expect(files.get('outgoing.ts')).not.toContain('./openapi.ts');
});

test('a document that sends nothing has no such file', async () => {
  const files = await generateFrom('3.0.3', `paths: { /a: { get: { operationId: a, ${OK} } } }\n`);
  expect([...files.keys()]).not.toContain('outgoing.ts');
});

test('the file is removed once the document sends nothing any more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outgoing-'));
  try {
    const paths = `paths: { /a: { get: { operationId: a, ${OK} } } }\n`;
    writeGenerated(folder, await generateFrom('3.0.3', `x-webhooks: { ping: { post: { ${OK} } } }\n${paths}`));
    const without = await generateFrom('3.0.3', paths);
    expect(findObsolete(folder, without)).toEqual([join(folder, 'outgoing.ts')]);
    writeGenerated(folder, without);
    expect(readdirSync(folder).sort()).toEqual([...without.keys()].sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file outside of the folder is not removed, whatever the digests name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outgoing-'));
  try {
    const generated = join(folder, 'project', 'generated');
    const victims = [join(folder, 'victim.txt'), join(generated, 'below', 'victim.txt')];
    mkdirSync(join(generated, 'below'), { recursive: true });
    for (const victim of victims) writeFileSync(victim, 'kept');
    const names = ['../../victim.txt', 'below/victim.txt', '..', '.', victims[0] ?? '', 'gone.ts'];
    writeFileSync(join(generated, 'gone.ts'), '');
    writeFileSync(join(generated, 'digests.json'), JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x']))));
    const files = await generateFrom('3.0.3', `paths: { /a: { get: { operationId: a, ${OK} } } }\n`);
    expect(findObsolete(generated, files)).toEqual([join(generated, 'gone.ts')]);
    writeGenerated(generated, files);
    expect([...victims, join(generated, 'gone.ts')].map((file) => existsSync(file))).toEqual([true, true, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a schema that does not compile is reported where the webhook is', async () => {
  const broken = `requestBody: { content: { application/json: { schema: { type: string, minLength: x } } } }`;
  const generated = generateFrom('3.1.0', `webhooks: { sold: { post: { ${broken}, ${OK} } } }\npaths: {}\n`);
  await expect(generated).rejects.toThrow(/minLength/);
});
