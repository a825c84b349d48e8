/** Pages in a real Chromium, one for all of them: two processes must not unpack it at once. Skipped where there is none; in CI it fails. */
import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { scaleTimeout } from 'specwright/testing';
import { testAccessibility } from './accessibility.ts';
import { testCode } from './code.ts';
import { testCors } from './cors.ts';
import { testDocs } from './docs.ts';
import { testFrontEnd } from './front-end.ts';
import { testGuides } from './guides.ts';
import { testIdentity } from './identity.ts';
import { testLayout } from './layout.ts';
import { testMock } from './mock.ts';
import { testLook } from './look.ts';
import { findChromium, launchChromium } from './find-chromium.ts';
import { testOperation } from './operation.ts';
import { testReload } from './reload.ts';
import { testSchemas } from './schemas.ts';
import { testScreenshots } from './screenshots.ts';
import { testSidebar } from './sidebar.ts';
import { siteBuilder, testSite, testSitePages } from './site.ts';
import { testStreams } from './streams.ts';
import { testTry } from './try.ts';
import { testTryAll } from './try-all.ts';

const INSTALL = 'npm ci --prefix test/browser/chromium';

const executablePath = await findChromium();

if (executablePath === undefined && process.env['CI']) throw new Error(`there is no Chromium: ${INSTALL}`);
if (executablePath === undefined) console.warn(`SKIPPED: pages in Chromium, which is not installed: ${INSTALL}`);

jest.setTimeout(scaleTimeout(120_000));

const buildSite = siteBuilder();
describe('the site', () => testSite(buildSite));

(executablePath === undefined ? describe.skip : describe)('in Chromium', () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(() => browser?.close());

  describe('/docs', () => testDocs(() => browser as Browser));
  describe('the sidebar of /docs', () => testSidebar(() => browser as Browser));
  describe('guides at /docs', () => testGuides(() => browser as Browser));
  describe('an operation at /docs', () => testOperation(() => browser as Browser));
  describe('the layout of /docs', () => testLayout(() => browser as Browser));
  describe('schemas at /docs', () => testSchemas(() => browser as Browser));
  describe('code at /docs', () => testCode(() => browser as Browser));
  describe('what is tried at /docs', () => testTry(() => browser as Browser));
  describe('the log-in of /docs', () => testIdentity(() => browser as Browser));
  describe('every Execute of /docs', () => testTryAll(() => browser as Browser));
  describe('pages for everyone', () => testAccessibility(() => browser as Browser));
  describe('the look of pages', () => testLook(() => browser as Browser));
  describe('pictures of /docs', () => testScreenshots(() => browser as Browser));
  describe('pages and pictures of the site', () => testSitePages(buildSite, () => browser as Browser));
  describe('/docs in development', () => testReload(() => browser as Browser));
  describe('a client on a page of another origin', () => testCors(() => browser as Browser));
  describe('the page of a front end', () => testFrontEnd(() => browser as Browser));
  describe('a front end, with a mock and with the service', () => testMock(() => browser as Browser));
  describe('streams, and several contracts', () => testStreams(() => browser as Browser));
});
