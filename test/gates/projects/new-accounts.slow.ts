/** `npx specwright new --accounts`: a foreign contract gets API keys, plans, exact limits and administration without a line of code. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { killProcesses, startProcess, until } from 'specwright/testing';
import { copyNewProject, MINUTE_MS, NEW_PROJECT_TIMEOUT_MS, type NewProject } from '../../support/projects/new-project.ts';

/** The longest that the plan's window of a minute lasts. */
const MAX_WINDOW_S = 60;

let made: NewProject;
let project: string;
beforeAll(async () => {
  // Making it ended with the project's own type check and tests, those of its accounts among them.
  made = await copyNewProject('accounts');
  project = made.folder;
}, NEW_PROJECT_TIMEOUT_MS);
afterAll(async () => {
  await killProcesses();
  await made.remove();
});

/** @returns standard output. */
async function npm(...args: string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  return (await promisify(execFile)('npm', ['run', '--silent', ...args], { cwd: project, env: { PATH, HOME } })).stdout;
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

const createAccount = async (email: string) => (await npm('administer', '--', 'accounts', 'create', '--email', email)).trim();

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
  expect(made.output).toContain('the document has no x-rate-limit-plans: the limits of the plans are those of src/plans.ts');
  expect(made.output).toContain('npm run -s administer -- accounts create --email');
  expect(made.output).not.toContain('nobody verifies');
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
  10 * MINUTE_MS,
);

test(
  'the limits are those of x-rate-limit-plans where the contract has them; a suspended account is refused at once, a client that goes on is banned',
  async () => {
    const spec = join(project, 'spec/library.yaml');
    const plan = '{ minute: 3, day: 100 }';
    const plans = ['free', 'pro', 'business', 'enterprise'].map((name) => `    ${name}: ${plan}\n`).join('');
    await writeFile(
      spec,
      `${await readFile(spec, 'utf8')}x-rate-limit-plans:\n  plans:\n${plans}  address: { minute: 1000, day: 10000 }\n`,
    );
    await npm('generate');
    const [key, other] = [await createAccount('bob@example.com'), await createAccount('cyd@example.com')];
    await withServer(async (call) => {
      expect(await countStatuses(() => call(key), 5)).toEqual({ 501: 3, 429: 2 });
      expect((await call(other)).status).toBe(501);
      await npm('administer', '--', 'accounts', 'suspend', '--email', 'cyd@example.com');
      expect((await call(other)).status).toBe(401);

      // A client that goes on is banned for longer than any window of its plan, until the ban is lifted.
      const isBanned = async () => Number((await call(key)).headers.get('retry-after')) > MAX_WINDOW_S;
      let calls = 0;
      while (calls < 100 && !(await isBanned())) calls++;
      expect(calls).toBeLessThan(100);
      const [{ id }] = JSON.parse(await npm('administer', '--', 'keys', 'list', '--email', 'bob@example.com', '--json')) as [
        { id: number },
      ];
      await npm('administer', '--', 'limits', 'unban', '--key', String(id));
      await until(async () => !(await isBanned()), 10_000);
    });
    expect(await npm('administer', '--', 'keys', 'list', '--email', 'bob@example.com')).toContain(key.slice(0, 13));
  },
  10 * MINUTE_MS,
);
