/** `npx specwright new`: a contract of somebody else's becomes a project far from this checkout that passes its own gates and tests, and boots. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { killProcesses, removeFolder, startProcess } from 'specwright/testing';
import { withCommands } from '../../support/projects/commands.ts';
import {
  copyNewProject,
  LIBRARY,
  makeFolder,
  MINUTE_MS,
  NEW_PROJECT_TIMEOUT_MS,
  run,
  type NewProject,
} from '../../support/projects/new-project.ts';

let made: NewProject;
let project: string;
/** For projects that are never made. */
let parent: string;
beforeAll(async () => {
  made = await copyNewProject('plain');
  project = made.folder;
  parent = await makeFolder();
}, NEW_PROJECT_TIMEOUT_MS);
afterAll(async () => {
  await killProcesses();
  await made.remove();
  await removeFolder(parent);
});

const command = withCommands();
const runNew = (...args: string[]) => command(resolve('.'), 'new', ...args);
const create = (folder: string, spec: string, ...more: string[]) => runNew(folder, '--spec', spec, '--no-install', ...more);
const specwright = (...args: string[]) => run('npx', ['specwright', ...args], project);

test('it says what is not served as it is written, how each step goes, and what to write first', async () => {
  expect(made.output).toMatch(
    /a request body of application\/xml: the handler gets a Buffer, without validation \(putBooksByIsbnText line \d+\)/,
  );
  expect(made.output).toContain('kept 2 files: the document is spec/library.yaml');
  for (const step of ['installing the packages', 'checking the types', 'running the tests'])
    expect(made.output).toMatch(new RegExp(`${step}: npm .*\n( {2}still .*\n)*  done in \\d+ s`));
  expect(made.output).toMatch(
    /Next:\n {2}cd '.*Their library'\n {2}npm run dev\n\nWrite first: src\/handlers\/\S+:\d+:\d+, the handler of GET /,
  );
  expect(await readFile(join(project, 'docs/not-served.md'), 'utf8')).toContain('putBooksByIsbnText');
});

test('it has at most 40 files beside handlers, generated code and the packages, and no engine in them', async () => {
  const paths = await readdir(project, { recursive: true, withFileTypes: true });
  const files = paths.filter((entry) => entry.isFile()).map((entry) => relative(project, join(entry.parentPath, entry.name)));
  const own = files.filter((path) => !/^(node_modules|vendor|generated|src\/handlers|\.data|\.cache)\//.test(path));
  expect(own.length).toBeLessThanOrEqual(40);
  const lines = await Promise.all(
    own.filter((path) => path.endsWith('.ts')).map(async (path) => (await readFile(join(project, path), 'utf8')).split('\n').length),
  );
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(600);
});

test('nothing of the pet store is left in it', async () => {
  const left: string[] = [];
  for (const path of await readdir(project, { recursive: true })) {
    if (/^(node_modules|vendor)/.test(path)) continue;
    const text = await readFile(join(project, path), 'utf8').catch(() => '');
    for (const [word] of text.matchAll(/\bpets?\b|pet.?store|petId|psk_live/gi)) left.push(`${path}: ${word}`);
  }
  expect(left).toEqual([]);
  const { name, description } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect({ name, description }).toEqual({ name: 'their-library', description: 'Library of <Babel>' });
});

// The type check and the tests were steps of `npx specwright new`; the other gates are steps of the first ten minutes.
test.each(['generate --check', 'check-breaking --base spec/library.yaml'])(
  'npx specwright %s passes',
  async (gate) => {
    expect(await specwright(...gate.split(' '))).toMatchObject({ code: 0 });
  },
  10 * MINUTE_MS,
);

test('none of its operations is exempt from its tests', async () => {
  expect(JSON.parse(await readFile(join(project, 'test/contract/exemptions.json'), 'utf8'))).toEqual({});
});

test(
  'it boots on a database of its own, warns of schemes that nobody has written, and no handler is reached without one',
  async () => {
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(project, '.data') };
    const server = startProcess({ program: 'src/main.ts', nodeArgs: ['--import', 'tsx'], cwd: project, env });
    const url = await server.url();
    for (const scheme of ['KeyAuth', 'OAuth']) await server.waitForOutput(new RegExp(`"level":"warn".*"scheme":"${scheme}"`));
    // The body of errors was guessed from the contract: its Problem has a title.
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(url + path, init);
      return {
        status: response.status,
        challenge: response.headers.get('www-authenticate'),
        message: ((await response.json()) as { title: string }).title,
      };
    };
    expect(await ask('/books?shelf=1')).toMatchObject({ status: 401, challenge: 'ApiKey realm="their_library", in="query", name="key"' });
    expect(await ask('/books?shelf=0&key=k')).toMatchObject({ status: 400, message: 'query/shelf must be >= 1' });
    expect(await ask('/books?shelf=1&key=k')).toMatchObject({
      status: 501,
      message: 'the security scheme KeyAuth is not implemented yet',
    });
    expect(await ask('/opening-hours')).toMatchObject({ status: 501, message: 'getOpeningHours is not implemented yet' });
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer t' };
    expect(await ask('/books', { method: 'POST', headers, body: '{"isbn":"x"}' })).toMatchObject({ status: 400 });
    expect(await ask('/v2/opening-hours')).toMatchObject({ status: 501 });
    server.child.kill('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0 });
  },
  10 * MINUTE_MS,
);

