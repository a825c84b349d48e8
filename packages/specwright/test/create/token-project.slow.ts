/** A new project of a contract with access tokens is ready for them: its types are right, and its tests pass as it was made. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { writeProject } from '../../src/new/new-project.ts';

const SPEC = `openapi: 3.1.0
info: { title: Songs, version: '1' }
security: [{ login: ['songs:read'] }]
paths:
  /songs:
    get:
      operationId: listSongs
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } } }
    post:
      operationId: addSong
      security: [{ key: [] }, { login: ['songs:read', 'songs:write'] }]
      responses: { '204': { description: Added. } }
  /charts:
    get:
      operationId: getCharts
      security: [{ token: [] }]
      responses: { '204': { description: Them. } }
components:
  securitySchemes:
    login: { type: openIdConnect, openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration' }
    token: { type: http, scheme: bearer, bearerFormat: jwt }
    key: { type: apiKey, in: header, name: X-Key }
`;

const MODULES = resolve('node_modules');
const SOURCE = '@specwright/source';
const TIMEOUT_MS = 180_000;

/** Below this checkout, so that packages are found. */
let folder: string;
beforeAll(async () => {
  const cache = resolve('.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'token-project-'));
  const source = parseSource('openapi.yaml', SPEC);
  await writeProject(folder, { source, name: 'songs', tarballs: [], accounts: false });
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: { PATH, HOME } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8');

test('it depends on the package of tokens, and its security file names each scheme', () => {
  const manifest = JSON.parse(read('package.json')) as { dependencies: object };
  expect(manifest.dependencies).toMatchObject({ jose: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  expect(read('src/security.ts')).toMatch(/return \{\n {4}login: token,\n {4}key: unimplementedScheme,\n {4}token: token,\n {2}\};/);
});

test(
  'its types are right, and its code is as its linter wants it',
  async () => {
    // On the sources of the packages.
    const { compilerOptions, ...config } = JSON.parse(read('tsconfig.json')) as { compilerOptions: object };
    const sources = { ...compilerOptions, customConditions: [SOURCE] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions: sources }));
    expect(await run(join(MODULES, 'typescript-native/bin/tsc'), '-p', '.')).toEqual({ code: 0, output: '' });
    expect(await run(join(MODULES, 'prettier/bin/prettier.cjs'), '--check', 'src', 'test')).toMatchObject({ code: 0 });
    const eslint = [`--conditions=${SOURCE}`, join(MODULES, 'eslint/bin/eslint.js'), '-c', '.config/eslint.js', 'src', 'test'];
    expect(await run(...eslint)).toEqual({ code: 0, output: '' });
  },
  TIMEOUT_MS,
);

test(
  'its tests pass: tokens are accepted, and those that are wrong, have expired or lack scopes are refused, without a line of code',
  async () => {
    const conditions = `--testEnvironmentOptions=${JSON.stringify({ customExportConditions: [SOURCE, 'node', 'node-addons'] })}`;
    const options = [`--conditions=${SOURCE}`, '--experimental-vm-modules', '--no-warnings'];
    const { code, output } = await run(...options, join(MODULES, 'jest/bin/jest.js'), '--verbose', conditions);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +\d+ passed/) });
    const titlesOf = (id: string) => new RegExp(`${id}\\n((?: {4}.*\\n)+)`).exec(output)?.[1] ?? '';
    for (const title of ['without credentials', 'wrong credentials', 'expired credentials', 'without the required scopes'])
      expect([title, titlesOf('listSongs')]).toEqual([title, expect.stringContaining(title)]);
    expect(titlesOf('getCharts')).not.toContain('without the required scopes');
    // The API key comes first, and is not written yet; the token of the other alternative is tried nevertheless.
    expect(titlesOf('addSong')).toContain('without the required scopes');
  },
  TIMEOUT_MS,
);
