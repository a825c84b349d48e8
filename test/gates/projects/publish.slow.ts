/** Publishing, rehearsed: all packages go to a registry on loopback as a release does it, and are used from there in empty folders. */
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { LIBRARY, MINUTE_MS as MINUTE } from '../../support/projects/new-project.ts';
import { followReadme, readSteps, withBackground } from '../../support/projects/readme-example.ts';
import { importTool } from '../../support/projects/registry.ts';
import { rehearse, withRegistry } from '../../support/projects/rehearsal.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Manifest;
const folders = (await readdir('packages', { withFileTypes: true })).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const manifests = await Promise.all(folders.map((name) => read(`packages/${name}/package.json`)));
const [{ version } = { version: '' }] = manifests;
const { environment, run, publish, path, emptyFolder } = withRegistry();

rehearse(
  'every package is built and published in order; a second run publishes nothing',
  async () => {
    const { code, output } = await publish();
    if (code !== 0) throw new Error(output);
    for (const { name } of manifests) expect(output).toContain(`${name}@${version} is published\n`);
    const again = await publish();
    expect(again.output.match(/ was published before$/gm)).toHaveLength(manifests.length);
  },
  5 * MINUTE,
);

rehearse(
  'publint and attw find no problem in a tarball',
  async () => {
    type Publint = (options: object) => Promise<{ messages: { code: string; path: string[] }[] }>;
    interface Attw {
      createPackageFromTarballData(data: Uint8Array): object;
      checkPackage(
        source: object,
      ): Promise<{ types: unknown; problems?: { kind: string; entrypoint?: string; resolutionKind?: string }[] }>;
    }
    const { publint } = (await importTool('publint/src/index-node.js')) as { publint: Publint };
    const attw = (await importTool('@arethetypeswrong/core/dist/index.js')) as Attw;
    const paths = folders.map((name) => path('checkout/packages', name));
    const packed = await run(path('tarballs'), 'npm', 'pack', '--silent', '--ignore-scripts', ...paths);
    expect(packed.code).toBe(0);
    const files = await readdir(path('tarballs'));
    expect(files).toHaveLength(manifests.length);
    for (const file of files) {
      const data = new Uint8Array(await readFile(path('tarballs', file)));
      const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
      expect([file, messages]).toEqual([file, []]);
      const { problems = [] } = await attw.checkPackage(attw.createPackageFromTarballData(data));
      // The packages are modules only: neither require() nor resolution before `exports` is supported.
      const found = problems.filter(({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind));
      expect([file, found.filter(({ kind }) => kind !== 'CJSResolvesToESM')]).toEqual([file, []]);
    }
  },
  5 * MINUTE,
);

rehearse(
  'npm create specwright@latest makes a project of the published versions, whose types and tests pass',
  async () => {
    const cwd = await emptyFolder('create');
    // A document of two files.
    await copyFile(LIBRARY, join(cwd, 'their.yaml'));
    await copyFile(join(dirname(LIBRARY), 'schemas.json'), join(cwd, 'schemas.json'));
    const { code, output } = await run(cwd, 'npm', 'create', 'specwright@latest', 'their-api', '--', '--spec', 'their.yaml');
    if (code !== 0) throw new Error(output);
    // npm itself is silent while it fetches the tool.
    expect(output).toMatch(/^fetching specwright, \d+ MB/m);
    const { dependencies } = await read(join(cwd, 'their-api/package.json'));
    expect(dependencies).toMatchObject({ '@specwright/server': version });
    expect(await readdir(join(cwd, 'their-api'))).not.toContain('vendor');
    expect(await readFile(join(cwd, 'their-api/.deploy/Dockerfile'), 'utf8')).not.toContain('vendor');
    const lock = await readFile(join(cwd, 'their-api/node_modules/.package-lock.json'), 'utf8');
    expect(lock).toContain(`node_modules/specwright`);
    const project = join(cwd, 'their-api');
    for (const script of ['typecheck', 'test'])
      expect([script, await run(project, 'npm', 'run', '--silent', script)]).toMatchObject([script, { code: 0 }]);
  },
  6 * MINUTE,
);

rehearse(
  'npm create specwright@latest -- --example makes a project of the published versions, whose test passes',
  async () => {
    const cwd = await emptyFolder('example');
    const { code, output } = await run(cwd, 'npm', 'create', 'specwright@latest', '--', '--example', 'hello');
    if (code !== 0) throw new Error(output);
    expect(await readdir(join(cwd, 'hello'))).not.toContain('vendor');
    expect(await run(join(cwd, 'hello'), 'npm', 'run', '--silent', 'typecheck')).toMatchObject({ code: 0 });
  },
  6 * MINUTE,
);

/** In which the examples of READMEs are type-checked, with the declarations of all libraries. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: false,
};

rehearse(
  'npx specwright mock serves a document without a project, and its page',
  async () => {
    const cwd = await emptyFolder('mock');
    await copyFile('test/gates/foreign/bookings.yaml', join(cwd, 'openapi.yaml'));
    const { commands } = readSteps('packages/specwright/README.md').find((step) => 'commands' in step) as { commands: string[] };
    expect(commands[0]).toBe('npx specwright mock --spec openapi.yaml');
    await withBackground(commands[0] ?? '', { folder: cwd, env: environment() }, async (url) => {
      expect((await fetch(`${url}/docs`)).status).toBe(200);
    });
  },
  6 * MINUTE,
);

/** Pages that begin with commands. */
const PAGES = [
  ...folders.filter((name) => !name.endsWith('specwright')).map((name) => `packages/${name}/README.md`),
  'packages/server/src/jwt/README.md',
  'packages/server/src/mcp/README.md',
  'packages/accounts/src/webhooks/README.md',
];

rehearse.each(PAGES)(
  '%s begins with commands and code that work',
  async (page) => {
    const steps = readSteps(page);
    expect(steps.length).toBeGreaterThan(0);
    const cwd = await emptyFolder(page.replace(/\W+/g, '-'));
    await followReadme(steps, { folder: cwd, env: environment() });
    const files = steps.flatMap((step) => ('file' in step && step.file.endsWith('.ts') ? [step.file] : []));
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
    if (files.length > 0) expect(await run(cwd, 'npx', 'tsc', '-p', '.')).toEqual({ code: 0, output: '' });
  },
  6 * MINUTE,
);
