/** Several contracts in one application, with one page of documentation; and a browser that listens to events and downloads. */
import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import { createRequestHandler, HandlerResponse, loadContract, type Contract, type UploadedFile } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog, listenOnFreePort, scaleTimeout, withApp } from 'specwright/testing';

const SPEC = fileURLToPath(new URL('streams.yaml', import.meta.url));
const BYTES = Buffer.from('0123456789');

/** What each connection was told that it has seen already. */
const resumed: (string | undefined)[] = [];

interface Given {
  readonly headers: { readonly 'Last-Event-ID'?: string };
}

interface Upload {
  readonly body: object;
  readonly files: AsyncIterable<UploadedFile>;
}

const handlersOf = (version: number) => ({
  getFile: () =>
    HandlerResponse.reply(200, { stream: () => Readable.from([BYTES]), length: BYTES.length, filename: `pet-v${version}.png` }),
  addFile: async ({ body, files }: Upload) => {
    const sent: object[] = [];
    for await (const { filename, type, stream } of files) sent.push({ filename, type, text: await text(stream) });
    return HandlerResponse.reply(200, { body: { ...body, ...sent[0] } });
  },
  listen: ({ headers }: Given, _: unknown, { signal }: { signal: AbortSignal }) => {
    const last = headers['Last-Event-ID'];
    resumed.push(last);
    const items = async function* () {
      for (let count = Number(last ?? 0) + 1; count <= Number(last ?? 0) + 2; count++) yield { id: String(count), data: { count } };
      if (last !== undefined) await sleep(scaleTimeout(60_000), undefined, { signal }).catch(() => undefined);
    };
    return HandlerResponse.reply(200, { items: items() });
  },
});

async function startApplication(): Promise<Server> {
  const { digest, document } = readDocument(SPEC);
  const contract: Contract = await loadContract(SPEC, {
    digest,
    operations: operationTable(document),
    rateLimitPlans: null,
  });
  const service = (version: number) => ({ base: `/v${version}`, contract, handlers: handlersOf(version), security: {} }) as never;
  const handler = createRequestHandler({
    services: [service(1), service(2)],
    docs: true,
    log: createTestLog(),
  });
  return createServer(express().use('/api', handler)).on('close', () => handler.close());
}

export function testStreams(browser: () => Browser): void {
  const app = withApp(async () => listenOnFreePort(await startApplication()));
  let page: Page;
  beforeAll(async () => {
    page = await browser().newPage();
    page.setDefaultTimeout(scaleTimeout(10_000));
  });

  test('the documentation has a menu of the contracts, and tries the one that is chosen', async () => {
    await page.goto(`${app.url}/api/docs`);
    const menu = page.getByRole('combobox', { name: 'Contract' });
    expect(await menu.locator('option').allInnerTexts()).toEqual(['Streams 1 (/v1)', 'Streams 1 (/v2)']);
    await menu.selectOption('/v2');
    await page.locator('.opblock').first().waitFor();
    expect(new URL(page.url()).searchParams.get('contract')).toBe('/v2');
    const operation = page.locator('.opblock[id$="-getFile"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.parameters input').fill('1');
    const called = page.waitForRequest(/files/);
    await operation.locator('.execute').click();
    expect((await called).url()).toBe(`${app.url}/api/v2/files/1`);
  });

  test('an EventSource gets each event, and goes on after the last one when it connects again', async () => {
    // As text, since it is of the browser.
    const counts = await page.evaluate(`new Promise((resolve) => {
      const seen = [];
      const source = new EventSource('${app.url}/api/v1/events');
      source.onmessage = ({ data }) => {
        seen.push(JSON.parse(data));
        if (seen.length === 4) resolve((source.close(), seen));
      };
    })`);
    expect(counts).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }, { count: 4 }]);
    expect(resumed).toEqual([undefined, '2']);
  });

  test('the documentation has a file chooser, and sends the file with its fields', async () => {
    await page.goto(`${app.url}/api/docs?contract=/v1`);
    const operation = page.locator('.opblock[id$="-addFile"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('input[type=file]').setInputFiles({ name: 'kätz.png', mimeType: 'image/png', buffer: BYTES });
    const answered = page.waitForResponse(/files/);
    await operation.locator('.execute').click();
    expect(await (await answered).json()).toMatchObject({ filename: 'kätz.png', type: 'image/png', text: BYTES.toString() });
  });

  test('a form is uploaded by fetch', async () => {
    const sent = await page.evaluate(`(async () => {
      const data = new FormData();
      data.append('caption', 'é"');
      data.append('file', new File(['bytes'], 'a "b".txt', { type: 'text/plain' }));
      return (await fetch('${app.url}/api/v1/files', { method: 'POST', body: data })).json();
    })()`);
    expect(sent).toEqual({ caption: 'é"', filename: 'a "b".txt', type: 'text/plain', text: 'bytes' });
  });

  test('a link downloads a file under its name', async () => {
    const started = page.waitForEvent('download');
    await page.evaluate(`Object.assign(document.createElement('a'), { href: '${app.url}/api/v1/files/1' }).click()`);
    const download = await started;
    expect(download.suggestedFilename()).toBe('pet-v1.png');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks)).toEqual(BYTES);
  });
}
