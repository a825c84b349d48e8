/** The generated client on a page of another origin: all that it does in Node works there too, by CORS from the contract. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import type { Quota } from '@specwright/server';
import type * as Generated from '../../generated/client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { serveClientPage } from './client-page.ts';

/** What the page has: the client's module, and a client with an API key. */
declare const petStore: typeof Generated;
declare const client: Generated.Client;

export function testCors(browser: () => Browser): void {
  const database = withDatabase();
  const pages = withApp(serveClientPage);
  const app = withApp(() => startApp(database.db, { cors: { origins: [pages.url] } }));
  let page: Page;

  /** A page with a client of a new account. @param origin that of the page; @param quota the limits of the account. */
  async function openPage(origin: string, quota?: Quota): Promise<Page> {
    const { key } = await newAccount(database.db, quota && 'enterprise', quota);
    const opened = await browser().newPage();
    opened.setDefaultTimeout(scaleTimeout(10_000));
    await opened.goto(origin);
    await opened.waitForFunction(() => 'petStore' in globalThis);
    await opened.evaluate(
      ({ baseUrl, bearerAuth }) =>
        void Object.assign(globalThis, { client: petStore.createClient({ baseUrl, credentials: { bearerAuth } }) }),
      { baseUrl: app.url, bearerAuth: key },
    );
    return opened;
  }
  beforeAll(async () => {
    page = await openPage(pages.url);
  });

  test('reads with a key, and the headers that the pipeline writes', async () => {
    const read = await page.evaluate(async () => {
      const { status, headers } = await client.getAccount();
      return [status, typeof headers['X-Request-Id'], typeof headers['X-RateLimit-Remaining']];
    });
    expect(read).toEqual([200, 'string', 'number']);
  });

  test('creates once with an Idempotency-Key, changes with If-Match, and gets 304 with If-None-Match', async () => {
    const changed = await page.evaluate(async () => {
      const create = () => client.createCategory({ headers: { 'Idempotency-Key': 'once' }, body: { name: 'Dogs' } });
      const [first, again] = [await petStore.orThrow(create()), await petStore.orThrow(create())];
      const path = { categoryId: first.body.id };
      const { ETag } = first.headers;
      const update = (name: string) =>
        client.updateCategory({ path, headers: { 'If-Match': ETag }, contentType: 'application/merge-patch+json', body: { name } });
      const updated = await petStore.orThrow(update('Cats'));
      const fresh = await client.getCategory({ path, headers: { 'If-None-Match': updated.headers.ETag } });
      return {
        location: first.headers.Location === `/categories/${path.categoryId}`,
        replayed: [first.headers['Idempotent-Replayed'], again.headers['Idempotent-Replayed']],
        isOther: updated.headers.ETag !== ETag,
        conflict: (await update('Birds')).status,
        fresh: [fresh.status, fresh.status === 304 && fresh.headers.ETag === updated.headers.ETag],
        deleted: (await client.deleteCategory({ path })).status,
      };
    });
    expect(changed).toEqual({
      location: true,
      replayed: [undefined, 'true'],
      isOther: true,
      conflict: 412,
      fresh: [304, true],
      deleted: 204,
    });
  });

  test('follows the Link of a list to its end', async () => {
    const names = await page.evaluate(async () => {
      for (const name of ['a', 'b', 'c']) await petStore.orThrow(client.createCategory({ body: { name } }));
      const lists: string[][] = [];
      for await (const { body } of petStore.paginate(client, 'listCategories', { query: { limit: 2 } }))
        lists.push(body.map(({ name }) => name));
      return lists;
    });
    expect(names).toEqual([['a', 'b'], ['c']]);
  });

  test('tells errors apart by status, with their headers: 400, 401, 404', async () => {
    const errors = await page.evaluate(async (baseUrl) => {
      const invalid = await client.createCategory({ body: { name: '' } });
      const unknown = await client.getCategory({ path: { categoryId: 999 } });
      const stranger = await petStore.createClient({ baseUrl, credentials: { bearerAuth: 'nobody' } }).getAccount();
      return [invalid, unknown, stranger].map(({ status, body, response }) => [
        status,
        (body as { code?: string }).code,
        response.headers.get('WWW-Authenticate'),
      ]);
    }, app.url);
    expect(errors).toEqual([
      [400, 'invalid_request', null],
      [404, 'not_found', null],
      [401, 'unauthorized', 'Bearer realm="petstore", error="invalid_token"'],
    ]);
  });

  test('reads Retry-After of 429; preflights count against no limit', async () => {
    const limited = await openPage(pages.url, { minute: 2, day: 100 });
    const replies = await limited.evaluate(async () => {
      const reply = async () => {
        const { status, headers } = await client.getAccount();
        return [status, status === 429 ? typeof headers['Retry-After'] : headers['X-RateLimit-Remaining']];
      };
      return [await reply(), await reply(), await reply()];
    });
    await limited.close();
    expect(replies).toEqual([
      [200, 1],
      [200, 0],
      [429, 'number'],
    ]);
  });

  test('an upload tells how much of it has been sent, and its reply has what fetch would give', async () => {
    const upload = await page.evaluate(async () => {
      const category = await petStore.orThrow(client.createCategory({ body: { name: 'Fish' } }));
      const pet = await petStore.orThrow(client.createPet({ body: { name: 'Wanda', categoryId: category.body.id } }));
      const png = atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');
      const photo = new File([Uint8Array.from(png, (char) => char.charCodeAt(0)), new Uint8Array(2_000_000)], 'wanda.png', {
        type: 'image/png',
      });
      const reports: (number | undefined)[][] = [];
      const onUploadProgress = (...report: (number | undefined)[]) => reports.push(report);
      const add = (petId: number) => client.createPhoto({ path: { petId }, body: { photo } }, { onUploadProgress });
      const { status, headers, response } = await add(pet.body.id);
      const stopped = client.createPhoto(
        { path: { petId: pet.body.id }, body: { photo } },
        { onUploadProgress, signal: AbortSignal.abort(new Error('not now')) },
      );
      return {
        status,
        location: headers['X-Request-Id'] === response.headers.get('X-Request-Id') && response.url.endsWith('/photos'),
        first: reports[0],
        isWhole: reports.at(-1)?.[0] === reports.at(-1)?.[1],
        failed: [(await add(999)).status, await stopped.catch((error: unknown) => (error as Error).message)],
      };
    });
    expect(upload).toEqual({
      status: 201,
      location: true,
      first: [0, expect.any(Number)],
      isWhole: true,
      failed: [404, 'not now'],
    });
  });

  test('reads the contract', async () => {
    const status = await page.evaluate(
      async (url) => (await fetch(`${url}/openapi.json`, { headers: { 'X-Request-Id': 'page' } })).status,
      app.url,
    );
    expect(status).toBe(200);
  });

  test('a page of an origin that is not configured cannot call it', async () => {
    const elsewhere = await openPage(pages.url.replace('127.0.0.1', 'localhost'));
    const call = elsewhere.evaluate(async () => (await client.getAccount()).status);
    await expect(call).rejects.toThrow('Failed to fetch');
    await elsewhere.close();
  });
}
