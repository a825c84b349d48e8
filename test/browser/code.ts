/** Code samples at /docs: each is run, and does what Execute would do. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { seedDemo } from '../../src/demo-records.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { PIXEL } from '../support/service/images.ts';
import { authorize } from './authorize.ts';

const execute = promisify(execFile);
const CLIENT = new URL('../../generated/client.ts', import.meta.url).href;

/** What a reader adds to the sample of a file. */
const FILE =
  "const file = new File([await (await import('node:fs/promises')).readFile('pixel.png')], 'pixel.png', { type: 'image/png' });\n";

/** @returns what the sample prints. */
const RUN: Readonly<Record<string, (code: string, cwd: string) => Promise<string>>> = {
  curl: async (code, cwd) => {
    const { stdout } = await execute('bash', ['-c', code.replace('curl ', "curl -s -w '%{http_code}' ")], { cwd });
    return `${stdout.slice(-3)} ${stdout.slice(0, -3)}`;
  },
  fetch: async (code, cwd) => {
    await writeFile(join(cwd, 'sample.mjs'), FILE + code);
    return (await execute('node', ['sample.mjs'], { cwd })).stdout;
  },
  client: async (code, cwd) => {
    await writeFile(join(cwd, 'sample.mts'), FILE + code.replace('./generated/client.ts', CLIENT));
    const tsx = import.meta.resolve('tsx');
    return (await execute('node', ['--import', tsx, 'sample.mts'], { cwd })).stdout;
  },
  Python: async (code, cwd) => {
    await writeFile(join(cwd, 'sample.py'), code);
    return (await execute('python3', ['sample.py'], { cwd })).stdout;
  },
};

const hasRequests = await execute('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
if (!hasRequests) console.warn('SKIPPED: samples in Python: there is no python3 with requests');

export function testCode(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));
  let page: Page;
  let key: string;
  let folder: string;

  beforeAll(async () => {
    const account = await newAccount(database.db);
    ({ key } = account);
    await seedDemo(database.db, account.accountId);
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
    await writeFile(join(folder, 'pixel.png'), PIXEL);
    page = await browser().newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(10_000));
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`);
  const open = async (id: string) => {
    // After a reload it is open already: the address of the page names it.
    if ((await operation(id).locator('.opblock-body').count()) === 0) await operation(id).locator('.opblock-summary-control').click();
    await operation(id).locator('.execute').waitFor();
  };
  const sample = async (id: string, language: string) => {
    await operation(id).getByRole('button', { name: language, exact: true }).click();
    return operation(id).locator('.docs-samples pre').innerText();
  };

  test.each(Object.keys(RUN).filter((language) => language !== 'Python' || hasRequests))(
    '%s: a list, JSON that a reader has changed, and a form with a file',
    async (language) => {
      const run = async (id: string) => RUN[language]?.((await sample(id, language)).replaceAll('API_KEY', key), folder);
      await page.reload();
      await page.locator('.opblock').first().waitFor();

      await open('listPets');
      await operation('listPets').locator('[data-param-name=status] select').selectOption('available');
      expect(await run('listPets')).toMatch(/^200 [^]*Rex[^]*Misty/);

      await open('createCategory');
      await operation('createCategory').locator('textarea').fill(`{"name": "Zoë's \\"birds\\" in ${language}", "description": null}`);
      expect(await run('createCategory')).toMatch(/^400 [^]*description/);
      await operation('createCategory').locator('textarea').fill(`{"name": "Zoë's \\"birds\\" in ${language}"}`);
      expect(await run('createCategory')).toMatch(/^201 /);
      const response = await fetch(`${app.url}/categories`, { headers: { Authorization: `Bearer ${key}` } });
      expect(await response.json()).toContainEqual(expect.objectContaining({ name: `Zoë's "birds" in ${language}` }));

      await open('createPhoto');
      await operation('createPhoto').locator('input[type=text]').last().fill("It's a pixel");
      const file = { name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL };
      await operation('createPhoto').locator('input[type=file]').setInputFiles(file);
      expect(await run('createPhoto')).toMatch(/^201 [^]*It's a pixel/);
    },
  );

  test('the language remains, a credential is masked and copied whole, and an empty path says what is missing', async () => {
    await open('deletePet');
    await sample('deletePet', 'fetch');
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    await open('deletePet');
    const text = await operation('deletePet').locator('.docs-samples pre').innerText();
    expect(text).toMatch(/^const response = await fetch\("[^"]*\/pets\/PET_ID"/);
    expect(text).toContain('Authorization: "Bearer API_KEY"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
    await operation('deletePet').getByRole('button', { name: 'Copy', exact: true }).click();
    await operation('deletePet').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    await authorize(page, key);
    const masked = await operation('deletePet').locator('.docs-samples pre').innerText();
    expect(masked).toContain(`Authorization: "Bearer ••••${key.slice(-4)}"`);
    expect(masked).not.toContain(key);
    await operation('deletePet').getByRole('button', { name: 'Copy', exact: true }).click();
    await operation('deletePet').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`Authorization: "Bearer ${key}"`);
  });
}
