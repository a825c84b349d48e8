/** Execute at /docs, on every operation, from top to bottom, on the demo's records after the README's tour: none fails, and the key that was entered is still valid. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { seedDemo } from '../../src/demo-records.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { PIXEL } from '../support/service/images.ts';
import { authorize } from './authorize.ts';

/** Swagger UI shows a response when it has ended: a stream of events does not. */
const ENDLESS = ['listenToInventory'];

export function testTryAll(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  const sent: { readonly method: string; readonly url: string; readonly headers: Record<string, string> }[] = [];
  let page: Page;
  let key: string;

  const orderOfTour = async () => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const { status } = await fetch(`${app.url}/store/orders`, { method: 'POST', headers, body: '{"petId":1,"quantity":2}' });
    expect(status).toBe(201);
  };

  beforeAll(async () => {
    const account = await newAccount(database.db);
    ({ key } = account);
    await seedDemo(database.db, account.accountId);
    for (let tour = 0; tour < 10; tour++) await orderOfTour();
    page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(scaleTimeout(10_000));
    page.on('request', (request) => void sent.push({ method: request.method(), url: request.url(), headers: request.headers() }));
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    await authorize(page, key);
  });

  test('every operation succeeds, and deletes only what was created before', async () => {
    const blocks = await page.locator('.opblock').all();
    const ids = await Promise.all(blocks.map(async (block) => String(await block.getAttribute('id'))));
    expect(ids).toHaveLength(app.contract.operations.length);
    const statuses: Record<string, string> = {};
    for (const id of ids) {
      const name = id.split('-').at(-1) ?? '';
      if (ENDLESS.includes(name)) continue;
      const operation = page.locator(`[id="${id}"]`);
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.execute').waitFor();
      for (const input of await operation.locator('input[type=file]').all())
        await input.setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL) });
      await operation.locator('.execute').click();
      const status = operation.locator('.live-responses-table .response-col_status').nth(1);
      statuses[name] = await status.innerText().catch(() => `nothing: ${sent.at(-1)?.url}`);
      // A long page is slow.
      await operation.locator('.opblock-summary-control').click();
    }
    const failed = Object.entries(statuses).filter(([, status]) => !/^2\d\d/.test(status));
    expect(failed).toEqual([]);
    expect(Object.keys(statuses)).toHaveLength(ids.length - ENDLESS.length);
  });

  test('nothing that is optional was sent, and the key, pets, categories and photos that were there before remain', async () => {
    const unasked = ['if-match', 'if-none-match', 'idempotency-key', 'range', 'if-range', 'last-event-id'];
    expect(sent.filter(({ headers }) => unasked.some((name) => name in headers))).toEqual([]);
    expect(sent.filter(({ url }) => url.includes('cursor='))).toEqual([]);
    const read = async (path: string) => {
      const response = await fetch(app.url + path, { headers: { Authorization: `Bearer ${key}` } });
      return [response.status, ((await response.json()) as readonly { readonly id: number }[]).map(({ id }) => id)];
    };
    expect(await read('/pets')).toEqual([200, [1, 2, 3]]);
    expect(await read('/categories')).toEqual([200, [1, 2]]);
    expect(await read('/store/pets/1/photos')).toEqual([200, [1]]);
  });
}
