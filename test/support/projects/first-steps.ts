/** The first ten minutes: what the README of a new project says, done to the letter and in its order, works at each step. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { killProcesses, startProcess, until } from 'specwright/testing';
import { DONE, followDev } from './dev.ts';
import { MINUTE_MS, NEW_PROJECT_TIMEOUT_MS, type NewProject } from './new-project.ts';

/** Declares the tests of a project. @param make makes and installs it; @param accounts whether it has them. */
export function testFirstSteps(make: () => Promise<NewProject>, accounts: boolean): void {
  let made: NewProject;
  let project: string;
  let readme: string;
  beforeAll(async () => {
    made = await make();
    project = made.folder;
    readme = await readFile(join(project, 'README.md'), 'utf8');
  }, NEW_PROJECT_TIMEOUT_MS);
  afterEach(killProcesses);
  afterAll(() => made.remove());

  const edit = async (path: string, change: (text: string) => string) => {
    const text = await readFile(join(project, path), 'utf8');
    const changed = change(text);
    expect([path, changed === text]).toEqual([path, false]);
    await writeFile(join(project, path), changed);
  };
  /** The code of a step, in order. */
  const blocksOf = (step: string): string[] => {
    const section = readme.split(/^### /m).find((text) => text.startsWith(step)) ?? '';
    return [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code.trimEnd());
  };
  const npm = (script: string) => run(project, 'npm', 'run', '--silent', script);
  const specwright = (...args: string[]) => run(project, 'npx', 'specwright', ...args);

  test(
    'each step works once those above it are done',
    async () => {
      const port = await freePort();
      const dev = startProcess({
        program: 'node_modules/.bin/specwright',
        args: ['dev'],
        cwd: project,
        env: { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: '.data' },
      });
      await dev.url();

      // 2. Credentials
      let key = '';
      if (accounts) {
        const [line = ''] = blocksOf('2.');
        key = run(project, 'bash', '-c', `${line} && echo "$KEY"`).output.trim().split('\n').at(-1) ?? '';
      } else {
        const [importLine = '', schemeLine = ''] = blocksOf('2.');
        const scheme = schemeLine.trim().split(':')[0] ?? '';
        await edit('src/security.ts', (text) =>
          text
            .split('\n')
            .map((line) => {
              if (line.includes('import { unimplementedScheme }')) return importLine;
              return line.trim() === `${scheme}: unimplementedScheme,` ? schemeLine : line;
            })
            .join('\n'),
        );
        const [, from = '', to = ''] = /In `test\/support\/credentials\.ts`, replace `(.+)` by `(.+)`\./.exec(readme) ?? [];
        await edit('test/support/credentials.ts', (text) => text.replace(from, to));
        // Whether its tests pass is seen at the next step, where no other fails than the new handler's.
      }

      // 3. The first handler
      const [stub = '', handler = '', curl = ''] = blocksOf('3.');
      const [, file = '', line = ''] = /In `(src\/handlers\/[^`]+)`, line (\d+), replace/.exec(readme) ?? [];
      const text = await readFile(join(project, file), 'utf8');
      expect(text.split('\n')[Number(line) - 1]?.trim()).toBe(stub);
      const call = () => run(project, 'bash', '-c', `KEY=${key}; ${curl.replace('localhost:3000', `127.0.0.1:${port}`)}`).output;
      await until(() => call().includes('HTTP/1.1 501'), MINUTE_MS);
      await edit(file, (source) => {
        const written = source.replace(stub, () => handler);
        return written.includes('notImplemented(') ? written : written.replace(/^import \{ notImplemented \}.*\n/m, '');
      });
      await until(() => call().includes('HTTP/1.1 200'), MINUTE_MS);

      // 4. Its test
      const unwritten = run(project, 'npm', 'test', '--', '--verbose');
      expect(unwritten).toMatchObject({ code: 1, output: expect.stringContaining('test/contract/scenarios.ts has to say') });
      expect(unwritten.output).toMatch(/^Tests: +1 failed, \d+ passed/m);
      if (accounts) expect(unwritten.output).toContain('without a key 401');
      const [scenarios = ''] = blocksOf('4.');
      await edit('test/contract/scenarios.ts', (source) => source.replace('export const SCENARIOS: Scenarios = {};', scenarios));

      // 5. The first table
      const [migration = '', store = ''] = blocksOf('5.');
      await writeFile(join(project, 'src/db/migrations/0001_notes.ts'), `${migration}\n`);
      await edit('src/db/migrations/index.ts', (source) =>
        source
          .replace(/^(import type \{ DatabaseSchema \}.*)$/m, "$1\nimport * as notes from './0001_notes.ts';")
          .replace(
            /migrations: \[(.*)\]/,
            (_, list: string) => `migrations: [${list === '' ? '' : `${list}, `}{ name: '0001_notes', migration: notes }]`,
          ),
      );
      await writeFile(join(project, 'src/db/notes.ts'), `${store}\n`);
      expect(specwright('schema')).toMatchObject({ code: 0 });
      expect(specwright('check-schema')).toMatchObject({
        code: 1,
        output: expect.stringMatching(/table notes is not in .config\/schema-map.yaml/),
      });
      await edit('.config/schema-map.yaml', (source) =>
        accounts
          ? source.replace(/^( {2}tables:)$/m, "$1\n    notes: 'Only tried.'")
          : source.replace(/^ {2}tables: \{\}$/m, "  tables: { notes: 'Only tried.' }"),
      );
      expect(specwright('check-schema')).toMatchObject({ code: 0 });
      await until(() => call().includes('HTTP/1.1 200'), MINUTE_MS);

      // 6. All checks.
      expect(npm('format')).toMatchObject({ code: 0 });
      for (const check of ['typecheck', 'lint']) expect([check, npm(check)]).toEqual([check, { code: 0, output: expect.any(String) }]);
      expect(specwright('lint')).toMatchObject({ code: 0 });
      expect(specwright('schema', '--check')).toMatchObject({ code: 0 });
      expect(run(project, 'npm', 'test')).toMatchObject({ code: 0 });

      // The loop still runs: a broken contract is named, and the last good server goes on.
      if (accounts) return;
      const loop = followDev(dev);
      const spec = join(project, 'spec/openapi.yaml');
      const contract = await readFile(spec, 'utf8');
      const broken = contract.replace(/^openapi:.*/m, 'openapi: none');
      expect(await loop.after(() => writeFile(spec, broken), DONE)).toMatch(/spec\/openapi\.yaml:\d+:\d+/);
      expect(call()).toContain('HTTP/1.1 200');
      await loop.after(() => writeFile(spec, contract), DONE);
      expect(await loop.interrupt()).toBe(0);
    },
    20 * MINUTE_MS,
  );
}

function run(cwd: string, command: string, ...args: string[]): { code: number | null; output: string } {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: { PATH, HOME }, encoding: 'utf8' });
  return { code: status, output: stderr + stdout };
}

const freePort = () =>
  new Promise<number>((settle) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => settle(port));
    });
  });
