/** An opened operation at /docs: how high it is, and what is folded. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';

const SCREEN = { width: 1280, height: 800 };
const MAX_SCREENS = 1.2;

export function testOperation(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  let page: Page;

  beforeAll(async () => {
    page = await browser().newPage({ viewport: SCREEN, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(10_000));
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });

  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`);
  const toggle = (id: string) => operation(id).locator('.opblock-summary-control').click();

  test(`each is at most ${MAX_SCREENS} screens high`, async () => {
    const heights: [string, number][] = [];
    for (const { id } of app.contract.operations) {
      await toggle(id);
      await operation(id).locator('.responses-table').waitFor();
      heights.push([id, (await operation(id).boundingBox())?.height ?? 0]);
      await toggle(id);
    }
    expect(heights.filter(([, height]) => height < 300)).toEqual([]);
    expect(heights.filter(([, height]) => height > MAX_SCREENS * SCREEN.height)).toEqual([]);
  });

  test('each status is a tab: the first success is open, and an error shows its example and headers', async () => {
    await toggle('createOrder');
    const responses = operation('createOrder').locator('.responses-table');
    const status = (code: string) => responses.getByRole('group', { name: 'Status' }).getByRole('button', { name: code, exact: true });
    expect(await status('201').getAttribute('aria-pressed')).toBe('true');
    expect(await responses.innerText()).not.toContain('"code": "out_of_stock"');
    await status('409').click();
    expect(await responses.innerText()).toContain('"code": "out_of_stock"');
    expect(await responses.innerText()).toContain('Headers: Retry-After');
    expect(await responses.locator('.response').count()).toBe(1);
    await status('201').click();
    expect(await responses.innerText()).not.toContain('"code": "out_of_stock"');
    await toggle('createOrder');
  });

  test('headers about deprecation and stability are shown where they are sent', async () => {
    const stable = app.contract.operations.filter(({ stability }) => stability === null).map(({ id }) => id);
    expect(stable).toContain('createPet');
    const shown: Record<string, boolean[]> = {};
    for (const id of ['createPet', 'createPhoto', 'getPet']) {
      await toggle(id);
      let text = '';
      for (const tab of await operation(id).locator('.docs-statuses button').all()) {
        await tab.click();
        text += await operation(id).locator('.responses-table').innerText();
      }
      shown[id] = [text.includes('X-Stability'), text.includes('Sunset')];
      await toggle(id);
    }
    expect(shown).toEqual({ createPet: [false, false], createPhoto: [true, false], getPet: [false, true] });
  });
}
