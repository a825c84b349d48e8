/** A new project with `--mock-missing`: its stubs, and its security scheme that is not written, are answered from the contract. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { killProcesses, scaleTimeout, startProcess, withDatabase } from 'specwright/testing';
import { TEMPLATE } from '../../src/new/template.ts';

const database = withDatabase({ schema: 'empty' });
afterAll(killProcesses);

test(
  'answers with examples where it answers 501 without the option',
  async () => {
    const started = startProcess({
      program: resolve(TEMPLATE, 'src/main.ts'),
      args: ['--migrate', '--mock-missing'],
      nodeArgs: ['--conditions=@specwright/source', '--import', import.meta.resolve('tsx')],
      cwd: TEMPLATE,
      env: { PORT: '0', DATABASE_URL: database.url },
    });
    const url = await started.url();
    const read = await fetch(`${url}/things/1`, { headers: { Origin: 'http://localhost:5173' } });
    expect([read.status, await read.json(), read.headers.get('x-mock')]).toEqual([200, { name: 'x' }, 'true']);
    expect(read.headers.get('access-control-allow-origin')).toBe('*');
    const add = (headers: Record<string, string>) =>
      fetch(`${url}/things`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: '{"name":"y"}' });
    expect((await add({})).status).toBe(401);
    expect((await add({ 'X-Template-Key': 'any' })).status).toBe(201);
    expect(readFileSync(resolve(TEMPLATE, 'src/handlers/things.ts'), 'utf8')).toContain('notImplemented');
  },
  scaleTimeout(60_000),
);
