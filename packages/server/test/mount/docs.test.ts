/** The pages of docs/how-to about applications: their examples are files of this folder, whose tests run them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();

/** Express 4 is used as Express 5 is; NestJS is followed by test/gates/projects/applications.slow.ts; the others are what examples need. */
const NOT_SHOWN = ['hosts/api.ts', 'hosts/express4.ts', 'hosts/nest.ts', 'hosts/app-module.ts', 'recipes/strategy.ts'];
const EXAMPLES = ['hosts', 'recipes'].flatMap((folder) => readdirSync(new URL(folder, import.meta.url)).map((name) => `${folder}/${name}`));
const PAGES: Readonly<Record<string, string>> = { 'hosts/http.ts': 'node-http' };
const pageOf = (name: string) => PAGES[name] ?? (name.startsWith('recipes/') ? 'middleware' : name.slice('hosts/'.length, -'.ts'.length));

test.each(EXAMPLES.filter((name) => !NOT_SHOWN.includes(name)))('its page shows %s', (name) => {
  expect(read(`../../../../docs/how-to/${pageOf(name)}.md`)).toContain(`\`\`\`ts\n${read(name)}\n\`\`\``);
});

test('Express 4 is used as Express 5 is', () => {
  expect(read('hosts/express4.ts').replace("'express4'", "'express'")).toBe(read('hosts/express.ts'));
});
