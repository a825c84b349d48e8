/** The site is built of the pages of docs/: each of them is there, can be found, and loads nothing from elsewhere. Dead links end the build. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout } from 'specwright/testing';
import { DOCUMENTATION_PAGES } from '../support/documentation-pages.ts';
import { compareScreenshot } from './compare-screenshot.ts';

const SITE = '.build/site';
/** Such as `how-to/uploads`. */
const PAGES = DOCUMENTATION_PAGES.filter((page) => page !== 'docs/README.md').map((page) => page.slice('docs/'.length, -'.md'.length));
const read = (file: string) => readFileSync(join(SITE, file), 'utf8');

/** @returns what builds the site when it is called first. */
export function siteBuilder(): () => void {
  let isBuilt = false;
  return () => {
    if (isBuilt) return;
    const { status, stderr, stdout } = spawnSync(process.execPath, ['site/build.mjs'], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
    isBuilt = true;
  };
}

export function testSite(build: () => void): void {
  beforeAll(build, scaleTimeout(240_000));

  test('has each page, in the navigation too', () => {
    const home = read('documentation.html');
    for (const page of PAGES) {
      expect(read(`${page}.html`)).toMatch(/<h1/);
      expect(home).toContain(`href="/${page}"`);
    }
  });

  test('the link to the next page leads through all of them', () => {
    const visited = ['tutorial'];
    for (let next: string | undefined = 'tutorial'; next !== undefined;) {
      next = /class="[^"]*pager-link next"[^>]* href="\/([^"]+)"/.exec(read(`${next}.html`))?.[1];
      if (next !== undefined) visited.push(next);
    }
    expect(visited.sort()).toEqual([...PAGES].sort());
  });

  test('finds words of each page without a network', () => {
    const [index = ''] = readdirSync(join(SITE, 'assets/chunks')).filter((name) => name.startsWith('@localSearchIndex'));
    const text = read(`assets/chunks/${index}`);
    for (const page of PAGES) expect(text).toContain(`/${page}#`);
  });

  test('loads nothing from another server', () => {
    for (const file of readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html')))
      expect(read(file)).not.toMatch(
        /<(?:script|img|source)[^>]* src(?:set)?="https?:|<link rel="(?:stylesheet|preload)"[^>]* href="https?:/,
      );
  });
}

const ORIGIN = 'http://site.test';
/** One of each shelf, the first screen, and what is shown for an address that is gone. */
const LOOKED_AT = ['/', '/tutorial', '/how-to/mock', '/reference/configuration', '/why/comparison', '/gone'];

export function testSitePages(build: () => void, browser: () => Browser): void {
  beforeAll(build, scaleTimeout(240_000));
  let axe: string;
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });

  const open = async (path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await browser().newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(20_000));
    const files = new Set(readdirSync(SITE, { recursive: true, encoding: 'utf8' }));
    await page.route(`${ORIGIN}/**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      const file = [name, `${name}.html`, `${name}index.html`].find((candidate) => files.has(candidate) && /\.\w+$/.test(candidate));
      return route.fulfill(file === undefined ? { status: 404, path: join(SITE, '404.html') } : { path: join(SITE, file) });
    });
    await page.goto(ORIGIN + path, { waitUntil: 'networkidle' });
    return page;
  };

  test.each([
    [1440, 'light'],
    [768, 'light'],
    [390, 'dark'],
  ] as const)('%i px, %s: nothing overflows, and axe finds no problem', async (width, colors) => {
    for (const path of LOOKED_AT) {
      const page = await open(path, width, colors);
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
      await page.evaluate(axe);
      const violations = await page.evaluate<readonly Result[]>('axe.run().then(({ violations }) => violations)');
      expect([path, violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))])]).toEqual([path, []]);
      await page.close();
    }
  });

  test('the first screen has the line, the command, three ways on, and the story in full', async () => {
    const page = await open('/', 1440, 'light');
    expect(await page.locator('h1').innerText()).toMatch(/^The OpenAPI file your server cannot break\./);
    expect(await page.locator('.lead code').count()).toBe(1);
    expect(await page.locator('.story .pane').count()).toBe(4);
    const ways = await page.locator('.lead p:has(> a + a + a) a').all();
    expect(ways).toHaveLength(3);
    for (const part of [...ways, page.locator('.story')]) {
      const box = await part.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? Infinity)).toBeLessThan(900);
    }
    expect(await page.locator('.error').allInnerTexts()).toEqual([
      expect.stringMatching(/^error TS\d+: /),
      expect.stringMatching(/^HTTP\/1\.1 500 /),
    ]);
    await page.close();
  });

  test('a search leads a user to a page for users', async () => {
    const page = await open('/', 1440, 'light');
    await page.keyboard.press('Control+k');
    await page.locator('.search-input:focus').waitFor();
    await page.keyboard.type('idempotency key');
    await page.locator('.result').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/(how-to|reference)\//);
    await page.close();
  });

  test.each([
    ['site-1440-light.png', 1440, 'light'],
    ['site-390-dark.png', 390, 'dark'],
  ] as const)('%s is what the first screen looks like', async (name, width, colors) => {
    const page = await open('/', width, colors);
    await compareScreenshot(page, `test/browser/screenshots/${name}`);
    await page.close();
  });
}
