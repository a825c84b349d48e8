/** Administration from the command line, as an operator runs it: what it does, prints, and ends with. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@specwright/postgres';
import { findCaller } from '@specwright/accounts';
import { createDatabase, killProcesses, type TestDatabase } from '@specwright/testing';
import { newAccount } from '../support/app.ts';
import { startProcess } from '../support/process.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterEach(killProcesses);
afterAll(() => database.drop());

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(program: 'accounts' | 'keys', line: string, env: Record<string, string> = {}): Promise<Run> {
  const args = line.split(' ').filter((word) => word !== '');
  const started = startProcess({ program: `src/cli/${program}.ts`, args, env: { DATABASE_URL: database.url, ...env } });
  const { code } = await started.exited;
  return { code, ...started.output };
}

/** @returns what `--json` printed. @throws Error if it failed. */
async function json<T>(program: 'accounts' | 'keys', line: string): Promise<T> {
  const { code, stdout, stderr } = await run(program, `${line} --json`);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const KEY = /^psk_live_[0-9A-Za-z]{36}\n$/;
const isGood = async (key: string) => (await findCaller(db, key.trim())) !== undefined;

test('accounts: created, listed, shown, moved to another plan, suspended and resumed', async () => {
  const made = await run('accounts', 'create --email Ada@example.com --plan Pro');
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(KEY),
    stderr: expect.stringMatching(/^account \d+: Ada@example.com, plan pro\n$/),
  });
  const id = Number(/account (\d+)/.exec(made.stderr)?.[1]);
  const account = {
    id,
    email: 'Ada@example.com',
    plan: 'pro',
    perMinute: null,
    perDay: null,
    suspendedAt: null,
    createdAt: expect.any(String),
  };
  expect(await json('accounts', 'show ada@EXAMPLE.com')).toEqual(account);
  expect(await json('accounts', 'list')).toContainEqual(account);
  expect((await run('accounts', `show ${id}`)).stdout).toMatch(new RegExp(`^id .*createdAt\\n${id} +Ada@example.com +pro +- +- +- `));

  const own = { plan: 'enterprise', perMinute: 5000, perDay: 1000000 };
  expect(await json('accounts', `set-plan ${id} --plan enterprise --per-minute 5000 --per-day 1000000`)).toEqual({ ...account, ...own });
  expect(await json('accounts', `set-plan ${id} --plan business`)).toEqual({ ...account, plan: 'business' });
  expect(await json('accounts', `suspend ${id}`)).toEqual({ ...account, plan: 'business', suspendedAt: expect.any(String) });
  expect(await isGood(made.stdout)).toBe(false);
  await json('accounts', `resume ${id}`);
  expect(await isGood(made.stdout)).toBe(true);

  const big = await json<{ apiKey: string }>('accounts', 'create --email big@example.com --plan enterprise --per-minute 5 --per-day 50');
  expect(big).toMatchObject({ plan: 'enterprise', perMinute: 5, perDay: 50, suspendedAt: null });
  expect(await findCaller(db, big.apiKey)).toMatchObject({ quota: { minute: 5, day: 50 } });
}, 60_000);

test('keys: created, listed without secrets, replaced and revoked, the last one too', async () => {
  const { accountId, key } = await newAccount(db);
  const of = `--account ${accountId}`;
  const made = await run('keys', `create ${of} --name Till-2 --expires 2999-01-01T00:00:00+01:00`);
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(KEY),
    stderr: expect.stringMatching(/^key \d+: Till-2, until 2998-12-31T23:00:00.000Z\n$/),
  });
  const id = Number(/key (\d+)/.exec(made.stderr)?.[1]);
  const rotated = await json<{ id: number; name: string; apiKey: string }>('keys', `rotate ${id} ${of} --grace 60`);
  expect(rotated).toMatchObject({ name: 'Till-2', expiresAt: '2998-12-31T23:00:00.000Z' });
  expect([await isGood(made.stdout), await isGood(rotated.apiKey)]).toEqual([true, true]);
  const atOnce = await run('keys', `rotate ${rotated.id} ${of} --grace 0`);
  expect([await isGood(rotated.apiKey), await isGood(atOnce.stdout)]).toEqual([false, true]);

  const list = await run('keys', `list ${of}`);
  expect(list.stdout.split('\n')).toHaveLength(5);
  expect(list.stdout).toMatch(/^id +name +prefix .*\n\d+ +First key +psk_live_....  /);
  for (const secret of [key, made.stdout.trim(), rotated.apiKey, atOnce.stdout.trim()])
    expect(list.stdout).not.toContain(secret.slice(0, 14));
  const keys = await json<{ id: number }[]>('keys', `list ${of}`);
  for (const one of keys) expect(await json('keys', `revoke ${one.id} ${of}`)).toEqual({ id: one.id, revoked: true });
  expect(await json('keys', `list ${of}`)).toEqual([]);
  expect(await isGood(key)).toBe(false);
}, 60_000);

