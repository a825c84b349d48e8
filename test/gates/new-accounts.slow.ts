/** `npm run new -- --accounts`: a foreign contract gets API keys, plans, exact limits and administration without a line of code. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { killProcesses, startProcess } from '@specwright/testing';

const FOREIGN = resolve('test/gates/foreign/library.yaml');
const MINUTE = 60_000;

let parent: string;
let project: string;
let output: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'new-accounts-'));
  // As root the database runs as another user, who must be able to reach it.
  await chmod(parent, 0o755);
  project = join(parent, 'library');
  // It ends with the project's own type check and tests, those of its accounts among them.
  output = await npm(resolve('.'), 'new', '--', project, '--spec', FOREIGN, '--accounts');
}, 20 * MINUTE);
afterAll(async () => {
  await killProcesses();
  await rm(parent, { recursive: true, force: true });
});

/** @returns standard output. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  return (await promisify(execFile)('npm', ['run', '--silent', ...args], { cwd, env: { PATH, HOME } })).stdout;
}

/** Calls the project with a key; the contract has it in the query. */
async function withServer<T>(use: (call: (key?: string) => Promise<Response>) => Promise<T>): Promise<T> {
  const env = { PORT: '0', HOST: '127.0.0.1' };
  const server = startProcess({ program: 'src/main.ts', nodeArgs: ['--import', 'tsx'], cwd: project, env });
  const url = await server.url();
  try {
    return await use((key) => fetch(`${url}/books?shelf=1${key === undefined ? '' : `&key=${key}`}`));
  } finally {
    server.child.kill('SIGTERM');
    await server.exited;
  }
}

const createAccount = async (email: string) => (await npm(project, 'accounts', '--', 'create', '--email', email)).trim();

/** Statuses of calls one after the other, and how often each was answered. */
async function countStatuses(call: () => Promise<Response>, times: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < times; i++) {
    const { status } = await call();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

test('it says where the limits are, and how a key is made', () => {
  expect(output).toContain('the document has no x-rate-limit-plans: the limits of the plans are those of src/plans.ts');
  expect(output).toContain('npm run --silent accounts -- create --email');
  expect(output).not.toContain('nobody verifies');
});

test(
  'a key from the command line reaches a handler, no key and a wrong one are refused, and the request over the limit is a 429',
  async () => {
    const key = await createAccount('ada@example.com');
    await withServer(async (call) => {
      expect((await call()).status).toBe(401);
      expect((await call('wrong')).status).toBe(401);
      const first = await call(key);
      expect([first.status, first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual([501, '60', '59']);
      expect(await countStatuses(() => call(key), 61)).toEqual({ 501: 59, 429: 2 });
      expect(Number((await call(key)).headers.get('retry-after'))).toBeGreaterThan(0);
    });
  },
  10 * MINUTE,
);

test(
  'the limits are those of x-rate-limit-plans where the contract has them; a suspended account is refused at once',
  async () => {
    const spec = join(project, 'spec/openapi.yaml');
    const plan = '{ minute: 3, day: 100 }';
    const plans = ['free', 'pro', 'business', 'enterprise'].map((name) => `    ${name}: ${plan}\n`).join('');
    await writeFile(
      spec,
      `${await readFile(spec, 'utf8')}x-rate-limit-plans:\n  plans:\n${plans}  address: { minute: 1000, day: 10000 }\n`,
    );
    await npm(project, 'generate');
    const [key, other] = [await createAccount('bob@example.com'), await createAccount('cyd@example.com')];
    await withServer(async (call) => {
      expect(await countStatuses(() => call(key), 5)).toEqual({ 501: 3, 429: 2 });
      expect((await call(other)).status).toBe(501);
      await npm(project, 'accounts', '--', 'suspend', 'cyd@example.com');
      expect((await call(other)).status).toBe(401);
    });
    expect(await npm(project, 'keys', '--', 'list', '--account', 'bob@example.com')).toContain(key.slice(0, 13));
  },
  10 * MINUTE,
);
