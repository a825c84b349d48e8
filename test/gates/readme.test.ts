/** The README and what it was divided into agree with the API, the scripts of package.json and the configuration. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { withApp, withDatabase } from 'specwright/testing';
import { rateLimitPlans } from '../../generated/contract.ts';
import { readConfig } from '../../src/config.ts';
import { ensureDemoAccount } from '../../src/first-start.ts';
import { COMMANDS } from '../support/documented-commands.ts';
import { newAccount, startApp } from '../support/service/app.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const database = withDatabase();
const app = withApp(() => startApp(database.db));

test('the README shows the error response that the API sends', async () => {
  const readme = read('README.md');
  const shown = JSON.parse(/```json\n([^]*?)```/.exec(readme)?.[1] ?? '') as object;
  const body = /-d '(\{"name":""[^']*\})'/.exec(readme)?.[1] ?? '';
  const { key } = await newAccount(database.db);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${app.url}/pets`, { method: 'POST', headers, body });
  expect(await response.json()).toEqual(shown);
});

test('the README shows the results of the conformance suite', () => {
  const page = read('docs/why/conformance.md');
  const rows = [...page.matchAll(/^\| \[([\w-]+)[^|]*\|[^|]*\| +(\d+) \|/gm)].map(([, server, kept]) => [server, Number(kept)] as const);
  const most = (isOurs: boolean) => Math.max(...rows.flatMap(([server, kept]) => ((server === 'specwright') === isOurs ? [kept] : [])));
  const [cases = 0, ours, next] = [Number(/^(\d+) cases in/m.exec(page)?.[1]), most(true), most(false)].map((count) =>
    count.toLocaleString('en'),
  );
  expect(read('README.md')).toContain(
    `${cases} public cases](docs/why/conformance.md) this server conforms in ${ours}, the next server in ${next}.`,
  );
});

/** What a page says of a request: `curl ... localhost:3000/path`, with its method and body. */
const CURL = /^curl (.*?)'?localhost:3000(\/[^\s']*)'?$/;

test.each(['README.md', 'docs/how-to/retries.md', 'docs/how-to/keys.md', 'docs/how-to/webhooks.md'])(
  'the curl commands of %s are requests of the contract',
  async (page) => {
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    const key = (await ensureDemoAccount(database.db, join(folder, 'demo-key'), new Date())) ?? '';
    rmSync(folder, { recursive: true });
    const code = [...read(page).matchAll(/^```sh\n([^]*?)^```/gm)].map(([, text = '']) => text.replaceAll(/\\\n\s*/g, '')).join('');
    const requests = code.split('\n').flatMap((line) => {
      const [, options = '', path = ''] = CURL.exec(line) ?? [];
      if (path === '') return [];
      const body = /-d '([^']*)'/.exec(options)?.[1];
      const method = /-X (\w+)/.exec(options)?.[1] ?? (body === undefined ? 'GET' : 'POST');
      const given = [...options.matchAll(/-H ['"]([\w-]+): ([^'"]*)['"]/g)].map(([, name = '', value = '']) => [
        name,
        value.replace('$KEY', key),
      ]);
      return [{ method, path, headers: Object.fromEntries(given) as Record<string, string>, body }];
    });
    expect(requests.length).toBeGreaterThan(0);
    for (const { method, path, headers, body } of requests) {
      const response = await fetch(app.url + path, { method, headers, body: body ?? null });
      const said = await response.text();
      // The last line of the tour is refused, as the README says.
      if (body?.includes('"colour"') === true) expect(said).toContain('invalid_request');
      else expect([`${method} ${path}`, response.ok, said]).toEqual([`${method} ${path}`, true, said]);
    }
  },
);

test('there are at most 20 scripts and 21 commands', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
  expect(Object.keys(COMMANDS).length).toBeLessThanOrEqual(21);
});

test('docs/reference/commands.md names every script of package.json and every command of specwright, and no other', () => {
  const page = read('docs/reference/commands.md');
  const named = (pattern: RegExp) => [...new Set([...page.matchAll(pattern)].map(([, name = '']) => name))].sort();
  expect(named(/`npm (?:run )?(?:-s )?([\w:-]+)[^`]*`/g)).toEqual(Object.keys(scripts).sort());
  // `run` and the commands that are a script are called by npm.
  const isScript = (name: string) => name === 'run' || Object.values(scripts).some((script) => script.endsWith(`specwright.mjs ${name}`));
  const called = Object.keys(COMMANDS).filter((name) => !isScript(name));
  expect(named(/`npx specwright ([a-z][\w-]*)[^`]*`/g)).toEqual(called.sort());
});

test('docs/reference/configuration.md lists every variable with its default', () => {
  const rows = [...read('docs/reference/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`|[^|]*) +\|/gm)].map(
    ([, name = '', value]) => [name, value] as const,
  );
  const defaults = Object.fromEntries(rows.filter(([, value]) => value !== undefined)) as Record<string, string>;
  expect(readConfig(defaults)).toEqual(readConfig({}));
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  const asked = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
  expect([...asked].filter((name) => !rows.some(([listed]) => listed === name))).toEqual([]);
  expect(asked).toContain('DATABASE_URL');
});

test('docs/reference/limits.md has the plans of the contract', () => {
  const rows = [...read('docs/reference/limits.md').matchAll(/^\| (\w+) +\| ([\d,]+|custom) +\| ([\d,]+|custom) +\|$/gm)];
  const shown = rows.map(([, name = '', minute = '', day = '']) => [name.toLowerCase(), minute, day]);
  const format = (limit: number) => limit.toLocaleString('en');
  const plans = Object.entries(rateLimitPlans.plans).map(([name, plan]) =>
    'custom' in plan ? [name, 'custom', 'custom'] : [name, format(plan.minute), format(plan.day)],
  );
  expect(shown).toEqual(plans);
});

test('docs/reference/extensions.md has the extensions that the linter knows', () => {
  const known = /EXTENSIONS[^=]*= \{([^]*?)^\};/m.exec(read('packages/specwright/src/lint/rules/lifecycle-rules.ts'))?.[1] ?? '';
  const names = [...known.matchAll(/'(x-[\w-]+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  const page = read('docs/reference/extensions.md');
  expect(names.filter((name) => !page.includes(`\`${name}`) && !page.includes(`${name}:`))).toEqual([]);
});
