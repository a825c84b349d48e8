/** The sidebar of /docs: the operations by tag, what a search finds and how fast, by mouse, by keyboard and on a phone. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { largeDocument } from './large-document.ts';
import { serveDocument, type DocumentServer } from './serve-document.ts';

const MAX_SEARCH_MS = 50;

async function openDocs(browser: Browser, url: string, width = 1280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(scaleTimeout(20_000));
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').first().waitFor();
  return page;
}

const shownLinks = (page: Page) => page.locator('nav li:visible a:has(.docs-method):not([href*="#/schemas/"], [href*="#docs-"])');
const current = (page: Page) => page.locator('nav a[aria-current=true]');

/** Types a search into the page. @returns how long it took until the list was laid out, and how many operations are left. */
const search = (page: Page, text: string) =>
  page.evaluate<{ ms: number; count: number }>(`(() => {
    const input = document.querySelector('nav input');
    input.value = ${JSON.stringify(text)};
    const start = performance.now();
    input.dispatchEvent(new Event('input', { bubbles: true }));
    document.body.getBoundingClientRect();
    return { ms: performance.now() - start, count: document.querySelectorAll('nav li:not([hidden])').length };
  })()`);

function testPetStore(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));

  test('it has every operation by tag; one is opened, marked and named by the address', async () => {
    const page = await openDocs(browser(), app.url);
    expect(await page.locator('nav summary').allInnerTexts()).toEqual([
      'Introduction',
      'Guides',
      'Pets',
      'Store',
      'Account',
      'Messages',
      'Reference',
    ]);
    expect(await shownLinks(page).count()).toBe(app.contract.operations.length);
    await page.getByRole('link', { name: 'GET List the inventory' }).click();
    await page.locator('[id$="-listInventory"] .execute').waitFor();
    expect(await current(page).allInnerTexts()).toEqual([expect.stringContaining('List the inventory')]);
    expect(page.url()).toBe(`${app.url}/docs#/Store/listInventory`);
    await page.reload();
    await page.locator('[id$="-listInventory"] .execute').waitFor();
    expect(await current(page).allInnerTexts()).toEqual([expect.stringContaining('List the inventory')]);
    await page.close();
  });

  test('a search finds operations by id, summary, parameter, path, description and schema', async () => {
    const page = await openDocs(browser(), app.url);
    const found = async (text: string) => {
      await page.getByRole('searchbox', { name: 'Search' }).fill(text);
      return (await shownLinks(page).allInnerTexts()).map((link) => link.replaceAll(/\s+/g, ' '));
    };
    expect(await found('createPet')).toEqual(['POST Create a pet']);
    expect((await found('Replace')).slice(0, 2)).toEqual(['PUT Replace a pet', 'PUT Replace a category']);
    expect(await found('idempotency')).toContain('POST Create an order parameter Idempotency-Key');
    expect(await found('/store/inventory/{petid}')).toEqual(['GET Read the stock of a pet', 'PUT Set the stock of a pet']);
    expect(await found('reserved, or neither')).toEqual([expect.stringMatching(/^POST Create an order ….*reserved, or neither.*…$/)]);
    expect(await found('NewOrder')).toEqual(['POST Create an order schema NewOrder']);
    expect(await page.getByRole('status').innerText()).toBe(`1 of ${app.contract.operations.length} operations, 1 other`);
    expect(await found('out_of_stock')).toContain('POST Create an order error out_of_stock');
    expect(await found('shipDate')).toContain('GET Read an order body shipDate');
    expect(await found('no such thing')).toEqual([]);
    expect(await page.getByRole('status').innerText()).toBe('No operation matches');
    expect(await found('')).toHaveLength(app.contract.operations.length);
    await page.close();
  });

  test('a search finds prose, guides, schemas and error codes, says where, and leads there', async () => {
    const page = await openDocs(browser(), app.url);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lost may have been done');
    const found = page.locator('nav li:visible a');
    expect(await found.innerText()).toMatch(/^Retries\n…?.*lost/);
    await page.keyboard.press('Enter');
    expect((await page.getByRole('heading', { name: 'Retries' }).boundingBox())?.y).toBeLessThan(100);
    const hrefs = async (text: string) => {
      await page.getByRole('searchbox').fill(text);
      return Promise.all((await found.all()).map((link) => link.getAttribute('href')));
    };
    expect(await hrefs('Watch the stock')).toContain('#/guides/01-first-order/watch-the-stock');
    expect(await hrefs('api_key_banned')).toContain('#docs-errors/api_key_banned');
    expect(await hrefs('InventoryItem')).toContain('#/schemas/InventoryItem');
    await page.locator('nav a[href="#/schemas/InventoryItem"]').click();
    expect(await page.locator('[id="/schemas/InventoryItem"] .docs-properties').innerText()).toMatch(/petId[^]*quantity/);
    await page.close();
  });

  test('an address that changes opens what it names; / leads to the search, but is text in a field', async () => {
    const page = await openDocs(browser(), app.url);
    await page.evaluate(`location.hash = '#/Store/listOrders'`);
    await page.locator('[id$="-listOrders"] .execute').waitFor();
    const field = page.locator('[id$="-listOrders"] [data-param-name=cursor] input');
    await field.press('/');
    expect(await field.inputValue()).toBe('/');
    await page.locator('[id$="-listOrders"] .execute').focus();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.close();
  });

  test('a keyboard searches, goes through what is found, and opens it', async () => {
    const page = await openDocs(browser(), app.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the operations');
    await page.keyboard.press('Tab');
    await page.keyboard.type('create order');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('POST Create an order');
    for (const key of ['ArrowUp', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.locator('[id$="-createOrder"] .execute').waitFor();
    await page.locator('[id$="-createOrder"] .opblock-summary-control:focus').waitFor();
    await page.close();
  });

  test('on a phone it is behind a button', async () => {
    const page = await openDocs(browser(), app.url, 390);
    const menu = page.getByRole('button', { name: 'Menu' });
    expect(await shownLinks(page).count()).toBe(0);
    await menu.click();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    expect((await page.getByRole('searchbox').boundingBox())?.width).toBeGreaterThan(340);
    await page.getByRole('link', { name: 'Create an order' }).click();
    await page.locator('[id$="-createOrder"] .execute').waitFor();
    expect(await shownLinks(page).count()).toBe(0);
    await menu.click();
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('searchbox').press('Escape');
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await page.close();
  });
}

function testLarge(browser: () => Browser, count: number): void {
  let server: DocumentServer;
  let page: Page;
  beforeAll(async () => {
    server = await serveDocument(largeDocument(count));
    page = await openDocs(browser(), `http://127.0.0.1:${server.port}`);
  });
  afterAll(async () => {
    await page.close();
    await server.stop();
  });

  test(`a search takes at most ${MAX_SEARCH_MS} ms`, async () => {
    const expected: [text: string, count: number][] = [
      ['listRecords7', count === 1000 ? 111 : 11],
      ['shelf-299', 1],
      ['Record49', count / 50 + 1],
      ['newest first', count],
      ['nothing like it', 0],
      ['', count + 1],
    ];
    for (const [text, left] of expected) {
      const { ms, count: found } = await search(page, text);
      expect([text, found]).toEqual([text, left]);
      expect([text, ms < scaleTimeout(MAX_SEARCH_MS) ? 'in time' : ms]).toEqual([text, 'in time']);
    }
  });

  test('what is found is opened, wherever it is in the list', async () => {
    await search(page, 'shelf-299');
    await page.keyboard.press('Escape');
    await shownLinks(page).click();
    await page.locator('[id$="-listRecords299"] .execute').waitFor();
    expect(await current(page).innerText()).toContain('List the records of shelf 299');
    expect((await page.locator('[id$="-listRecords299"]').boundingBox())?.y).toBeLessThan(200);
  });
}

export function testSidebar(browser: () => Browser): void {
  testPetStore(browser);
  describe.each([300, 1000])('with %i operations', (count) => testLarge(browser, count));
}
