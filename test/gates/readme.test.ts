/** The README agrees with the API, the scripts of package.json and the configuration. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { withApp, withDatabase } from '@specwright/testing';
import { readConfig } from '../../src/config.ts';
import { newAccount, startApp } from '../support/service/app.ts';

const readme = readFileSync('README.md', 'utf8');
const database = withDatabase();
const app = withApp(() => startApp(database.db));

test('shows the error response that the API sends', async () => {
  const shown = JSON.parse(/```json\n([^]*?)```/.exec(readme)?.[1] ?? '') as object;
  const body = /-d '(\{"name":""[^']*\})'/.exec(readme)?.[1] ?? '';
  const { key } = await newAccount(database.db);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${app.url}/pets`, { method: 'POST', headers, body });
  expect(await response.json()).toEqual(shown);
});

test('names only scripts of package.json', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test('names every script of package.json, and has no line twice', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const runs = (name: string) => ['start', 'test'].includes(name) || new RegExp(`npm run (-s )?${name}[\\s\`]`).test(readme);
  // But what `npm run lint` is made of, and what npm itself calls.
  expect(Object.keys(scripts).filter((name) => !/^(lint:(code|format)|(pre|post)pack)$/.test(name) && !runs(name))).toEqual([]);
  const lines = readme.split('\n').filter((line) => line.length > 60);
  expect(lines.filter((line, i) => lines.indexOf(line) !== i && !/^\| -/.test(line))).toEqual([]);
  // Fences come in pairs of the same length, so that no part of the page is code by mistake.
  expect(readme.match(/^`{4,}/gm)).toBeNull();
  expect((readme.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test('lists every variable of the configuration with its default', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`|[^|]*) +\|/gm)].map(([, name = '', value]) => [name, value] as const);
  const defaults = Object.fromEntries(rows.filter(([, value]) => value !== undefined)) as Record<string, string>;
  expect(readConfig(defaults)).toEqual(readConfig({}));
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  expect(rows.map(([name]) => name)).toEqual(
    expect.arrayContaining(['PORT', 'HOST', 'DATABASE_URL', 'RESPONSE_VALIDATION', 'SHUTDOWN_TIMEOUT']),
  );
});
