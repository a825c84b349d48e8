/** The README: its example is the code in test/readme, which is type-checked with the rest and runs; it names every export. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import * as environment from '../src/environment.ts';
import * as server from '../src/index.ts';
import * as limits from '../src/limits/index.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();
const readme = read('../README.md');
/** As tsx, and quicker. */
const LOADER = new URL('../../../test/support/runner/hooks.mjs', import.meta.url).href;

/** Helpers for OpenAPI documents that the README sums up. */
const SUMMED_UP = ['METHODS', 'resolveAt', 'pointerKeys', 'isObject', 'rateLimitPlans'];

test('shows the files of the example', () => {
  expect(readme).toContain(`\`\`\`yaml\n${read('readme/openapi.yaml')}\n\`\`\``);
  expect(readme).toContain(`\`\`\`ts\n${read('readme/server.ts')}\n\`\`\``);
});

test('names every function and class of the package', () => {
  const names = Object.keys({ ...server, ...environment, ...limits });
  const missing = names.filter((name) => !SUMMED_UP.includes(name) && !new RegExp(`\\b${name}\\b`).test(readme));
  expect(missing).toEqual([]);
});

test('the example answers as its curl commands say', async () => {
  const program = fileURLToPath(new URL('readme/server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@specwright/source', '--import', LOADER, program], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { port } = JSON.parse(line) as { port: number };
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      return { status: response.status, headers: response.headers, body: (await response.json()) as { message?: string } };
    };
    const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' };
    const created = await call('/notes', { method: 'POST', headers, body: '{"text":"hello"}' });
    expect(created).toMatchObject({ status: 201, body: { id: 1, text: 'hello' } });
    expect(await call(created.headers.get('location') ?? '', { headers })).toMatchObject({ status: 200, body: { text: 'hello' } });
    expect(await call('/notes/0', { headers })).toMatchObject({ status: 400, body: { message: 'path/noteId must be >= 1' } });
    const anonymous = await call('/notes/1');
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Notes"']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
