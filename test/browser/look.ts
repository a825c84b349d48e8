/** How /docs and / look: light and dark, on a desk and on a phone. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase, until } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';

const SCREENSHOTS = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export function testLook(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));

  beforeAll(async () => {
    await mkdir(SCREENSHOTS, { recursive: true });
  });

  const open = async (path: string, colorScheme: 'light' | 'dark', width: number) => {
    const page = await browser().newPage({ viewport: { width, height: 844 }, colorScheme });
    page.setDefaultTimeout(scaleTimeout(20_000));
    await page.goto(app.url + path);
    if (path === '/docs') {
      await page.locator('.opblock[id$="-createOrder"] .opblock-summary-control').click();
      await page.locator('.execute').waitFor();
    }
    await page.screenshot({ path: `${SCREENSHOTS}${path === '/' ? 'index' : 'docs'}-${colorScheme}-${width}.png` });
    return page;
  };

  test.each([
    ['/', 'light', 1280],
    ['/', 'dark', 390],
    ['/docs', 'light', 1280],
    ['/docs', 'dark', 390],
  ] as const)('%s, %s, %i px wide: dark where that is preferred, and nothing overflows', async (path, colors, width) => {
    const page = await open(path, colors, width);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    const [red = 0] = (/\d+/.exec(String(background)) ?? []).map(Number);
    expect(red < 128).toBe(colors === 'dark');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow).toBe(0);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('%s: without JavaScript /docs has its colours, and lists the operations', async (colorScheme) => {
    const page = await browser().newPage({ javaScriptEnabled: false, colorScheme });
    await page.goto(`${app.url}/docs`);
    const { operations } = app.contract;
    expect(await page.locator('noscript li').count()).toBe(operations.length);
    expect(await page.locator('noscript li').first().innerText()).toBe('GET /pets List pets');
    expect(await page.locator('.docs-loading').isVisible()).toBe(false);
    const link = await page.getByRole('link', { name: 'the contract' }).getAttribute('href');
    expect((await fetch(new URL(link ?? '', page.url()))).status).toBe(200);
    await page.close();
  });

  test.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(20, 23, 28)'],
  ] as const)('%s: the first paint has the colours, and a line says that the contract is loaded', async (colorScheme, color) => {
    const page = await browser().newPage({ colorScheme });
    let answer = (): void => undefined;
    await page.route('**/*.js', async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await page.goto(`${app.url}/docs`, { waitUntil: 'commit' });
    await page.getByText('Loading the contract…').waitFor();
    // Nothing is painted before the sheets are there.
    await until(async () => (await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')) === color);
    answer();
    await page.close();
  });

  test('/docs transfers less than 539 KB', async () => {
    const page = await browser().newPage();
    const transferred: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().startsWith('http')) transferred.push(request.sizes().then((sizes) => sizes.responseBodySize));
    });
    await page.goto(`${app.url}/docs`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(transferred)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(400_000);
    expect(bytes).toBeLessThan(539_000);
    await page.close();
  });

  test('/docs on paper has no sidebar and no buttons that send', async () => {
    const page = await open('/docs', 'light', 1280);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.execute, nav, .authorize').filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('.opblock[id$="-createOrder"] .responses-table').isVisible()).toBe(true);
    const box = await page.locator('#docs').boundingBox();
    expect(box?.x).toBe(0);
    await page.close();
  });
}
