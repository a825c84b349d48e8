/** The log-in of /docs: a user of the provider of examples/jwt logs in by PKCE, and may do what the scopes allow, without a word in the console. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { CLIENT_ID, startProvider } from '../../examples/jwt/provider.ts';
import { jwt } from '@specwright/server/jwt';
import { createServer, HandlerResponse, loadContract, serverOptions } from '@specwright/server';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog, listenOnFreePort, scaleTimeout, type ListeningServer } from 'specwright/testing';

const PROVIDER_FONTS = /^https:\/\/fonts\.(googleapis|gstatic)\.com\//;

const AUDIENCE = 'https://songs.example.com';

type Provider = Awaited<ReturnType<typeof startProvider>>;
const SCOPES = { 'songs:read': 'Reads songs' };

/** The provider of the contract is never asked: it is another one's. */
const OAUTH2 = {
  type: 'oauth2',
  flows: { authorizationCode: { authorizationUrl: 'https://login.example/auth', tokenUrl: 'https://login.example/token', scopes: SCOPES } },
};

/** @param environment what `/docs` reads. */
async function startApi(scheme: object, environment: NodeJS.ProcessEnv, provider: Provider): Promise<ListeningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const file = join(folder, 'openapi.json');
  const content = { 'application/json': { schema: { type: 'object' } } };
  const responses = { 200: { description: 'who calls', content }, 401: { description: 'nobody' }, 403: { description: 'not allowed' } };
  const listSongs = { operationId: 'listSongs', security: [{ login: ['songs:read'] }], responses };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Songs', version: '1' },
    paths: { '/songs': { get: listSongs } },
    components: { securitySchemes: { login: scheme } },
  };
  await writeFile(file, JSON.stringify(document));
  const { digest, document: read } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(read) } as never);
  await rm(folder, { recursive: true });
  const options = {
    ...serverOptions(readEnvironment(SERVER_VARIABLES, environment)),
    contract,
    handlers: { listSongs: (_: never, __: never, { caller }: { caller: object }) => HandlerResponse.reply(200, { body: caller }) },
    security: {
      login: jwt({ issuer: provider.url, audience: AUDIENCE, caller: ({ sub = '' }, scopes) => ({ sub, scopes: [...scopes] }) }),
    },
    log: createTestLog(),
  };
  return listenOnFreePort(createServer(options as never));
}

export function testIdentity(browser: () => Browser): void {
  let provider: Provider;
  const variables = () => ({ DOCS_CLIENT_ID: CLIENT_ID, DOCS_ISSUER: provider.url });
  beforeAll(async () => {
    provider = await startProvider({ port: 0, audience: AUDIENCE, users: { ada: ['songs:read'], gus: [] } });
  });
  afterAll(() => provider.close());

  describe.each<[name: string, start: () => Promise<ListeningServer>]>([
    ['oauth2, with another provider than the contract has', () => startApi(OAUTH2, variables(), provider)],
    ['a bearer token, with a provider', () => startApi({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, variables(), provider)],
    [
      'openIdConnect, with the provider of the contract',
      () => {
        const openIdConnectUrl = `${provider.url}/.well-known/openid-configuration`;
        return startApi({ type: 'openIdConnect', openIdConnectUrl }, { DOCS_CLIENT_ID: CLIENT_ID }, provider);
      },
    ],
  ])('%s', (_, start) => {
    const said: string[] = [];
    const requested: string[] = [];
    let app: ListeningServer;
    let page: Page;
    beforeAll(async () => {
      app = await start();
      const context = await browser().newContext();
      // The provider's own page asks for it, and a machine may reach no other host.
      await context.route(PROVIDER_FONTS, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
      page = await context.newPage();
      page.setDefaultTimeout(scaleTimeout(10_000));
      context.on('console', (message) => void said.push(`${message.type()}: ${message.text()}`));
      context.on('weberror', (error) => void said.push(`error: ${error.error().message}`));
      context.on('request', (request) => void requested.push(request.url()));
      await page.goto(`${app.url}/docs`);
      await page.locator('.opblock-summary-control').first().click();
    });
    afterAll(async () => {
      await page.context().close();
      await app.close();
    });

    /** Logs in by the dialog of the page and the window of the provider. */
    async function logIn(user: string): Promise<void> {
      await page.locator('.auth-wrapper .authorize').click();
      const dialog = page.locator('.modal-ux');
      const logOut = dialog.locator('button', { hasText: 'Logout' });
      if (await logOut.isVisible()) await logOut.click();
      expect(await dialog.getByLabel('client_id').inputValue()).toBe(CLIENT_ID);
      await dialog.locator('label', { hasText: 'songs:read' }).first().click();
      const opened = page.waitForEvent('popup');
      await dialog.locator('.auth-btn-wrapper .authorize').click();
      const popup = await opened;
      const closed = popup.waitForEvent('close');
      await popup.locator('[name=login]').fill(user);
      await popup.locator('[name=password]').fill('any');
      await popup.getByRole('button', { name: 'Sign-in' }).click();
      await closed;
      await logOut.waitFor();
      await dialog.locator('.btn-done').click();
    }

    /** @returns the status and the body of the response that the page shows. */
    async function execute(): Promise<readonly [status: string, body: string]> {
      const answered = page.waitForResponse(`${app.url}/songs`);
      await page.locator('.execute').click();
      const response = await answered;
      const row = page.locator('.live-responses-table tbody tr').first();
      await row.locator('.response-col_status', { hasText: String(response.status()) }).waitFor();
      return [await row.locator('.response-col_status').innerText(), await row.locator('.highlight-code pre').first().innerText()];
    }

    test('a test user with the scope is answered, one without it is refused', async () => {
      expect((await execute())[0]).toBe('401');
      await logIn('ada');
      const [status, body] = await execute();
      expect([status, JSON.parse(body)]).toEqual(['200', { sub: 'ada', scopes: ['songs:read'] }]);
      await logIn('gus');
      const [refused, error] = await execute();
      expect([refused, error]).toEqual(['403', expect.stringContaining('songs:read')]);
    });

    test('no policy is broken, the console has no error, and nobody else is asked for anything', () => {
      // What the server refused is said by Chromium, too: that was meant.
      expect(said.filter((line) => !/^verbose|the server responded with a status of 40[13]/.test(line))).toEqual([]);
      expect(
        new Set(requested.filter((url) => !url.startsWith('data:') && !PROVIDER_FONTS.test(url)).map((url) => new URL(url).origin)),
      ).toEqual(new Set([app.url, provider.url]));
    });
  });
}
