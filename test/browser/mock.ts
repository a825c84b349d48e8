/** A front end on a page of another origin: what it does with the mock, it does unchanged with the service. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { killProcesses, scaleTimeout, startProcess, withApp, withDatabase, type TestProcess } from 'specwright/testing';
import type * as Generated from '../../generated/client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { serveClientPage } from './client-page.ts';

/** What the page has: the client's module, and a client. */
declare const petStore: typeof Generated;
declare const client: Generated.Client;

const startMock = () =>
  startProcess({
    program: 'packages/specwright/src/main.ts',
    args: ['mock', '--spec', 'spec/petstore.yaml', '--stateful', '--port', '0'],
    nodeArgs: ['--conditions=@specwright/source', '--import', 'tsx'],
    cwd: process.cwd(),
  });

/** The front end: pets that are added, changed, listed in pages and deleted. @returns what it has seen, without ids. */
async function useFrontEnd() {
  const { orThrow, paginate } = petStore;
  const category = await orThrow(client.createCategory({ body: { name: 'Dogs' } }));
  const categoryId = category.body.id;
  const added = [];
  for (const name of ['Rex', 'Bella', 'Max'])
    added.push(await orThrow(client.createPet({ headers: { 'Idempotency-Key': `key-${name}` }, body: { name, categoryId } })));
  const retried = await orThrow(client.createPet({ headers: { 'Idempotency-Key': 'key-Rex' }, body: { name: 'Rex', categoryId } }));
  const [first] = added as [(typeof added)[number]];
  const path = { petId: first.body.id };
  const read = await orThrow(client.getStorePet({ path }));
  const changed = await orThrow(
    client.updatePet({
      path,
      headers: { 'If-Match': read.headers.ETag },
      contentType: 'application/merge-patch+json',
      body: { name: 'Rex II' },
    }),
  );
  const stale = await client.updatePet({
    path,
    headers: { 'If-Match': read.headers.ETag },
    contentType: 'application/merge-patch+json',
    body: { name: 'Rex III' },
  });
  const pages: string[][] = [];
  for await (const { body } of paginate(client, 'listPets', { query: { categoryId, limit: 2 } })) pages.push(body.map(({ name }) => name));
  const invalid = await client.createPet({ body: { name: '', categoryId } });
  const deleted = await client.deletePet({ path });
  const gone = await client.getStorePet({ path });
  return {
    added: added.map(({ status, body, headers }) => [status, body.name, headers.Location === `/store/pets/${body.id}`]),
    retried: [retried.body.id === first.body.id, retried.headers['Idempotent-Replayed']],
    read: read.body.name,
    changed: changed.body.name,
    refused: [stale.status, invalid.status, deleted.status, gone.status],
    pages,
    counted: typeof read.headers['X-RateLimit-Remaining'],
  };
}

export function testMock(browser: () => Browser): void {
  const database = withDatabase();
  const pages = withApp(serveClientPage);
  const app = withApp(() => startApp(database.db, { cors: { origins: [pages.url] } }));
  let mock: TestProcess;
  beforeAll(() => {
    mock = startMock();
  });
  afterAll(killProcesses);

  async function openPage(baseUrl: string, bearerAuth: string): Promise<Page> {
    const page = await browser().newPage();
    page.setDefaultTimeout(scaleTimeout(20_000));
    await page.goto(pages.url);
    await page.waitForFunction(() => 'petStore' in globalThis);
    await page.evaluate(
      (options) =>
        void Object.assign(globalThis, {
          client: petStore.createClient({ baseUrl: options.baseUrl, credentials: { bearerAuth: options.bearerAuth } }),
        }),
      { baseUrl, bearerAuth },
    );
    return page;
  }

  describe.each(['mock', 'service'])('%s', (which) => {
    let page: Page;
    beforeAll(async () => {
      page = which === 'mock' ? await openPage(await mock.url(), 'anything') : await openPage(app.url, (await newAccount(database.db)).key);
    });

    test('adds, reads, changes, pages, deletes, and is refused what is not valid', async () => {
      expect(await page.evaluate(useFrontEnd)).toEqual({
        added: ['Rex', 'Bella', 'Max'].map((name) => [201, name, true]),
        retried: [true, 'true'],
        read: 'Rex',
        changed: 'Rex II',
        refused: [412, 400, 204, 404],
        pages: [['Rex II', 'Bella'], ['Max']],
        counted: 'number',
      });
    });
  });

  test('a page chooses what the mock answers, and sees that it is one', async () => {
    const page = await openPage(await mock.url(), 'anything');
    const seen = await page.evaluate(
      async (url) => {
        const headers = { Authorization: 'Bearer anything', Prefer: 'code=503' };
        const response = await fetch(`${url}/pets`, { headers });
        return [response.status, response.headers.get('X-Mock')];
      },
      await mock.url(),
    );
    expect(seen).toEqual([503, 'true']);
  });
}
