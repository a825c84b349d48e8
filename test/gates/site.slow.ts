/** The site is built from the pages of docs/: each of them is there, can be found, and loads nothing from elsewhere. Dead links end the build. */
import { beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scaleTimeout } from 'specwright/testing';
import { DOCUMENTATION_PAGES } from '../support/documentation-pages.ts';

const SITE = '.build/site';
/** Such as `how-to/uploads`. */
const pages = DOCUMENTATION_PAGES.filter((page) => page !== 'docs/README.md').map((page) => page.slice('docs/'.length, -'.md'.length));

beforeAll(() => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['site/build.mjs'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
}, scaleTimeout(240_000));

test('has each page, in the navigation too', () => {
  const home = readFileSync(join(SITE, 'documentation.html'), 'utf8');
  for (const page of pages) {
    expect(readFileSync(join(SITE, `${page}.html`), 'utf8')).toMatch(/<h1/);
    expect(home).toContain(`href="/${page}"`);
  }
});

test('finds words of each page without a network', () => {
  const files = readdirSync(join(SITE, 'assets/chunks'));
  const [index = ''] = files.filter((name) => name.startsWith('@localSearchIndex'));
  const text = readFileSync(join(SITE, 'assets/chunks', index), 'utf8');
  for (const page of pages) expect(text).toContain(`/${page}#`);
});

test('loads nothing from another server', () => {
  for (const file of readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html')))
    expect(readFileSync(join(SITE, file), 'utf8')).not.toMatch(
      /<(?:script|img|source)[^>]* src(?:set)?="https?:|<link rel="(?:stylesheet|preload)"[^>]* href="https?:/,
    );
});
