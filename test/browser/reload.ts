/** In development the page at /docs loads itself again when the spec has changed, and its reader goes on where they were. */
import { expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { scaleTimeout } from 'specwright/testing';
import { authorize } from './authorize.ts';
import { serveDocument } from './serve-document.ts';

const KEY = 'secret-of-the-reader';

/** A page that is longer than a window. */
function startServer(port: number, summary: string) {
  const operation = (number: number) => ({
    operationId: `getSong${number}`,
    summary,
    tags: ['Songs'],
    responses: { 200: { description: 'A song.' } },
  });
  const document = {
    openapi: '3.1.1',
    info: { title: 'Songs', version: '1' },
    security: [{ bearer: [] }],
    paths: Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`/songs/${number}`, { get: operation(number) }])),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
  return serveDocument(document, port);
}

export function testReload(browser: () => Browser): void {
  test('a page shows the new spec by itself; key, what is open, and scroll position are kept; the same spec is not loaded again', async () => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(scaleTimeout(8_000));
    const summaries = page.locator('.opblock-summary-description');
    const loads: string[] = [];
    page.on('load', () => void loads.push(page.url()));

    const first = await startServer(0, 'the first');
    await page.goto(`http://127.0.0.1:${first.port}/docs`);
    await authorize(page, KEY);
    await page.getByLabel('Keep in this browser').check();
    await page.locator('[id$="-getSong30"] .opblock-summary-control').click();
    await page.locator('[id$="-getSong30"] .execute').waitFor();
    await page.locator('[id$="-getSong30"] .execute').scrollIntoViewIfNeeded();
    await page.evaluate('scrollTo(0, scrollY + 37)');
    const scroll = await page.evaluate<number>('scrollY');
    expect(scroll).toBeGreaterThan(400);
    const address = page.url();
    await first.stop();

    const connected = page.waitForResponse(/changes/);
    const same = await startServer(first.port, 'the first');
    await connected;
    await same.stop();
    expect(loads).toHaveLength(1);

    const second = await startServer(first.port, 'the second');
    await page.getByText('the second').first().waitFor();
    expect(new Set(await summaries.allInnerTexts())).toEqual(new Set(['the second']));
    await page.locator('[id$="-getSong30"] .execute').waitFor();
    await page.waitForFunction(`scrollY === ${scroll}`);
    expect(page.url()).toBe(address);
    const sent = page.waitForRequest(/songs\/30/);
    await page.locator('[id$="-getSong30"] .execute').click();
    expect((await sent).headers()['authorization']).toBe(`Bearer ${KEY}`);
    expect(loads).toHaveLength(2);
    await page.close();
    await second.stop();
  });
}
