/** Which modules a process loads: zod is read by who reads environment variables with it, and by nobody else. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Prints the address of each module that is loaded. */
const HOOKS = `import { writeSync } from 'node:fs';
  export const load = (url, context, next) => (writeSync(1, url + '\\n'), next(url, context));`;

/** @returns the addresses of the modules that a program loads, and what it prints. */
async function loadedBy(program: string): Promise<string[]> {
  const source = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(HOOKS)}));
    ${program}`;
  const args = ['--conditions=@specwright/source', '--import', 'tsx', '--input-type=module', '-e', source];
  return (await run(process.execPath, args, { cwd: ROOT, maxBuffer: 1 << 26 })).stdout.split('\n');
}

const isZod = (url: string) => /\/node_modules\/zod\//.test(url);

/** The README's server with a configuration that is written, beside all entries that have environment variables. */
const SERVER = `
  import { bearer, close, createLogger, createServer, listen, loadContract, serverOptions } from '@specwright/server';
  import { contract as generated } from './packages/server/test/readme/generated/contract.ts';
  for (const entry of ['server/jwt', 'postgres', 'accounts', 'accounts/webhooks']) await import('@specwright/' + entry);
  const config = {
    profile: 'server', responseValidation: 'strict', requestTimeout: 60_000, maxBodyBytes: 1024, bodyBudget: 65_536, spoolBudget: 1_048_576,
    compression: true, maxStreams: 10, maxStreamsPerCaller: 10, docs: false, metrics: false, logRequests: 'off',
  };
  const contract = await loadContract(new URL('packages/server/test/readme/openapi.yaml', 'file://' + process.cwd() + '/'), generated);
  const handlers = { createNote: () => undefined, getNote: (_, reply) => reply(200, { body: { id: 1, text: 'a' } }) };
  const security = { token: bearer(async () => ({})) };
  const server = createServer({ contract, handlers, security, log: createLogger('silent'), ...serverOptions(config) });
  const port = await listen(server, 0, '127.0.0.1');
  const response = await fetch('http://127.0.0.1:' + port + '/notes/1', { headers: { authorization: 'Bearer secret' } });
  console.log(response.status + ' ' + (await response.text()));
  await close(server, 0);
`;

test('a server whose configuration is an object does not load zod, whichever packages it has', async () => {
  const printed = await loadedBy(SERVER);
  expect(printed).toContain('200 {"id":1,"text":"a"}');
  expect(printed.filter(isZod)).toEqual([]);
});

test('what reads environment variables loads zod', async () => {
  expect((await loadedBy(`await import('@specwright/server/environment');`)).some(isZod)).toBe(true);
});