describe('arguments that cannot be used: 2, what is wrong, the usage, and no database is opened', () => {
  test.each<['accounts' | 'keys', string, RegExp]>([
    ['accounts', '', /^what should be done\?/],
    ['accounts', 'feed', /^there is no command feed/],
    ['accounts', 'create', /^--email is missing/],
    ['accounts', 'create --email nobody', /^nobody is not an email address/],
    ['accounts', 'create --email a@b.c --plan gold', /^there is no plan gold: choose free, pro/],
    ['accounts', 'create --email a@b.c --plan enterprise', /^--per-minute is missing: the plan enterprise/],
    ['accounts', 'create --email a@b.c --plan enterprise --per-minute 5', /^--per-day is missing/],
    ['accounts', 'create --email a@b.c --plan pro --per-day 5', /^--per-day is for the plan enterprise/],
    ['accounts', 'set-plan 1 --plan enterprise --per-minute 0 --per-day 5', /^--per-minute must be a whole number from 1 to .*, not 0/],
    ['accounts', 'set-plan 1', /^--plan is missing/],
    ['accounts', 'show', /^ACCOUNT is missing/],
    ['accounts', 'show 1 2', /^2 is one argument too many/],
    ['accounts', 'list --plan free', /^--plan is no option of list/],
    ['accounts', 'list --nonsense', /^Unknown option '--nonsense'/],
    ['keys', 'list', /^--account is missing/],
    ['keys', 'create --account 1', /^--name is missing/],
    ['keys', 'create --account 1 --name x --expires tomorrow', /^--expires must be a time such as .*, not tomorrow/],
    ['keys', 'create --account 1 --name x --expires 2001-01-01T00:00:00Z', /^--expires must be in the future/],
    ['keys', 'revoke x --account 1', /^KEY must be a whole number/],
    ['keys', 'rotate 1 --account 1 --grace 604801', /^--grace must be a whole number from 0 to 604800/],
  ])('%s %s', async (program, line, says) => {
    // Were it opened, it would not be there, and the answer would be another.
    const { code, stdout, stderr } = await run(program, line, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
    expect(stderr).toContain(`usage: npm run -s ${program} -- COMMAND`);
  });
});

describe('anything else that goes wrong: 1, and one line that says what', () => {
  test.each<['accounts' | 'keys', string, RegExp]>([
    ['accounts', 'create --email taken@example.com', /^taken@example.com: there is an account with this email address\n$/],
    ['accounts', 'show nobody@example.com', /^there is no account nobody@example.com\n$/],
    ['accounts', 'suspend 999999', /^there is no account 999999\n$/],
    ['keys', 'list --account 999999', /^there is no account 999999\n$/],
    ['keys', 'revoke 999999 --account taken@example.com', /^there is no key 999999\n$/],
    ['keys', 'rotate 999999 --account taken@example.com', /^there is no key 999999\n$/],
  ])('%s %s', async (program, line, says) => {
    await db('accounts')
      .insert({ email: 'taken@example.com', created_at: new Date() })
      .onConflict(db.raw('(lower(email))') as never)
      .ignore();
    const { code, stdout, stderr } = await run(program, line);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(says)]);
  });

  test('a database that is not there', async () => {
    const { code, stderr } = await run('keys', 'list --account 1', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^PostgreSQL at 127.0.0.1:1\/nothing cannot be used: ECONNREFUSED/)]);
  });
});
