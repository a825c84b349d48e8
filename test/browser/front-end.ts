/** The page of a front end in a browser, with the generated client, against the service; and a server component's reply. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { listenOnFreePort, scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { orThrow } from '../../generated/client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';
import { requireOfChromium } from './find-chromium.ts';
import type { Page } from './front-end/page.ts';

/** What the page has. */
declare const shop: Page;
declare const seen: { events: unknown[]; live: boolean[]; sent: (number | undefined)[][]; stop: AbortController };

const HERE = fileURLToPath(new URL('front-end/', import.meta.url));
/** With the generated client; with those of other generators where `front-end/compare.ts` has made them. */
const CLIENTS = ['specwright', 'peers/hey-api', 'peers/orval'].filter(
  (client) => !client.startsWith('peers/') || existsSync(`${HERE}peers/generated`),
);

/** Serves the page with each client: `/specwright`. */
async function servePages() {
  const scriptOf = async (client: string) => {
    const contents = `import { createPage } from './${client}.ts'; globalThis.createPage = createPage;`;
    const { outputFiles } = await build({ stdin: { contents, resolveDir: HERE }, bundle: true, format: 'iife', write: false });
    return [`/${client}.js`, outputFiles[0]?.text ?? ''] as [url: string, text: string];
  };
  const scripts = new Map(await Promise.all(CLIENTS.map(scriptOf)));
  return listenOnFreePort(
    createServer(({ url = '' }, response) => {
      const script = scripts.get(url);
      response.writeHead(200, { 'Content-Type': script === undefined ? 'text/html' : 'text/javascript' });
      response.end(script ?? `<!doctype html><title>shop</title><link rel="icon" href="data:,"><script src="${url}.js"></script>`);
    }),
  );
}

export function testFrontEnd(browser: () => Browser): void {
  const database = withDatabase();
  const pages = withApp(servePages);
  const app = withApp(() => startApp(database.db, { cors: { origins: [pages.url] } }));

  test.each(CLIENTS)(
    '%s: lists page by page, reports errors by field, changes at once, follows the stock, uploads, logs in again after 401',
    async (name) => {
      const { key } = await newAccount(database.db);
      const client = petStore(app.url, key);
      const categoryId = (await orThrow(client.createCategory({ body: { name: 'Dogs' } }))).body.id;
      for (const name of ['a', 'b', 'c']) await orThrow(client.createPet({ body: { name, categoryId } }));
      const page = await browser().newPage();
      page.setDefaultTimeout(scaleTimeout(10_000));
      await page.goto(`${pages.url}/${name}`);
      await page.evaluate(
        ([baseUrl, renewed]) => {
          const { createPage } = globalThis as unknown as { createPage: (options: object) => Page };
          const renew = () => Promise.resolve(renewed);
          const made = createPage({ baseUrl, key: 'psk_live_expired', renew });
          Object.assign(globalThis, { shop: made, seen: { events: [], live: [], sent: [], stop: new AbortController() } });
          const { events, live, stop } = seen;
          void made
            .watchStock(
              (event) => events.push(event),
              (isLive) => live.push(isLive),
              stop.signal,
            )
            .catch(() => undefined);
        },
        [app.url, key] as const,
      );
      expect(await page.evaluate(async () => [await shop.more(), await shop.more(), shop.pets.map(({ name }) => name)])).toEqual([
        true,
        false,
        ['a', 'b', 'c'],
      ]);
      const refused = await page.evaluate(async () => [
        await shop.add({ name: '', categoryId: 1 }),
        await shop.add({ name: 'Rex', categoryId: 999_999 }),
      ]);
      expect(refused).toEqual([{ name: ['Please fill this in'] }, { categoryId: [expect.any(String)] }]);
      expect(await page.evaluate(async (id) => [await shop.add({ name: 'Rex', categoryId: id }), shop.pets[0]?.name], categoryId)).toEqual([
        {},
        'Rex',
      ]);

      const petId = await page.evaluate(() => shop.pets[0]?.id ?? 0);
      const { ETag } = (await orThrow(client.getStorePet({ path: { petId } }))).headers;
      const renames = await page.evaluate(async (etag) => {
        const [pet] = shop.pets as [(typeof shop.pets)[number]];
        const [first, name] = [shop.rename(pet, 'Max', etag), pet.name];
        return [name, await first, await shop.rename(pet, 'Bo', etag), pet.name];
      }, ETag);
      expect(renames).toEqual(['Max', true, false, 'Max']);

      await page.waitForFunction('seen.live[0]');
      await orThrow(client.setInventory({ path: { petId }, body: { quantity: 5 } }));
      await page.waitForFunction('seen.events.at(-1)?.data.quantity === 5');
      expect(await page.evaluate(() => seen.events.at(-1))).toMatchObject({ event: 'changed', data: { petId, quantity: 5 } });

      const address = await page.evaluate(async (id) => {
        seen.stop.abort();
        const png = atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');
        const photo = new File([Uint8Array.from(png, (char) => char.charCodeAt(0))], 'a.png', { type: 'image/png' });
        return shop.upload(id, photo, (...report) => seen.sent.push(report));
      }, petId);
      expect(address).toMatch(new RegExp(`^${app.url}/store/pets/${petId}/photos/\\d+$`));
      expect(await page.evaluate(() => [seen.sent[0]?.[0], seen.sent.at(-1)?.[0] === seen.sent.at(-1)?.[1]])).toEqual([0, true]);
      await page.close();
    },
  );

  test('a server component hands a reply on to the page, as React does', async () => {
    const { key } = await newAccount(database.db);
    // React has other entries on a server. It throws for what is no plain object, and warns of properties that are not enumerable.
    const program = `
      import { createRequire } from 'node:module';
      import { PassThrough } from 'node:stream';
      import { text } from 'node:stream/consumers';
      import { createClient, orThrow } from ${JSON.stringify(new URL('../../generated/client.ts', import.meta.url).href)};
      const { renderToPipeableStream } = createRequire(import.meta.url)(${JSON.stringify(requireOfChromium.resolve('react-server-dom-webpack/server.node'))});
      const reply = await orThrow(createClient(${JSON.stringify({ baseUrl: app.url, credentials: { bearerAuth: key } })}).getAccount());
      for (const model of [{ ...reply }, reply.response]) {
        const errors = [];
        const onError = (error) => void errors.push(error.message);
        const rendered = await text(renderToPipeableStream({ model }, {}, { onError }).pipe(new PassThrough()));
        console.log(JSON.stringify([errors.length, rendered.includes('"operation":"getAccount"')]));
      }`;
    const args = ['--conditions', 'react-server', '--import', 'tsx', '--input-type=module', '-e', program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    expect([stderr, stdout]).toEqual(['', '[0,true]\n[1,false]\n']);
  });
}
