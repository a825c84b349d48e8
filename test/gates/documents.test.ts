/** The paths that the documents name are those of files and folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Where a path may begin. `pipeline/exchange.ts` is short for that of the server. */
const ROOTS = ['', 'packages/server/src/'];
const PATH = /`((?:packages|scripts|bench|contract|pipeline|limits|ops|http)\/[\w./-]+)`/g;

const DOCUMENTS = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

test.each(DOCUMENTS)('%s names files that there are', (document) => {
  const paths = [...readFileSync(document, 'utf8').matchAll(PATH)].map(([, path = '']) => path);
  expect(paths.filter((path) => !ROOTS.some((root) => existsSync(root + path)))).toEqual([]);
});

test('the documents name many', () => {
  const paths = DOCUMENTS.flatMap((document) => readFileSync(document, 'utf8').match(PATH) ?? []);
  expect(paths.length).toBeGreaterThan(40);
});
