/** Guides beside the file of a contract: found at the start, in the order of their names, named by the page and served as text. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { createServer } from '@specwright/server';
import { createTestLog, listenOnFreePort } from 'specwright/testing';
import { loadContractOf } from '../support/serve.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const CONTRACT = `paths:
  /songs: { get: { operationId: listSongs, responses: { 204: { description: none } } } }
`;
const FILES = {
  'spec/guides/10-last.md': '# Last\n',
  'spec/guides/02 größer.md': '# Second\n',
  'spec/guides/01-first.md': '# First\n',
  'spec/guides/notes.txt': 'no guide',
  'spec/guides.v1/one.md': '# One\n',
  'spec/guides.v2/two.md': '# Two\n',
};

const root = withFolder('all tests');
beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    root.write(path, text);
  }
});

/** @param files that of the contract at each base. */
async function serveContracts(files: Readonly<Record<string, string>>, docs: boolean | { reload: boolean } = true) {
  const contract = await loadContractOf(CONTRACT);
  const services = Object.entries(files).map(([base, file]) => ({
    base,
    contract: { ...contract, file: join(root.path, file) },
    handlers: { listSongs: () => undefined },
    security: {},
  }));
  return listenOnFreePort(createServer({ services, docs, log: createTestLog() } as never));
}

async function read(url: string, path: string) {
  const response = await fetch(`${url}/${path}`);
  return [response.status, response.headers.get('content-type'), await response.text()];
}

/** What the page says about its contracts. */
async function listed(url: string): Promise<readonly { readonly base: string; readonly guides?: readonly string[] }[]> {
  const [, json = ''] = /data-contracts="([^"]*)"/.exec(await (await fetch(`${url}/docs`)).text()) ?? [];
  return JSON.parse(json.replaceAll('&quot;', '"')) as never;
}

test('the Markdown files of the folder are served, in the order of their names', async () => {
  const app = await serveContracts({ '': 'spec/openapi.yaml' });
  const [{ guides = [] } = {}] = await listed(app.url);
  expect(guides).toEqual(['docs/guides/01-first.md', 'docs/guides/02%20gr%C3%B6%C3%9Fer.md', 'docs/guides/10-last.md']);
  const texts = await Promise.all(guides.map((path) => read(app.url, path)));
  expect(texts).toEqual(['First', 'Second', 'Last'].map((title) => [200, 'text/markdown; charset=utf-8', `# ${title}\n`]));
  expect((await fetch(`${app.url}/docs/guides/notes.txt`)).status).toBe(404);
  await app.close();
});

test('each of several contracts has the folder with its name', async () => {
  const app = await serveContracts({ '/v1': 'spec/v1.yaml', '/v2': 'spec/v2.yaml', '/v3': 'spec/v3.yaml' });
  expect((await listed(app.url)).map(({ guides }) => guides)).toEqual([['docs/guides/v1/one.md'], ['docs/guides/v2/two.md'], undefined]);
  expect(await read(app.url, 'docs/guides/v2/two.md')).toEqual([200, 'text/markdown; charset=utf-8', '# Two\n']);
  await app.close();
});

test('without a folder the page says nothing of guides, and without docs none is served', async () => {
  const app = await serveContracts({ '': 'elsewhere/openapi.yaml' });
  expect(Object.keys((await listed(app.url))[0] ?? {})).toEqual(['base', 'name']);
  await app.close();
  const silent = await serveContracts({ '': 'spec/openapi.yaml' }, false);
  expect((await fetch(`${silent.url}/docs/guides/01-first.md`)).status).toBe(404);
  await silent.close();
});

test.each([
  [true, '# Before\n'],
  [{ reload: true }, '# After\n'],
] as const)('with docs: %j, an edited guide is %j', async (docs, expected) => {
  const file = join(root.path, 'spec/guides.v1/one.md');
  writeFileSync(file, '# Before\n');
  const app = await serveContracts({ '': 'spec/v1.yaml' }, docs);
  await read(app.url, 'docs/guides/one.md');
  writeFileSync(file, '# After\n');
  expect((await read(app.url, 'docs/guides/one.md'))[2]).toBe(expected);
  await app.close();
});
