/** Hello, as `npm create specwright -- --example hello` makes it: little is installed, types are checked, and a signal ends all of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeFolder, until } from 'specwright/testing';
import { makeFolder, MINUTE_MS as MINUTE, run, runNew } from '../../support/projects/new-project.ts';

const MEBIBYTE = 2 ** 20;
/** What a file takes on a disk is a multiple of it. */
const BLOCK = 4096;

let parent: string;
let folder: string;
beforeAll(async () => {
  parent = await makeFolder();
  folder = join(parent, 'hello');
  const made = await runNew(folder, '--example', 'hello');
  if (made.code !== 0) throw new Error(made.output);
}, 10 * MINUTE);
afterAll(() => removeFolder(parent));

test('at most 60 MiB and 60 packages are installed, and no PostgreSQL', () => {
  const modules = join(folder, 'node_modules');
  // Without the links of programs, which lead to files that are counted.
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  const packages = files.filter((file) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file));
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.length).toBeLessThanOrEqual(60);
  // A file with two names is there once: esbuild links its program to that of the platform.
  const sizes = new Map(files.map((file) => [statSync(file).ino, Math.ceil(statSync(file).size / BLOCK) * BLOCK]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(bytes / MEBIBYTE).toBeLessThanOrEqual(60);
  expect(packages.filter((file) => /postgres|\/(pg|knex)\//.test(file.slice(modules.length)))).toEqual([]);
});

test('a command for databases says what to install, and doctor that there is none', async () => {
  for (const command of ['dev', 'migrate', 'db url']) {
    const { code, output } = await run('npx', ['specwright', ...command.split(' ')], folder);
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^specwright \w+ needs @specwright\/postgres, .*: npm install @specwright\/postgres@\S+\n$/),
    });
  }
  const doctor = await run('npx', ['specwright', 'doctor'], folder);
  expect(doctor.output).toMatch(/^ok {7}database {4}none: @specwright\/postgres is not installed$/m);
});

test('types are checked without a compiler of the project', async () => {
  const typecheck = () => run('npm', ['run', '-s', 'typecheck'], folder);
  expect(await typecheck()).toMatchObject({ code: 0, output: expect.stringContaining('no type errors in ') });
  const source = readFileSync(join(folder, 'server.ts'), 'utf8');
  writeFileSync(join(folder, 'server.ts'), source.replace('{ text: `', '{ texts: `'));
  const refused = await typecheck();
  writeFileSync(join(folder, 'server.ts'), source);
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^server\.ts\(5,\d+\): error TS2561: .*'texts'.*\n1 type error$/m),
  });
});

/** A server in JavaScript, of the contract of hello. */
const serverSource = (server: string): string => `// @ts-check
${server}
async function start() {
  const { contract: generated } = await import('./generated/contract.js');
  /** @type {import('./generated/contract.js').Handlers} */
  const handlers = { sayHello: ({ path }, reply) => reply(200, { body: { text: \`Hello, \${path.name}!\` } }) };
  const contract = await loadContract('openapi.yaml', generated);
  const server = createServer({ contract, handlers, security: {}, log: createLogger('silent') });
  console.log(\`http://localhost:\${await listen(server, 0, 'localhost')}\`);
}
void start();
`;

test.each([
  ['module', "import { createLogger, createServer, listen, loadContract } from '@specwright/server';"],
  ['commonjs', "const { createLogger, createServer, listen, loadContract } = require('@specwright/server');"],
])(
  'a project in JavaScript, %s, runs by Node alone, and its types are checked',
  async (type, server) => {
    const project = join(folder, `javascript-${type}`);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'javascript', type, specwright: { spec: 'openapi.yaml' } }));
    copyFileSync(join(folder, 'openapi.yaml'), join(project, 'openapi.yaml'));
    const source = serverSource(server);
    writeFileSync(join(project, 'server.js'), source);
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, allowJs: true, types: ['node'], skipLibCheck: true };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['server.js'] }));
    expect(await run('npx', ['specwright', 'generate', '--js'], project)).toMatchObject({ code: 0 });
    expect(await run('npx', ['specwright', 'generate', '--typecheck'], project)).toMatchObject({
      code: 0,
      output: expect.stringContaining('no type errors in 1 file\n'),
    });
    const child = spawn(process.execPath, ['server.js'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [url] = (await once(child.stdout, 'data')) as [Buffer];
      const response = await fetch(`${url.toString().trim()}/hello/Ada`);
      expect([response.status, await response.json()]).toEqual([200, { text: 'Hello, Ada!' }]);
    } finally {
      child.kill();
    }
    writeFileSync(join(project, 'server.js'), source.replace('{ text: ', '{ texts: '));
    expect(await run('npx', ['specwright', 'generate', '--typecheck'], project)).toMatchObject({
      code: 1,
      output: expect.stringContaining("'texts'"),
    });
  },
  2 * MINUTE,
);

test.each([
  ['npm start', ['start']],
  ['npx specwright mock', ['exec', '--', 'specwright', 'mock']],
])(
  '%s serves the page with the contract, and SIGTERM to npm alone ends the server',
  async (_, args) => {
    const npm = spawn('npm', args, { cwd: folder, env: { ...process.env, PORT: '0' } });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => /http:\S+\d/.test(output), MINUTE);
    const { origin } = new URL(/http:\S+/.exec(output)?.[0] ?? '');
    expect((await fetch(`${origin}/docs`)).status).toBe(200);
    npm.kill('SIGTERM');
    const answers = () =>
      fetch(origin).then(
        () => true,
        () => false,
      );
    await until(async () => !(await answers()), MINUTE);
  },
  2 * MINUTE,
);
