/** The examples, copied far from this checkout and installed from the packages as npm packs them: their tests, types and curl commands work. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { makeFolder, MINUTE_MS as MINUTE, run, runNew } from '../../support/projects/new-project.ts';
import { readSteps, withBackground } from '../../support/projects/readme-example.ts';

const EXAMPLES = readdirSync('examples', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const BUILT = ['node_modules', 'generated', '.build', '.data'];

interface Manifest {
  readonly allowScripts?: object;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifestOf = (name: string) => JSON.parse(readFileSync(join('examples', name, 'package.json'), 'utf8')) as Manifest;

let folder: string;
const times: string[] = [];
beforeAll(async () => {
  folder = await makeFolder();
  // The example that needs all packages.
  const made = await runNew(join(folder, 'made'), '--example', 'webhooks', '--no-install');
  if (made.code !== 0) throw new Error(made.output);
  renameSync(join(folder, 'made/vendor'), join(folder, 'vendor'));
  for (const name of EXAMPLES)
    cpSync(join('examples', name), join(folder, name), { recursive: true, filter: (path) => !BUILT.includes(basename(path)) });
  // One installation for all: each finds in the folder above what it asks for, if it asks for the same version.
  const manifests = EXAMPLES.map(manifestOf);
  const [typescript] = manifests.map(({ devDependencies }) => devDependencies['typescript']);
  const tarballs = readdirSync(join(folder, 'vendor')).map((file) => [packageOf(file), `file:vendor/${file}`]);
  const manifest = {
    private: true,
    workspaces: EXAMPLES,
    dependencies: Object.fromEntries([...tarballs, ['typescript', typescript]]) as object,
    allowScripts: Object.assign({}, ...manifests.map(({ allowScripts }) => allowScripts)) as object,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const installed = await run('npm', ['install', '--no-audit', '--no-fund'], folder);
  if (installed.code !== 0) throw new Error(installed.output);
}, 10 * MINUTE);
afterAll(async () => {
  console.log(times.join('\n'));
  await removeFolder(folder);
});

/** `specwright-server-0.1.0.tgz` -> `@specwright/server`, `specwright-0.1.0.tgz` -> `specwright` */
const packageOf = (file: string): string => file.replace(/-\d.*$/, '').replace(/^specwright-/, '@specwright/');

test('the installed tool has them all, and makes a project of one', async () => {
  const unknown = await run('npx', ['specwright', 'new', '--example', 'unknown'], folder);
  expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining(`use one of ${EXAMPLES.sort().join(', ')}`) });
  const made = await run('npx', ['specwright', 'new', 'made-of-it', '--example', 'versions', '--no-install'], folder);
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/cd made-of-it\n {2}npm install.*\n {2}npm test\n {2}npm start$/m) });
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'made-of-it/package.json'), 'utf8')) as { dependencies: object };
  expect(dependencies).toMatchObject({ '@specwright/server': expect.stringMatching(/^file:vendor\//) });
  const files = (of: string) =>
    readdirSync(of, { recursive: true, encoding: 'utf8' }).filter((path) => !/^(vendor|generated|node_modules)/.test(path));
  expect(files(join(folder, 'made-of-it')).sort()).toEqual([...files('examples/versions'), '.gitignore'].sort());
});

/** A stream of events has no end: what came until curl has ended (28) counts. */
function outputOf(command: string, cwd: string): string {
  try {
    return execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  } catch (error) {
    const { status, stdout } = error as { status?: number; stdout?: string };
    if (status === 28 && stdout !== undefined && stdout !== '') return stdout;
    throw error;
  }
}

/** What the README's commands print is the comment beside each; `...` is any text. */
function curlProblems(commands: readonly string[], cwd: string, port: number): string[] {
  return commands.flatMap((line) => {
    const [command = '', expected = ''] = line.split(/ +# /);
    const output = outputOf(`${command.replaceAll('localhost:3000', `localhost:${port}`)} -sS --max-time 20`, cwd);
    const parts = expected.split('...').map((part) => part.trim());
    const isAsSaid = expected !== '' && parts.every((part) => output.includes(part)) && (parts.length > 1 || output.trim() === expected);
    return isAsSaid ? [] : [`${command} should print ${expected}:\n${output}`];
  });
}

test.each(EXAMPLES)(
  '%s passes its test, compiles, and prints what its README says',
  async (name) => {
    const cwd = join(folder, name);
    const began = performance.now();
    expect(await run('npm', ['test'], cwd)).toMatchObject({ code: 0, output: expect.stringMatching(/^# pass [1-9]/m) });
    const tested = performance.now();
    // Its own compiler, or the one above.
    const compiler = [join(cwd, 'node_modules'), join(folder, 'node_modules')].find((modules) => existsSync(join(modules, 'typescript')));
    expect(await run(process.execPath, [join(compiler ?? '', 'typescript/bin/tsc'), '--strict'], cwd)).toEqual({ code: 0, output: '' });
    const compiled = performance.now();
    const blocks = readSteps(join('examples', name, 'README.md')).flatMap((step) => ('commands' in step ? [step.commands] : []));
    const [install, ...others] = blocks;
    expect(install).toEqual(['npm install', 'npm start']);
    const curls = others.flat().filter((line) => line.startsWith('curl '));
    expect(curls.length).toBeGreaterThan(0);
    const { PATH = '', HOME = '' } = process.env;
    await withBackground('npm start', { folder: cwd, env: { PATH, HOME } }, async (_url, port) => {
      expect(curlProblems(curls, cwd, port)).toEqual([]);
    });
    const seconds = [tested - began, compiled - tested, performance.now() - compiled].map((ms) => (ms / 1000).toFixed(1));
    times.push(`${name}: test ${seconds[0] ?? ''} s, types ${seconds[1] ?? ''} s, README ${seconds[2] ?? ''} s`);
  },
  5 * MINUTE,
);
