/** The packages as npm packs them, installed far from this checkout: a server of thirty lines is typed and validates both ways. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import {
  copyTarballs,
  linkInstalledPackages,
  makeFolder,
  MINUTE_MS as MINUTE,
  NEW_PROJECT_TIMEOUT_MS,
  NPM_CONFIG,
} from '../../support/projects/new-project.ts';

const PACKAGES = ['contract', 'server', 'embedded-postgres', 'postgres', 'accounts', 'openapi-compare', 'specwright'];
/** As npm has it. */
const packageName = (name: string): string => (['specwright', 'openapi-compare'].includes(name) ? name : `@specwright/${name}`);
/** It is a program only. */
const PROGRAMS = ['create-specwright'];
/** What is built, and what its source maps show. */
const BUILT = ['dist', 'src'];
const root = JSON.parse(await readFile('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>;
/** The versions that this repository is tested with. */
const versionOf = (name: string) => root.dependencies[name] ?? root.devDependencies[name] ?? root.optionalDependencies[name] ?? '';

const SPEC = `openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } }
    post:
      operationId: addNote
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [text], additionalProperties: false, properties: { text: { type: string, minLength: 1 } } } } }
      responses: { '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /notes/{noteId}:
    get:
      operationId: getNote
      parameters: [{ name: noteId, in: path, required: true, schema: { type: integer, minimum: 1 } }]
      responses:
        '200': { description: The note., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        '404': { description: None., content: { application/json: { schema: { type: object, additionalProperties: true } } } }
components:
  schemas:
    Note:
      type: object
      required: [id, text]
      properties: { id: { type: integer }, text: { type: string } }
`;

/** Its first note is not what the type says, as a row of a database may be. */
const SERVER = `import { AppError, createLogger, createServer, listen, loadContract } from '@specwright/server';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';

const notes = new Map<number, Schemas['Note']>([[1, { id: 1, text: null as never }]]);

const handlers: Handlers = {
  listNotes: async (_input, reply) => reply(200, { body: [...notes.values()].slice(1) }),
  addNote: async ({ body }, reply) => {
    const note = { id: notes.size + 1, text: body.text };
    notes.set(note.id, note);
    return reply(201, { body: note });
  },
  getNote: async ({ path }, reply) => {
    const note = notes.get(path.noteId);
    if (note === undefined) throw new AppError('not_found', \`there is no note \${path.noteId}\`);
    return reply(200, { body: note });
  },
};

const contract = await loadContract(new URL('spec/openapi.yaml', import.meta.url), generated);
const server = createServer({ contract, handlers, security: {}, log: createLogger('silent') });
console.log(\`http://127.0.0.1:\${await listen(server, 0, '127.0.0.1')}\`);
`;

/** Each line with a mark is a mistake that the compiler has to name. */
const WRONG = `import type { Handlers } from './generated/contract.ts';
import { loadContract } from '@specwright/server/dist/index.js'; // wrong: past the exports
export const load = loadContract;
export const handlers: Handlers = {
  listNotes: async (_input, reply) => reply(404, { body: [] }), // wrong: undeclared status
  addNote: async ({ body }, reply) => reply(201, { body: { id: '1', text: body.text } }), // wrong: a string
  getNote: async () => ({ status: 200, body: {} }), // wrong: not a reply
};
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: false,
  },
};

let folder: string;
let server: ChildProcess | undefined;
beforeAll(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, 'spec'));
  const tarballs = await copyTarballs(join(folder, 'vendor'));
  await write('package.json', JSON.stringify(manifest(tarballs)));
  await write('tsconfig.json', JSON.stringify(TSCONFIG));
  await write('spec/openapi.yaml', SPEC);
  await write('server.ts', SERVER);
  // npm keeps those of the versions asked for, and removes what nothing here needs.
  await linkInstalledPackages('accounts', folder);
  const { code, output } = await run('npm', 'install', '--no-audit', '--no-fund');
  if (code !== 0) throw new Error(output);
}, NEW_PROJECT_TIMEOUT_MS);
afterAll(async () => {
  server?.kill();
  await removeFolder(folder);
});

/** What a person would install: the packages, their peers, and the compiler. */
function manifest(tarballs: readonly string[]) {
  // Those that the entries jwt and mcp ask for, too.
  const named = ['jose', 'knex', 'oidc-provider', 'pg', 'typescript', '@modelcontextprotocol/server', '@types/node'];
  return {
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(tarballs.map((file) => [packageOf(file), `file:vendor/${file}`])),
      ...Object.fromEntries(named.map((name) => [name, versionOf(name)])),
    },
  };
}

/** `specwright-server-0.1.0.tgz` -> `@specwright/server`, `specwright-0.1.0.tgz` -> `specwright` */
const packageOf = (file: string): string => file.replace(/-\d.*$/, '').replace(/^specwright-/, '@specwright/');

const write = (file: string, text: string) => writeFile(join(folder, file), text);

async function run(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: folder, env: { PATH, HOME, ...NPM_CONFIG } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

test(
  'each tarball has what is built, and nothing else',
  async () => {
    const tarballs = await readdir(join(folder, 'vendor'));
    expect(tarballs.map(packageOf).sort()).toEqual([...PACKAGES.map(packageName), ...PROGRAMS].sort());
    for (const file of tarballs) {
      const { output } = await run('tar', '-tf', join('vendor', file));
      const tops = new Set(
        output
          .trim()
          .split('\n')
          .map((path) => path.split('/')[1]),
      );
      const more =
        {
          '@specwright/server': [...BUILT, 'assets'],
          'create-specwright': ['bin'],
          'openapi-compare': [...BUILT, 'bin'],
          specwright: [...BUILT, 'bin', 'client', 'skills', 'template', 'template-accounts', 'template-jwt', 'template-resource'],
        }[packageOf(file)] ?? BUILT;
      expect([...tops].sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...more].sort());
      if (packageOf(file) === 'specwright')
        expect(output.split('\n')).toEqual(expect.arrayContaining(['package/dist/llms-full.txt', 'package/dist/docs/tutorial.md']));
      expect(output).not.toMatch(/^package\/dist\/(?!examples\/).*(\.tsbuildinfo|(?<!\.d)\.ts)$/m);
    }
  },
  MINUTE,
);

test(
  'a package has the licences of the libraries that it contains',
  async () => {
    for (const name of PACKAGES) {
      const { devDependencies = {} } = JSON.parse(await readFile(join('packages', name, 'package.json'), 'utf8')) as {
        devDependencies?: Record<string, string>;
      };
      const licenses = join(folder, 'node_modules', packageName(name), 'dist/LICENSES.txt');
      const text = existsSync(licenses) ? await readFile(licenses, 'utf8') : '';
      const missing = Object.entries(devDependencies).filter(([library, version]) => !text.includes(`\n${library} ${version} (`));
      expect([name, missing]).toEqual([name, []]);
    }
    // What they depend on is in there, too.
    expect(await readFile(join(folder, 'node_modules/specwright/dist/LICENSES.txt'), 'utf8')).toMatch(/^nimma [\d.]+ \(Apache-2\.0\)$/m);
  },
  MINUTE,
);

test(
  'each source map names sources that are in the package',
  async () => {
    for (const name of PACKAGES) {
      const built = join(folder, 'node_modules', packageName(name), 'dist');
      const maps = (await readdir(built, { recursive: true })).filter((file) => file.endsWith('.map'));
      expect(maps.filter((file) => file.endsWith('.d.ts.map')).length).toBeGreaterThan(0);
      expect(maps.filter((file) => file.endsWith('.js.map')).length).toBeGreaterThan(0);
      for (const file of maps) {
        const { sources, sourceRoot = '' } = JSON.parse(await readFile(join(built, file), 'utf8')) as {
          sources: string[];
          sourceRoot?: string;
        };
        const missing = sources.filter((source) => !existsSync(join(built, file, '..', sourceRoot, source)));
        expect([file, sources.length, missing]).toEqual([file, 1, []]);
      }
    }
    // A stack names the line of the source.
    const stack =
      "import('@specwright/server').then((m) => { try { m.loadContract('none.yaml'); } catch (error) { console.log(error.stack); } });";
    expect((await run(process.execPath, '--enable-source-maps', '-e', stack)).output).toMatch(/contract\/src\/[\w/-]+\.ts:\d+/);
  },
  MINUTE,
);

test(
  'each entry of each package is imported by its name',
  async () => {
    const entriesOf = async (name: string) => {
      const { exports } = JSON.parse(await readFile(join('packages', name, 'package.json'), 'utf8')) as { exports: object };
      return Object.keys(exports).flatMap((entry) => (entry.endsWith('.json') ? [] : [`${packageName(name)}${entry.slice(1)}`]));
    };
    const entries = (await Promise.all(PACKAGES.map(entriesOf))).flat();
    expect(entries).toEqual(expect.arrayContaining(['@specwright/server/command', '@specwright/contract/document', 'specwright/testing']));
    const imports = entries.map((entry) => `await import('${entry}');`).join('\n');
    expect(await run(process.execPath, '--input-type=module', '-e', imports)).toEqual({ code: 0, output: '' });
  },
  MINUTE,
);

/** The declarations that an entry loads. */
async function declarationsOf(entry: string): Promise<string[]> {
  const found = new Set([entry]);
  for (const file of found) {
    const text = await readFile(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)\.[jt]s'/g)) found.add(join(dirname(file), `${path}.d.ts`));
  }
  return [...found];
}

test(
  'no declaration of an entry is that of a library that is bundled, which nobody has installed',
  async () => {
    for (const name of PACKAGES) {
      const folderOf = join(folder, 'node_modules', packageName(name));
      const { exports } = JSON.parse(await readFile(join(folderOf, 'package.json'), 'utf8')) as {
        exports: Record<string, { types?: string }>;
      };
      const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
      const declarations = (await Promise.all(entries.map((types) => declarationsOf(join(folderOf, types))))).flat();
      expect(declarations.filter((file) => file.includes(join('dist', 'libraries')))).toEqual([]);
    }
  },
  MINUTE,
);

/** What a lint of Spectral, one of Redocly and one of this repository report. */
const STYLE = `openapi: 3.0.3
info: { title: Things, version: '1' }
servers: [{ url: 'http://example.com/' }]
paths:
  /things/{id}:
    get:
      operationId: get thing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, enum: [1, 1] } }
      responses: { '200': { description: One., content: { application/json: { schema: { type: array, items: { type: string, pattern: '(a+)+$' } } } } } }
`;

test(
  'lint reports what it reports in the checkout, which imports the libraries themselves',
  async () => {
    await mkdir(join(folder, '.config'), { recursive: true });
    await write('.config/spectral.ts', 'export default { rules: {} };\n');
    await write('.config/redocly.yaml', 'extends:\n  - all\n');
    await write('.config/contract-rules.yaml', 'rules: {}\n');
    await write('spec/style.yaml', STYLE);
    const lint = ['lint', '--json', '--spec', 'spec/style.yaml'];
    const { code, output } = await run('npx', 'specwright', ...lint);
    const tools = [...output.matchAll(/"tool": "(\w+)"/g)].map(([, tool]) => tool);
    expect({ code, tools: [...new Set(tools)].sort() }).toEqual({ code: 1, tools: ['project', 'redocly', 'spectral'] });
    expect(await run(process.execPath, resolve('packages/specwright/bin/specwright.mjs'), ...lint)).toEqual({ code, output });
  },
  2 * MINUTE,
);

test(
  'the other libraries that are bundled work: Prettier, the protocol of tools, and the compiler with its declarations',
  async () => {
    const tool = join(folder, 'node_modules/specwright/dist');
    await write('text.ts', 'export const text: string = 1;\n');
    await write('one-file.json', JSON.stringify({ compilerOptions: { ...TSCONFIG.compilerOptions, types: [] }, files: ['text.ts'] }));
    const program = `
      const { format } = await import(${JSON.stringify(pathToFileURL(join(tool, 'stubs/typescript-source.js')).href)});
      const { startPinned } = await import(${JSON.stringify(pathToFileURL(join(tool, 'dev/compiler/pinned-compiler.js')).href)});
      const [problem, ...more] = await startPinned(${JSON.stringify(join(folder, 'one-file.json'))}).diagnose(${JSON.stringify(join(folder, 'text.ts'))});
      console.log(await format('a.ts', 'const a  = 1'), await format('a.yaml', 'a:   1'), problem.message, more.length);`;
    expect(await run(process.execPath, '--input-type=module', '-e', program)).toEqual({
      code: 0,
      output: "const a = 1;\n a: 1\n Type 'number' is not assignable to type 'string'. 0\n",
    });
    await rm(join(folder, 'text.ts'));
    const mcp = await run('npx', 'specwright', 'mcp', '--spec', 'spec/openapi.yaml', '--url', 'http://127.0.0.1:1');
    expect(mcp).toEqual({ code: 1, output: expect.stringContaining('spec/openapi.yaml has no tools') });
  },
  MINUTE,
);

test(
  'a server of thirty lines compiles against the generated types, with the declarations of all libraries checked; what the contract does not declare, and what a package does not export, does not',
  async () => {
    expect(SERVER.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    expect(await run('npx', 'specwright', 'generate', '--spec', 'spec/openapi.yaml', '--out', 'generated')).toMatchObject({ code: 0 });
    const client = ['--spec', 'spec/openapi.yaml', '--package', '@notes/client', '--out', 'client'];
    expect(await run('npx', 'specwright', 'client', ...client)).toMatchObject({ code: 0 });
    await write('wrong.ts', WRONG);
    const { code, output } = await run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.');
    expect(code).not.toBe(0);
    const wrong = WRONG.split('\n').flatMap((text, i) => (text.includes('// wrong') ? [i + 1] : []));
    const named = [...output.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect([...new Set(named)]).toEqual(wrong);
    // Neither the server nor a library has an error.
    expect(output.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('wrong.ts'))).toEqual([]);
    const deep = await run(process.execPath, '--input-type=module', '-e', "await import('@specwright/server/dist/index.js')");
    expect(deep).toMatchObject({ code: 1, output: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED') });
  },
  4 * MINUTE,
);

test(
  'it validates both ways, as plain JavaScript',
  async () => {
    const started = spawn(process.execPath, ['server.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    server = started;
    const [line] = (await once(started.stdout, 'data')) as [Buffer];
    const call = async (path: string, body?: unknown) => {
      const init =
        body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(line.toString().trim() + path, init);
      return { status: response.status, body: await response.json() };
    };
    const { createClient } = (await import(pathToFileURL(join(folder, 'client/index.js')).href)) as {
      createClient: (options: object) => Record<'addNote' | 'getNote' | 'listNotes', (input?: object) => Promise<object>>;
    };
    const client = createClient({ baseUrl: line.toString().trim() });
    expect(await client.addNote({ body: { text: 'one' } })).toMatchObject({ status: 201, body: { id: 2, text: 'one' } });
    expect(await client.getNote({ path: { noteId: 2 } })).toMatchObject({ status: 200, body: { id: 2, text: 'one' } });
    expect(await client.listNotes()).toMatchObject({ status: 200, body: [{ id: 2, text: 'one' }] });
    expect(await call('/notes', { text: '', size: 1 })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('body/text') },
    });
    expect(await call('/notes/x')).toMatchObject({ status: 400 });
    expect(await call('/notes/3')).toMatchObject({ status: 404 });
    // What the contract does not declare does not leave.
    expect(await call('/notes/1')).toMatchObject({ status: 500 });
  },
  MINUTE,
);

test(
  'the installed program makes a project, whose packages are those that are installed',
  async () => {
    const made = join(folder, 'made');
    const { code, output } = await run('npx', 'create-specwright', made, '--spec', 'spec/openapi.yaml', '--no-install');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('3 handlers to write') });
    expect((await readdir(join(made, 'vendor'))).sort()).toEqual(
      [
        'openapi-compare-',
        'specwright-',
        'specwright-contract-',
        'specwright-embedded-postgres-',
        'specwright-postgres-',
        'specwright-server-',
      ]
        .map((name) => `${name}${versionOf('specwright')}.tgz`)
        .sort(),
    );
    expect(await readFile(join(made, '.gitignore'), 'utf8')).toContain('node_modules/');
  },
  4 * MINUTE,
);
