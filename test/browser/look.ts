/** How /docs and / look: light and dark, on a desk and on a phone, for people and for assistive technology. */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { Result } from 'axe-core';
import type { Browser } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from '@specwright/testing';
import { startApp } from '../support/service/app.ts';

const SCREENSHOTS = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export function testLook(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  let axe: string;

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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
  ] as const)(
    '%s, %s, %i px wide: dark where that is preferred, and nothing overflows; / has no serious problem of accessibility',
    async (path, colors, width) => {
      const page = await open(path, colors, width);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      const [red = 0] = (/\d+/.exec(String(background)) ?? []).map(Number);
      expect(red < 128).toBe(colors === 'dark');
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(overflow).toBe(0);
      if (path === '/docs') return page.close();
      await page.evaluate(axe);
      const violations = await page.evaluate<readonly Result[]>('axe.run().then(({ violations }) => violations)');
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(
        grave.map(({ id, nodes }) => [
          id,
          nodes.length,
          ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
        ]),
      ).toEqual([]);
      await page.close();
    },
  );
}
