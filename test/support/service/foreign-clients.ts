/** Clients in other languages: the commands of docs/clients/LANGUAGE/README.md, done to the letter against a started server. */
import { spawn, spawnSync } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMemoryStore } from '@specwright/server/limits';
import { withApp, withDatabase } from 'specwright/testing';
import { startApp } from './app.ts';

const MINUTE_MS = 60_000;

/** The languages whose absence fails, with commas between; in CI Python, which the fuzz run needs too. */
const REQUIRED = (process.env['REQUIRED_CLIENTS'] ?? (process.env['CI'] ? 'python' : '')).split(',');

/**
 * Declares the test of a language.
 *
 * @param toolchain the commands that it needs, each with arguments that succeed if it can be used.
 */
export function testForeignClient(language: string, toolchain: readonly (readonly [command: string, ...args: string[]])[]): void {
  const missing = toolchain.find(([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0);
  const isSkipped = missing !== undefined && !REQUIRED.includes(language);
  if (isSkipped) console.warn(`::: SKIPPED: the client in ${language}: \`${missing.join(' ')}\` fails here`);

  const database = withDatabase();
  // The limits of the contract, which the program exceeds.
  const app = withApp(() => startApp(database.db, { rateLimit: { store: createMemoryStore() } }));

  (isSkipped ? test.skip : test)(
    `${language}: the commands of its README generate a client, which creates, pages, gets an error and a 429`,
    async () => {
      const source = join('docs/clients', language);
      const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(await readFile(join(source, 'README.md'), 'utf8')) ?? [];
      // As deep as its source, so that the document is where the commands look for it. What is installed stays there.
      const folder = resolve('.cache/clients', language);
      await cp(source, folder, { recursive: true });
      const output = await run(commands, folder, { BASE_URL: app.url });
      const lines = output.split('\n').filter((line) => /^(created|page|error|limited) /.test(line));
      expect(lines).toEqual([
        expect.stringMatching(/^created Rex \S*\/store\/pets\/\d+/),
        expect.stringMatching(/^created Bo \S*\/store\/pets\/\d+/),
        expect.stringMatching(/^created Ida \S*\/store\/pets\/\d+/),
        'page 2',
        'page 1',
        'error 404 not_found',
        'limited rate_limited',
      ]);
    },
    10 * MINUTE_MS,
  );
}

/** @returns what the commands print. @throws Error with it, if one fails. */
function run(commands: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn('bash', ['-euc', commands], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', fail).on('close', (code) => (code === 0 ? done(output) : fail(new Error(`exit code ${String(code)}\n${output}`))));
  });
}
