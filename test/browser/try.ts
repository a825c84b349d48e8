/** Execute at /docs: events are shown as they come, and what was typed is there after a reload. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { seedDemo } from '../../src/demo-records.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { authorize } from './authorize.ts';

export function testTry(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  let page: Page;
  let key: string;

  beforeAll(async () => {
    const account = await newAccount(database.db);
    ({ key } = account);
    await seedDemo(database.db, account.accountId);
    page = await browser().newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(10_000));
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    await authorize(page, key);
  });

  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`);
  const open = async (id: string) => {
    // After a reload it is open already: the address of the page names it.
    if ((await operation(id).locator('.opblock-body').count()) === 0) await operation(id).locator('.opblock-summary-control').click();
    await operation(id).locator('.execute').waitFor();
  };
  const setStock = (quantity: number) =>
    fetch(`${app.url}/store/inventory/1`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    });

  test('events are shown while the stream is open; it is stopped, and what came remains', async () => {
    await open('listenToInventory');
    await operation('listenToInventory').locator('.execute').click();
    const stop = operation('listenToInventory').getByRole('button', { name: 'Stop the stream' });
    await stop.waitFor();
    const shown = operation('listenToInventory').locator('.live-responses-table');
    for (const quantity of [41, 42]) {
      await setStock(quantity);
      await shown.getByText(`"quantity":${quantity}`).first().waitFor();
      expect(await stop.isVisible()).toBe(true);
    }
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    expect(await shown.locator('.response-col_status').nth(1).innerText()).toBe('200');
    expect(await shown.innerText()).toContain('"quantity":42');
    await setStock(43);
    await operation('listenToInventory').getByRole('button', { name: 'Clear' }).click();
    await shown.waitFor({ state: 'detached' });
  });

  test('a stream whose response is cleared does not come back', async () => {
    await operation('listenToInventory').locator('.execute').click();
    await operation('listenToInventory').getByRole('button', { name: 'Stop the stream' }).waitFor();
    await operation('listenToInventory').getByRole('button', { name: 'Clear' }).click();
    await setStock(44);
    await page.waitForTimeout(scaleTimeout(500));
    expect(await operation('listenToInventory').locator('.live-responses-table').count()).toBe(0);
  });

  test('parameters and bodies that were typed are there after a reload, and are sent; the key is not kept', async () => {
    await open('listPets');
    await operation('listPets').locator('[data-param-name=limit] input').fill('7');
    await open('createCategory');
    await operation('createCategory').locator('textarea').fill('{"name": "Typed"}');
    // A field is kept when it loses the focus.
    await operation('createCategory').locator('.execute').focus();
    const kept = await page.evaluate<string>(`sessionStorage.getItem('docs-values')`);
    expect(JSON.parse(kept)).toMatchObject({
      'get /pets': { parameters: { 'query.limit': '7' } },
      'post /categories': { body: '{"name": "Typed"}' },
    });
    expect(await page.evaluate<string>(`JSON.stringify(sessionStorage)`)).not.toContain(key);
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    await open('createCategory');
    expect(await operation('createCategory').locator('textarea').inputValue()).toBe('{"name": "Typed"}');
    await open('listPets');
    expect(await operation('listPets').locator('[data-param-name=limit] input').inputValue()).toBe('7');
    const sent = page.waitForRequest(/\/pets\?/);
    await operation('listPets').locator('.execute').click();
    expect((await sent).url()).toContain('limit=7');
  });
}
