/** The entries of the package, imported where optional peers are not installed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Imports a module in a process that cannot resolve some packages. @returns the message of the error, or `loaded`. */
async function importWithout(module: string, ...missing: readonly string[]): Promise<string> {
  const hooks = `export const resolve = (name, context, next) => {
    if (${JSON.stringify(missing)}.includes(name)) throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  };`;
  const program = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    await import(${JSON.stringify(module)}).then(() => console.log('loaded'), (error) => console.log(error.message));`;
  const args = ['--conditions=@specwright/source', '--import', 'tsx', '--input-type=module', '-e', program];
  return (await run(process.execPath, args, { cwd: ROOT })).stdout.trim();
}

test.each([
  ['@specwright/server', ['zod/mini', 'jose', '@modelcontextprotocol/server', 'swagger-ui-dist', 'pino-pretty', '@redocly/openapi-core']],
  ['@specwright/server/command', ['zod/mini', 'jose', '@modelcontextprotocol/server']],
  ['@specwright/postgres', ['zod/mini']],
  ['@specwright/accounts', ['zod/mini']],
])('%s is imported without any of its optional peers', async (module, missing) => {
  expect(await importWithout(module, ...missing)).toBe('loaded');
});

test.each([
  ['@specwright/server/jwt', 'jose', '@specwright/server/jwt needs the package jose, which is not installed: npm install jose'],
  [
    '@specwright/server/mcp',
    '@modelcontextprotocol/server',
    '@specwright/server/mcp needs the package @modelcontextprotocol/server, which is not installed: npm install @modelcontextprotocol/server',
  ],
])('%s without %s says what to install', async (module, missing, message) => {
  expect(await importWithout(module, missing)).toBe(message);
});
