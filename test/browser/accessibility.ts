/** /docs and / for assistive technology and for keyboards: no problem that axe-core finds, in both colours, and Execute without a mouse. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from '@jest/globals';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';

/** One of each method, one with a file, and a deprecated one. */
const EXPANDED = ['listPets', 'createOrder', 'updatePet', 'createPhoto', 'getPet', 'setInventory', 'deletePhoto'];

export function testAccessibility(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  let axe: string;

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });

  const open = async (path: string, colorScheme: 'light' | 'dark') => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 900 }, colorScheme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(20_000));
    await page.goto(app.url + path);
    if (path === '/docs') await page.locator('.opblock').first().waitFor();
    return page;
  };

  /** @returns the rules that are broken, with the elements that do. */
  const problems = async (page: Page) => {
    await page.evaluate(axe);
    const violations = await page.evaluate<readonly Result[]>('axe.run().then(({ violations }) => violations)');
    return violations.map(({ id, nodes }) => [
      `${id}: ${nodes.length}`,
      ...nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary?.slice(0, 300)}`),
    ]);
  };

  test.each(['light', 'dark'] as const)('%s: axe finds no problem, whatever is expanded', async (colors) => {
    const index = await open('/', colors);
    expect(await problems(index)).toEqual([]);
    await index.close();

    const page = await open('/docs', colors);
    expect(await problems(page)).toEqual([]);
    for (const id of EXPANDED) {
      const operation = page.locator(`.opblock[id$="-${id}"]`);
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.execute').waitFor();
    }
    for (const tab of await page.locator('.opblock .tablinks[data-name=model]').all()) await tab.click();
    await page.evaluate(`document.querySelectorAll('#docs details').forEach((details) => (details.open = true))`);
    await page.locator('.docs-schemas .docs-properties').first().waitFor();
    await page.locator('.docs-samples pre').first().waitFor();
    await page.locator('.opblock[id$="-listPets"] .execute').click();
    await page.locator('.live-responses-table').waitFor();
    expect(await problems(page)).toEqual([]);
    for (const status of ['409', '429']) await page.locator(`[id$="-createOrder"] .docs-statuses`).getByText(status).click();
    await page.locator('.opblock[id$="-createOrder"] .response').waitFor();
    expect(await problems(page)).toEqual([]);
    await page.locator('.authorization__btn').first().click();
    await page.locator('.auth-container').first().waitFor();
    expect(await problems(page)).toEqual([]);
    await page.close();
  });

  test('an operation is expanded and executed by keyboard alone', async () => {
    const page = await open('/docs', 'light');
    /** Presses Tab until `selector` has the focus, and it can be seen that it has. */
    const tabTo = async (selector: string) => {
      const state = `((focused) => [focused.matches(${JSON.stringify(selector)}), getComputedStyle(focused).outlineStyle])(document.activeElement)`;
      for (let count = 0; count < 200; count++) {
        await page.keyboard.press('Tab');
        const [isReached, outline] = await page.evaluate<[boolean, string]>(state);
        if (isReached) return expect(outline).not.toBe('none');
      }
      throw new Error(`${selector} is not reached`);
    };
    await tabTo('[id$="-listPets"] .opblock-summary-control');
    await page.keyboard.press('Enter');
    await page.locator('[id$="-listPets"] .execute').waitFor();
    await tabTo('[id$="-listPets"] .execute');
    await page.keyboard.press('Enter');
    const status = page.locator('[id$="-listPets"] .live-responses-table .response-col_status').nth(1);
    expect(await status.innerText()).toMatch(/^401/);
    await page.close();
  });
}
