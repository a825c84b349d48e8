/** The server of the development loop: it waits for its port and says who has it, and says why it has ended. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from 'specwright/testing';
import { DevServer, type ServerState } from '../../src/dev/server/dev-server.ts';
import { describeListener, isPortFree } from '../../src/port.ts';

let root: string;
let holder: Server;
let port: number;
let server: DevServer;
let output: string;
const changes: ServerState[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dev-server-'));
  holder = createServer().listen(0);
  await once(holder, 'listening');
  ({ port } = holder.address() as AddressInfo);
  changes.length = 0;
  output = '';
  const onChange = (state: ServerState) => void changes.push(state);
  server = new DevServer({
    root,
    main: 'main.mjs',
    args: ['--mock-missing'],
    port,
    host: undefined,
    write: (text) => void (output += text),
    onChange,
  });
  await writeFile(join(root, 'package.json'), '{"dependencies":{"not-installed":"1.0.0"}}');
  await writeFile(
    join(root, 'main.mjs'),
    `import { createServer } from 'node:http';
createServer().listen(${port}, () => console.log(process.argv.slice(2).join(), 'listens on http://localhost:${port}'));
process.on('SIGTERM', () => process.exit(0));
`,
  );
});
afterEach(async () => {
  await server.stop();
  if (holder.listening) await new Promise((resolve) => holder.close(resolve));
  await rm(root, { recursive: true });
});

const free = () => new Promise((resolve) => holder.close(resolve));
const SERVES = /^http:\/\/localhost:\d+ serves what was saved at 12:00:00$/;

test('a port in use is waited for, and the command that frees it is said', async () => {
  await server.restart('12:00:00');
  expect(server.state().summary).toBe(`waits for port ${port}`);
  // proc(5) and lsof name this process; elsewhere the command that does.
  expect(server.state().fix).toMatch(
    process.platform === 'win32' ? /netstat -ano/ : new RegExp(`process ${process.pid}\\) uses it: \`kill ${process.pid}\` stops that, or`),
  );
  expect(server.alive()).toBe(true);
  await free();
  await until(() => SERVES.test(server.state().summary));
  expect(changes).toEqual([{ summary: expect.stringMatching(SERVES) }]);
});

test('a restart waits for the end of the server before, which needs a moment to stop', async () => {
  await free();
  const main = join(root, 'main.mjs');
  await writeFile(main, (await readFile(main, 'utf8')).replace('process.exit(0)', 'setTimeout(process.exit, 300)'));
  await server.restart('11:59:00');
  await server.restart('12:00:00');
  expect(server.state().summary).toMatch(SERVES);
});

test('who waits for a port and is stopped starts nothing when it is free', async () => {
  await server.restart('12:00:00');
  await server.stop();
  expect(server.alive()).toBe(false);
  await free();
  await server.restart('12:00:00');
  expect(server.state().summary).toMatch(SERVES);
  expect(changes).toEqual([]);
});

test('the program gets its arguments', async () => {
  await free();
  await server.restart('12:00:00');
  expect(output).toMatch(/^--mock-missing listens/m);
});

test('pages at /docs load themselves again', async () => {
  await free();
  await writeFile(
    join(root, 'main.mjs'),
    "console.log(process.env.DOCS_RELOAD, 'listens on http://new'); setInterval(() => undefined, 1000);\n",
  );
  await server.restart('12:00:00');
  expect(output).toMatch(/^on listens/m);
});

test('nobody is named for a free port', async () => {
  await free();
  expect(await isPortFree(port, undefined)).toBe(true);
  expect(await describeListener(port)).toMatch(/^`.*` shows the process that uses it$/);
});

test.each([
  ['a text', "throw new Error('not today');", 'Error: not today', 'fix main.mjs:1:1 and save: each save starts another'],
  [
    'the last line of its log',
    `console.log('{"level":"fatal","err":{"message":"not valid:\\\\n  PORT is none"}}'); process.exit(1);`,
    'PORT is none',
    'fix that (`npx specwright doctor` checks the environment) and save: each save starts another',
  ],
  [
    'a last line without an error',
    `console.log('{"level":"fatal","msg":"no license"}'); process.exit(1);`,
    'no license',
    'fix that (`npx specwright doctor` checks the environment) and save: each save starts another',
  ],
  [
    'a line that it did not finish',
    `console.log('no license'); process.stdout.write('{"level":"fatal","err":{"mess'); process.exit(1);`,
    'no license',
    'fix that (`npx specwright doctor` checks the environment) and save: each save starts another',
  ],
])('a server that ends before it listens is reported with its reason, in %s, and with what to do', async (_, code, reason, fix) => {
  await free();
  await writeFile(join(root, 'main.mjs'), `${code}\n`);
  await server.restart('12:00:00');
  expect(server.state()).toEqual({
    summary: `none runs: the one of 12:00:00 ended with 1: ${reason}`,
    fix,
  });
  expect(server.alive()).toBe(false);
});

test('a prepared process serves the code of the moment at which it is started', async () => {
  await free();
  server.prepare();
  await writeFile(join(root, 'main.mjs'), "console.log('listens on http://new'); setInterval(() => undefined, 1000);\n");
  await server.restart('12:00:00');
  expect(server.state().summary).toBe('http://new serves what was saved at 12:00:00');
});