describe('what it cannot do it says, and leaves nothing behind', () => {
  const spec = async (text: string) => {
    const file = join(parent, 'spec.yaml');
    await writeFile(file, text);
    return file;
  };
  test.each<[name: string, text: string, says: RegExp]>([
    ['Swagger 2', "swagger: '2.0'\ninfo: { title: T, version: '1' }\npaths: {}\n", /2\.0/],
    ['OpenAPI 4', "openapi: 4.0.0\ninfo: { title: T, version: '1' }\npaths: {}\n", /4\.0\.0.*3\.0, 3\.1 and 3\.2/],
    ['no YAML', 'openapi: "3.0.0\n', /spec\.yaml:\d+:\d+/],
    [
      'a problem',
      "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: { /a: { get: { responses: { '200': { $ref: '#/x' } } } } }\n",
      /spec\.yaml:3:\d+/,
    ],
  ])('%s', async (_name, text, says) => {
    // prettier-ignore
    const folder = join(parent, 'never');
    const { code, output } = await create(folder, await spec(text));
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(says) });
    expect(output).not.toMatch(/\bat .*\.ts:\d+/);
    expect(existsSync(folder)).toBe(false);
  });

  test(
    'a spec that is not there, a folder that is not empty, a name that npm does not take, no spec',
    async () => {
      const folder = join(parent, 'never');
      expect(await create(folder, 'nowhere.yaml')).toMatchObject({
        code: 1,
        output: expect.stringContaining('nowhere.yaml does not exist'),
      });
      // Below a file there can be no folder, whoever asks.
      expect(await create(join(LIBRARY, 'never'), LIBRARY)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/never cannot be written: .*Name a folder that you may write to/),
      });
      // A file system may refuse a folder as one that does not exist, for ever.
      expect(await create('/proc/never', LIBRARY)).toMatchObject({
        code: 1,
        output: expect.stringContaining('/proc/never cannot be written'),
      });
      expect(await create(project, LIBRARY)).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
      expect(await create(folder, LIBRARY, '--name', 'My API')).toMatchObject({
        code: 2,
        output: expect.stringContaining('--name my-api'),
      });
      expect(await runNew(folder)).toMatchObject({
        code: 2,
        output: expect.stringMatching(/^specwright new: missing --spec FILE\nusage: specwright new/),
      });
      await mkdir(folder, { recursive: true });
      expect(await readdir(folder)).toEqual([]);
    },
    10 * MINUTE_MS,
  );
});
