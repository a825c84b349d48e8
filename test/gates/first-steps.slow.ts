/** The first ten minutes: what the README of a new project says, done to the letter and in its order, works at each step. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { killProcesses, startProcess, until } from '@specwright/testing';

const MINUTE = 60_000;

describe.each([
  ['bookings', false],
  ['library', true],
])('%s, with accounts: %s', (name, accounts) => {
  let parent: string;
  let project: string;
  let readme: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'first-steps-'));
    // As root the database runs as another user, who must be able to reach it.
    await chmod(parent, 0o755);
    project = join(parent, name);
    const spec = resolve(`test/gates/foreign/${name}.yaml`);
    const made = run('.', 'npm', 'run', '--silent', 'new', '--', project, '--spec', spec, ...(accounts ? ['--accounts'] : []));
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Try it, in another terminal:\n  curl -i ') });
    readme = await readFile(join(project, 'README.md'), 'utf8');
  }, 20 * MINUTE);
  afterEach(killProcesses);
  afterAll(() => rm(parent, { recursive: true, force: true }));

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
  const npm = (...args: string[]) => run(project, 'npm', 'run', '--silent', ...args);

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
              return line === `  ${scheme}: unimplementedScheme,` ? schemeLine : line;
            })
            .join('\n'),
        );
        const [, from = '', to = ''] = /In `test\/support\/credentials\.ts`, replace `(.+)` by `(.+)`\./.exec(readme) ?? [];
        await edit('test/support/credentials.ts', (text) => text.replace(from, to));
        expect(run(project, 'npm', 'test')).toMatchObject({ code: 0 });
      }

      // 3. The first handler
      const [stub = '', handler = '', curl = ''] = blocksOf('3.');
      const [, file = '', line = ''] = /In `(src\/handlers\/[^`]+)`, line (\d+), replace/.exec(readme) ?? [];
      const text = await readFile(join(project, file), 'utf8');
      expect(text.split('\n')[Number(line) - 1]?.trim()).toBe(stub);
      const call = () => run(project, 'bash', '-c', `KEY=${key}; ${curl.replace('localhost:3000', `127.0.0.1:${port}`)}`).output;
      await until(() => call().includes('HTTP/1.1 501'), MINUTE);
      await edit(file, (source) => {
        const written = source.replace(stub, () => handler);
        return written.includes('notImplemented(') ? written : written.replace(/^import \{ notImplemented \}.*\n/m, '');
      });
      await until(() => call().includes('HTTP/1.1 200'), MINUTE);

      // 4. Its test
      expect(run(project, 'npm', 'test')).toMatchObject({
        code: 1,
        output: expect.stringContaining('test/contract/scenarios.ts has to say'),
      });
      const [scenarios = ''] = blocksOf('4.');
      await edit('test/contract/scenarios.ts', (source) => source.replace('export const SCENARIOS: Scenarios = {};', scenarios));
      expect(run(project, 'npm', 'test')).toMatchObject({ code: 0 });

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
      expect(npm('schema')).toMatchObject({ code: 0 });
      expect(npm('check-schema')).toMatchObject({
        code: 1,
        output: expect.stringMatching(/table notes is not in .config\/schema-map.yaml/),
      });
      await edit('.config/schema-map.yaml', (source) =>
        accounts
          ? source.replace(/^( {2}tables:)$/m, "$1\n    notes: 'Only tried.'")
          : source.replace(/^ {2}tables: \{\}$/m, "  tables: { notes: 'Only tried.' }"),
      );
      expect(npm('check-schema')).toMatchObject({ code: 0 });
      await until(() => call().includes('HTTP/1.1 200'), MINUTE);

      // 6. All gates: those of .ci/run, without installing again.
      expect(npm('format')).toMatchObject({ code: 0 });
      for (const gate of ['typecheck', 'lint', 'lint:spec', 'schema -- --check'])
        expect([gate, npm(...gate.split(' '))]).toEqual([gate, { code: 0, output: expect.any(String) }]);
      expect(run(project, 'npm', 'test')).toMatchObject({ code: 0 });
    },
    20 * MINUTE,
  );
});

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
