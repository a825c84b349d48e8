/** The documents name files, links and npm scripts that there are, and what readers meet first is short. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DOCUMENTATION_PAGES } from '../support/documentation-pages.ts';
import { COMMANDS } from '../support/documented-commands.ts';

/** Where a path may begin. `pipeline/exchange.ts` is short for that of the server, `contract/src/schema/model.ts` for that of a package. */
const ROOTS = ['', 'packages/server/src/', 'packages/'];
const PATH = /`((?:packages|scripts|bench|contract|pipeline|limits|ops|http)\/[\w./-]+)`/g;

const ENTRIES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const DOCUMENTS = [...ENTRIES, ...DOCUMENTATION_PAGES];
const read = (document: string) => readFileSync(document, 'utf8');

test.each(DOCUMENTS)('%s names files that there are', (document) => {
  const paths = [...read(document).matchAll(PATH)].map(([, path = '']) => path);
  expect(paths.filter((path) => !ROOTS.some((root) => existsSync(root + path)))).toEqual([]);
});

test('the documents name many', () => {
  const paths = DOCUMENTS.flatMap((document) => read(document).match(PATH) ?? []);
  expect(paths.length).toBeGreaterThan(40);
});

/** As GitHub makes them of headings. */
const anchorsOf = (document: string) =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each([...DOCUMENTS, 'packages/specwright/README.md', 'packages/contract/README.md'])(
  '%s links to files and headings that there are',
  (document) => {
    const links = [...withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      return !existsSync(target) || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  },
);

const withoutCode = (text: string) => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

test.each(DOCUMENTS)('%s names programs and commands that there are', (document) => {
  const text = read(document);
  const programs = [...text.matchAll(/npm run ts -- (\S+?\.ts)|\bnode ((?:scripts|site)\/\S+?\.mjs)/g)].map(([, ts, js]) => ts ?? js ?? '');
  expect(programs.filter((path) => !existsSync(path))).toEqual([]);
  const commands = [...text.matchAll(/npx specwright ([a-z][\w-]*)/g)].map(([, name = '']) => name);
  expect(commands.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([]);
});

test('docs/README.md lists every page, and no page twice', () => {
  const listed = [...read('docs/README.md').matchAll(/\]\(([\w-]+(?:\/[\w-]+)?\.md)\)/g)].map(([, name = '']) => `docs/${name}`);
  expect(listed.sort()).toEqual(DOCUMENTATION_PAGES.filter((page) => page !== 'docs/README.md').sort());
});

test.each(ENTRIES)('%s names only scripts of package.json, and has no line twice', (document) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const text = read(document);
  const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const lines = text.split('\n').filter((line) => line.length > 60);
  expect(lines.filter((line, i) => lines.indexOf(line) !== i && !/^\| -/.test(line))).toEqual([]);
  // Fences come in pairs of the same length, so that no part of the page is code by mistake.
  expect(text.match(/^`{4,}/gm)).toBeNull();
  expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
});
