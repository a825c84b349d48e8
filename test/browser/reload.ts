/** In development the page at /docs loads itself again when the spec has changed, and its reader goes on where they were. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createServer, loadContract, notImplemented, type ServerOptions } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog, scaleTimeout } from 'specwright/testing';
import { authorize } from './authorize.ts';

const KEY = 'secret-of-the-reader';

/** A page that is longer than a window. */
async function startServer(port: number, summary: string) {
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
  const folder = await mkdtemp(join(tmpdir(), 'reload-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const read = readDocument(file);
  const contract = await loadContract(file, { digest: read.digest, operations: operationTable(read.document), rateLimitPlans: null });
  await rm(folder, { recursive: true });
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => notImplemented(id)]));
  const security = { bearer: () => undefined };
  const options = { contract, handlers, security, docs: { reload: true }, log: createTestLog() };
  const server = createServer(options as unknown as ServerOptions<never, unknown>);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, stop };
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
