/** Pictures of /docs, compared with the committed ones; README shows one of them. */
import { expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { compareImages, compareScreenshot } from './compare-screenshot.ts';

/** Where the page seems to be: the port of a test is another each time. */
const ORIGIN = 'http://localhost:3000';

const FOLDER = 'test/browser/screenshots';

const PICTURES: readonly (readonly [path: string, width: number, colors: 'light' | 'dark', hash: string])[] = [
  [`${FOLDER}/docs-1440-light.png`, 1440, 'light', ''],
  ['docs/images/docs-page.png', 1440, 'light', 'listOrders'],
  [`${FOLDER}/docs-post-1440-dark.png`, 1440, 'dark', 'createPet'],
  [`${FOLDER}/docs-get-390-light.png`, 390, 'light', 'listOrders'],
];

export function testScreenshots(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));

  const open = async (width: number, colorScheme: 'light' | 'dark', operation: string): Promise<Page> => {
    const page = await browser().newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(20_000));
    await page.route(`${ORIGIN}/**`, async (route) =>
      route.fulfill({ response: await route.fetch({ url: route.request().url().replace(ORIGIN, app.url) }) }),
    );
    await page.goto(`${ORIGIN}/docs`);
    await page.locator('.opblock').first().waitFor();
    if (operation !== '') {
      await page.evaluate(`document.querySelector('nav a[href$="/${operation}"]').click()`);
      await page.locator(`.opblock[id$="-${operation}"] .opblock-summary-control:focus`).waitFor();
      await page.locator('.responses-table').waitFor();
      await page.evaluate('document.activeElement.blur()');
    }
    return page;
  };

  test.each(PICTURES)('%s is what the page looks like', async (path, width, colors, operation) => {
    const page = await open(width, colors, operation);
    await compareScreenshot(page, path);
    await page.close();
  });

  test('a page that is 4 px lower is another picture', async () => {
    const page = await open(1440, 'light', '');
    const before = await page.screenshot();
    await page.evaluate(`document.getElementById('docs').style.paddingTop = '4px'`);
    expect(await compareImages(before, before)).toBeUndefined();
    expect(await compareImages(before, await page.screenshot())).toMatchObject({ problem: expect.stringContaining('pixels differ') });
    await page.close();
  });
}
