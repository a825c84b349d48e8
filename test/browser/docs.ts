/** The page at /docs: it shows the contract and can try it, and needs nothing that its policy forbids. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';
import { authorize } from './authorize.ts';

const SCREENSHOTS = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export function testDocs(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  const said: string[] = [];
  const requested: string[] = [];
  let page: Page;
  let key: string;

  beforeAll(async () => {
    ({ key } = await newAccount(database.db));
    await mkdir(SCREENSHOTS, { recursive: true });
    page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(scaleTimeout(10_000));
    page.on('console', (message) => void said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => void said.push(`error: ${error.message}`));
    page.on('request', (request) => void requested.push(request.url()));
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });

  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`);
  const open = async (id: string) => {
    // After a reload it is open already: the address of the page names it.
    if ((await operation(id).locator('.opblock-body').count()) === 0) await operation(id).locator('.opblock-summary-control').click();
    await operation(id).locator('.execute').waitFor();
  };
  const execute = async (id: string) => {
    await operation(id).locator('.execute').click();
    const row = operation(id).locator('.live-responses-table tbody tr').first();
    await row.waitFor();
    return [await row.locator('.response-col_status').innerText(), await row.locator('.highlight-code pre').first().innerText()] as const;
  };

  test('every operation of the contract is there, with what is deprecated or not stable yet, and the plans', async () => {
    expect(await page.locator('.opblock').count()).toBe(app.contract.operations.length);
    expect(await operation('getPet').locator('.docs-badge').innerText()).toBe('deprecated, ends on 2027-12-31');
    const stability = app.contract.operations.flatMap(({ id, stability }) => (stability === null ? [] : [[id, stability] as const]));
    expect(stability.length).toBeGreaterThan(0);
    for (const [id, badge] of stability) expect(await operation(id).locator('.docs-badge').innerText()).toBe(badge);
    const plans = await page.locator('.docs-plans').innerText();
    for (const line of [/free\s+60\s+1,000/, /without a valid key, by IP address\s+60\s+5,000/]) expect(plans).toMatch(line);
    await page.screenshot({ path: `${SCREENSHOTS}docs.png` });
  });

  test('a key is in memory alone, until its reader asks the browser to keep it', async () => {
    const stored = () => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    const reload = async () => {
      await page.reload();
      await page.locator('.opblock').first().waitFor();
      await open('listPets');
      return (await execute('listPets'))[0];
    };
    await open('listPets');
    expect((await execute('listPets'))[0]).toBe('401');
    await authorize(page, key);
    expect((await execute('listPets'))[0]).toBe('200');
    expect(await stored()).not.toContain(key);
    expect(await reload()).toBe('401');
    await authorize(page, key);
    await page.getByLabel('Keep in this browser').check();
    expect(await reload()).toBe('200');
    await page.getByLabel('Keep in this browser').uncheck();
    expect(await stored()).not.toContain(key);
    await page.getByLabel('Keep in this browser').check();
  });

  test('the result is above the documented responses, with its time and what is left of the limit', async () => {
    const result = operation('listPets').locator('.docs-result');
    expect(await result.getByRole('status').innerText()).toMatch(/^200 OK\s+\d+ ms\s+\d+ of \d+ requests left$/);
    const below = await operation('listPets').locator('.docs-statuses').boundingBox();
    expect((await result.boundingBox())?.y).toBeLessThan(below?.y ?? 0);
    expect(await operation('listPets').getByText('curl -X').count()).toBe(0);
    expect(await operation('listPets').getByText(key).count()).toBe(0);
  });

  test('a request is tried with its example, and nothing that is optional is sent unasked', async () => {
    await open('createCategory');
    const [status, body] = await execute('createCategory');
    expect(status).toBe('201');
    expect(JSON.parse(body)).toMatchObject({ name: 'Dogs' });
    const [again] = await execute('createCategory');
    expect(again).toBe('201');
    await operation('createCategory').screenshot({ path: `${SCREENSHOTS}try.png` });
  });

  test('errors are shown with their examples', async () => {
    const responses = operation('createCategory').locator('.responses-inner');
    const statuses = responses.getByRole('group', { name: 'Status' });
    expect(await statuses.getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining(['201', '400', '401', '429', '503']));
    await statuses.getByRole('button', { name: '429' }).click();
    expect(await responses.innerText()).toContain('"code": "rate_limited"');
  });

  test('prose comes before operations; plans, and headers that every response has, are said once; each error code is listed with a sentence', async () => {
    const order = "document.querySelector('.docs-prose').compareDocumentPosition(document.querySelector('#operations-Pets-listPets'))";
    // DOCUMENT_POSITION_FOLLOWING
    expect(await page.evaluate(order)).toBe(4);
    expect((await page.locator('#docs').innerText()).match(/as agreed/g)).toHaveLength(2);
    const headers = await page.locator('.docs-headers').innerText();
    for (const name of ['X-Request-Id', 'RateLimit-Policy']) expect(headers).toContain(name);
    expect(await operation('createCategory').locator('.headers').allInnerTexts()).not.toContainEqual(
      expect.stringContaining('X-Request-Id'),
    );
    const errors = await page.locator('.docs-errors tbody tr').allInnerTexts();
    expect(errors.find((row) => row.startsWith('rate_limited'))).toMatch(/429\s+Wait for Retry-After seconds/);
    const silent = errors.filter((row) => row.trim().split(/\s+/).length < 4);
    expect(silent).toEqual([]);
  });

  test('the policy is not broken, the console has no error, and nobody else is asked for anything', () => {
    // What the server refused is said by Chromium, too: that was meant.
    expect(said.filter((line) => !line.includes('the server responded with a status of 401'))).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(app.url) && !url.startsWith('data:'))).toEqual([]);
  });
}
