/** docs/how-to/express.md: its examples are files of this folder, whose tests run them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();

/** Express 4 is used as Express 5 is; the others are what examples need. */
const NOT_SHOWN = ['hosts/api.ts', 'hosts/express4.ts', 'hosts/app-module.ts', 'recipes/strategy.ts'];
const EXAMPLES = ['hosts', 'recipes'].flatMap((folder) => readdirSync(new URL(folder, import.meta.url)).map((name) => `${folder}/${name}`));

test.each(EXAMPLES.filter((name) => !NOT_SHOWN.includes(name)))('the page shows %s', (name) => {
  expect(read('../../../../docs/how-to/express.md')).toContain(`\`\`\`ts\n${read(name)}\n\`\`\``);
});

test('Express 4 is used as Express 5 is', () => {
  expect(read('hosts/express4.ts').replace("'express4'", "'express'")).toBe(read('hosts/express.ts'));
});
