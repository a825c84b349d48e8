/** The guides at /docs: above the reference and in the sidebar, found by the search, sanitized, on a phone, and for everyone. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout } from 'specwright/testing';
import { serveDocument, type DocumentServer } from './serve-document.ts';

const list = (name: string) => ({
  get: {
    operationId: `list${name}`,
    tags: [name],
    summary: `List ${name.toLowerCase()}`,
    responses: { 204: { description: 'None.' } },
  },
});
const DOCUMENT = {
  openapi: '3.1.1',
  info: { title: 'Music', version: '1' },
  paths: { '/songs': list('Songs'), '/singers': list('Singers') },
};

const GUIDES = {
  '02-more.md': `# More

<script>window.hacked = 'script'</script>
<iframe src="/"></iframe><p onclick="window.hacked = 'click'" style="color: red">raw</p>
<img src="data:," onerror="window.hacked = 'image'" alt="none">
[bad](javascript:window.hacked='link')

## Playlists for parties

${'A sentence. '.repeat(300)}
`,
  '01 start.md': `# How to \`start\`

Continue with [the next](02-more.md), or open [the operation](#/Songs/listSongs).

\`\`\`sh
# a comment
curl --header "Authorization: Bearer a-long-key-that-does-not-fit-into-one-line-of-a-phone-0123456789" https://example.com/songs
\`\`\`

| one      | two      | three    | four     | five     | six      | seven    |
| -------- | -------- | -------- | -------- | -------- | -------- | -------- |
| a_value1 | a_value2 | a_value3 | a_value4 | a_value5 | a_value6 | a_value7 |
`,
};

export function testGuides(browser: () => Browser): void {
  let server: DocumentServer;
  let axe: string;
  beforeAll(async () => {
    server = await serveDocument(DOCUMENT, 0, GUIDES);
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  afterAll(() => server.stop());

  const open = async (width = 1280, colorScheme: 'light' | 'dark' = 'light', hash = '') => {
    const page = await browser().newPage({ viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(20_000));
    await page.goto(`http://127.0.0.1:${server.port}/docs${hash}`);
    await page.locator('.opblock').first().waitFor();
    return page;
  };
  const top = async (page: Page, title: string) => (await page.getByRole('heading', { name: title }).boundingBox())?.y ?? NaN;
  const shownLinks = (page: Page) => page.locator('nav li:visible a').allInnerTexts();

  test('they are above the reference, by file name, each with its first heading as the title', async () => {
    const page = await open();
    expect(await page.locator('.docs-guide h2').allInnerTexts()).toEqual(['How to start', 'More']);
    expect(await page.locator('.docs-guide :is(h1, h3)').allInnerTexts()).toEqual(['Playlists for parties']);
    expect(await page.locator('.docs-guide pre').innerText()).toMatch(/^# a comment\n/);
    expect(await top(page, 'More')).toBeLessThan((await page.locator('.opblock').first().boundingBox())?.y ?? NaN);
    expect(await page.locator('nav summary').allInnerTexts()).toEqual(['Guides', 'Songs', 'Singers']);
    expect((await shownLinks(page)).slice(0, 3)).toEqual(['How to start', 'More', 'Playlists for parties']);
    await page.close();
  });

  test('links lead to guides and operations in the same window, and so does the address', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'the next' }).click();
    expect(await top(page, 'More')).toBeLessThan(200);
    await page.locator('nav').getByRole('link', { name: 'How to start' }).click();
    expect(Math.abs(await top(page, 'How to start'))).toBeLessThan(200);
    await page.getByRole('link', { name: 'the operation', exact: true }).click();
    await page.locator('[id$="-listSongs"] .execute').waitFor();
    expect(page.url()).toMatch(/#\/Songs\/listSongs$/);
    expect(page.context().pages()).toHaveLength(1);
    await page.close();
    const second = await open(1280, 'light', '#/guides/02-more');
    expect(await top(second, 'More')).toBeLessThan(200);
    await second.close();
  });

  test('a search finds them by title and heading, beside operations', async () => {
    const page = await open();
    const search = page.getByRole('searchbox');
    await search.fill('parties playlists');
    expect(await shownLinks(page)).toEqual(['Playlists for parties']);
    expect(await page.getByRole('status').innerText()).toBe('No operation matches, 1 other');
    await search.fill('s');
    expect(await shownLinks(page)).toHaveLength(5);
    await search.fill('singers');
    expect(await page.getByRole('status').innerText()).toBe('1 of 2 operations');
    await page.close();
  });

  test('nothing in them runs', async () => {
    const page = await open();
    const guide = page.locator('.docs-guide').nth(1);
    expect(await guide.innerText()).toContain('raw');
    expect(await guide.locator('script, iframe, style, [style], [onclick], [onerror], [href^="javascript"]').count()).toBe(0);
    await guide.getByText('raw').click();
    await guide.getByText('bad').click();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.close();
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('%i px, %s: nothing overflows, and axe finds no problem', async (width, colors) => {
    const page = await open(width, colors);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.evaluate(axe);
    const violations = await page.evaluate<readonly Result[]>('axe.run().then(({ violations }) => violations)');
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))])).toEqual([]);
    await page.close();
  });

  test('on a phone the menu leads to them', async () => {
    const page = await open(390);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('nav').getByRole('link', { name: 'More' }).click();
    expect(await page.locator('nav').isVisible()).toBe(false);
    const side = await page.locator('.docs-side').boundingBox();
    const heading = await top(page, 'More');
    expect([heading >= (side?.y ?? 0) + (side?.height ?? 0), heading < 250]).toEqual([true, true]);
    await page.close();
  });
}
