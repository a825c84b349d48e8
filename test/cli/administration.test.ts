/** The administration commands: what they do, print and exit with, in this process; and as processes, as a person starts them. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { administer, findCaller } from '@specwright/accounts';
import { deliveryCommands } from '@specwright/accounts/webhooks';
import { killProcesses, scaleTimeout, withDatabase } from 'specwright/testing';
import { NAME } from '../../src/config.ts';
import { getMessage, replayMessages } from '../../src/db/messages.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { newAccount } from '../support/service/app.ts';
import { newFailedMessage } from '../support/service/failed-message.ts';
import { startProcess } from '../support/service/process.ts';

const database = withDatabase();
const databaseUrl = process.env['DATABASE_URL'];
const printed = { stdout: '', stderr: '' };
beforeEach(() => {
  jest.spyOn(console, 'log').mockImplementation((line) => void (printed.stdout += `${String(line)}\n`));
  jest.spyOn(console, 'error').mockImplementation((line) => void (printed.stderr += `${String(line)}\n`));
});
afterEach(async () => {
  jest.restoreAllMocks();
  if (databaseUrl === undefined) delete process.env['DATABASE_URL'];
  else process.env['DATABASE_URL'] = databaseUrl;
  delete process.env['START_TIMEOUT'];
  await killProcesses();
});

type Group = 'accounts' | 'keys' | 'limits' | 'messages';

interface CommandOutput {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const argumentsOf = (group: Group, line: string) => [group, ...line.split(' ').filter((word) => word !== '')];

/** What src/administer.ts does, in this process. */
async function run(group: Group, line: string, url = database.url): Promise<CommandOutput> {
  Object.assign(printed, { stdout: '', stderr: '' });
  process.env['DATABASE_URL'] = url;
  process.env['START_TIMEOUT'] = '0';
  process.exitCode = undefined;
  await administer({ name: NAME, schema, commands: { messages: deliveryCommands(replayMessages) } }, argumentsOf(group, line));
  const code = (process.exitCode as number | undefined) ?? 0;
  process.exitCode = undefined;
  return { code, ...printed };
}

async function runProcess(group: Group, line: string, url = database.url): Promise<CommandOutput> {
  const started = startProcess({
    program: 'src/administer.ts',
    args: argumentsOf(group, line),
    env: { DATABASE_URL: url, START_TIMEOUT: '700' },
  });
  const { code } = await started.exited;
  return { code, ...started.output };
}

/** @returns what `--json` printed. @throws Error if it failed. */
async function json<T>(group: Group, line: string): Promise<T> {
  const { code, stdout, stderr } = await run(group, `${line} --json`);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

/** Nothing listens there. */
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/nothing';
const KEY = /^psk_live_[0-9A-Za-z]{36}\n$/;
const isValid = async (key: string) => (await findCaller(database.db, key.trim())) !== undefined;

test(
  'accounts: create, list, show, set-plan, suspend, resume',
  async () => {
    const created = await run('accounts', 'create --email Ada@example.com --plan Pro');
    expect(created).toEqual({
      code: 0,
      stdout: expect.stringMatching(KEY),
      stderr: expect.stringMatching(/^account \d+: Ada@example.com, plan pro\n$/),
    });
    const id = Number(/account (\d+)/.exec(created.stderr)?.[1]);
    const account = {
      id,
      email: 'Ada@example.com',
      plan: 'pro',
      perMinute: null,
      perDay: null,
      suspendedAt: null,
      createdAt: expect.any(String),
    };
    expect(await json('accounts', 'show --email ada@EXAMPLE.com')).toEqual(account);
    expect(await json('accounts', 'list')).toContainEqual(account);
    expect((await run('accounts', `show --account ${id}`)).stdout).toMatch(
      new RegExp(`^id .*createdAt\\n${id} +Ada@example.com +pro +- +- +- `),
    );

    const own = { plan: 'enterprise', perMinute: 5000, perDay: 1000000 };
    expect(await json('accounts', `set-plan --account ${id} --plan enterprise --per-minute 5000 --per-day 1000000`)).toEqual({
      ...account,
      ...own,
    });
    expect(await json('accounts', `set-plan --account ${id} --plan business`)).toEqual({ ...account, plan: 'business' });
    expect(await json('accounts', `suspend --email ada@example.com`)).toEqual({
      ...account,
      plan: 'business',
      suspendedAt: expect.any(String),
    });
    expect(await isValid(created.stdout)).toBe(false);
    await json('accounts', `resume --account ${id}`);
    expect(await isValid(created.stdout)).toBe(true);

    const big = await json<{ apiKey: string }>('accounts', 'create --email big@example.com --plan enterprise --per-minute 5 --per-day 50');
    expect(big).toMatchObject({ plan: 'enterprise', perMinute: 5, perDay: 50, suspendedAt: null });
    expect(await findCaller(database.db, big.apiKey)).toMatchObject({ quota: { minute: 5, day: 50 } });
  },
  scaleTimeout(120_000),
);

test('messages: list and replay those of an account, since a moment', async () => {
  const [first, second] = [await newFailedMessage(database.db), await newFailedMessage(database.db)];
  const idsOf = async (line: string) => (await json<{ id: string }[]>('messages', `list ${line}`)).map(({ id }) => id);
  expect(await idsOf('')).toEqual([second.id, first.id]);
  expect(await idsOf(`--account ${first.accountId}`)).toEqual([first.id]);
  expect(await idsOf(`--since ${second.createdAt}`)).toEqual([second.id]);
  expect(await json('messages', `replay --account ${first.accountId} --since ${second.createdAt}`)).toEqual({ replayed: 0 });
  expect(await json('messages', `replay --account ${first.accountId} --since ${first.createdAt}`)).toEqual({ replayed: 1 });
  expect(await idsOf('')).toEqual([second.id]);
  const statuses = await Promise.all([first, second].map(({ accountId, id }) => getMessage(database.db, accountId, id)));
  expect(statuses.map(({ record }) => record.status)).toEqual(['queued', 'failed']);
});

test(
  'keys: create, list without secrets, rotate, revoke the last one too',
  async () => {
    const { accountId, key } = await newAccount(database.db);
    const account = `--account ${accountId}`;
    const created = await run('keys', `create ${account} --name Till-2 --expires 2999-01-01T00:00:00+01:00`);
    expect(created).toEqual({
      code: 0,
      stdout: expect.stringMatching(KEY),
      stderr: expect.stringMatching(/^key \d+: Till-2, until 2998-12-31T23:00:00.000Z\n$/),
    });
    const id = Number(/key (\d+)/.exec(created.stderr)?.[1]);
    const rotated = await json<{ id: number; name: string; apiKey: string }>('keys', `rotate ${id} ${account} --grace 60`);
    expect(rotated).toMatchObject({ name: 'Till-2', expiresAt: '2998-12-31T23:00:00.000Z' });
    expect([await isValid(created.stdout), await isValid(rotated.apiKey)]).toEqual([true, true]);
    const atOnce = await run('keys', `rotate ${rotated.id} ${account} --grace 0`);
    expect([await isValid(rotated.apiKey), await isValid(atOnce.stdout)]).toEqual([false, true]);

    const restricted = await run('keys', `create ${account} --name Screen --scopes pets:read,orders:read`);
    expect(restricted.stderr).toMatch(/^key \d+: Screen, scopes pets:read orders:read\n$/);
    expect((await findCaller(database.db, restricted.stdout.trim()))?.scopes).toEqual(['pets:read', 'orders:read']);

    const list = await run('keys', `list ${account}`);
    expect(list.stdout.split('\n')).toHaveLength(6);
    expect(list.stdout).toMatch(/^id +name +prefix .*\n\d+ +First key +psk_live_....  /);
    for (const secret of [key, created.stdout.trim(), rotated.apiKey, atOnce.stdout.trim()])
      expect(list.stdout).not.toContain(secret.slice(0, 14));
    const keys = await json<{ id: number }[]>('keys', `list ${account}`);
    for (const one of keys) expect(await json('keys', `revoke ${one.id} ${account}`)).toEqual({ id: one.id, revoked: true });
    expect(await json('keys', `list ${account}`)).toEqual([]);
    expect(await isValid(key)).toBe(false);
  },
  scaleTimeout(120_000),
);

describe('wrong arguments: exit status 2, the problem and the usage, without opening the database', () => {
  test.each<[Group, string, RegExp]>([
    ['accounts', '', /^accounts: missing command/],
    ['accounts', 'feed', /^accounts: unknown command feed/],
    ['accounts', 'create', /^accounts create: missing --email EMAIL\n/],
    ['accounts', 'create --email nobody', /^accounts create: nobody is not an email address/],
    ['accounts', 'create --email a@b.c --plan gold', /^accounts create: unknown plan gold: choose free, pro/],
    ['accounts', 'create --email a@b.c --plan enterprise', /^accounts create: missing --per-minute N: the plan enterprise/],
    ['accounts', 'create --email a@b.c --plan enterprise --per-minute 5', /^accounts create: missing --per-day N/],
    ['accounts', 'create --email a@b.c --plan pro --per-day 5', /^accounts create: --per-day can be used with the plan enterprise only/],
    [
      'accounts',
      'set-plan --account 1 --plan enterprise --per-minute 0 --per-day 5',
      /^accounts set-plan: --per-minute must be a whole number from 1 to .*, not 0/,
    ],
    ['accounts', 'set-plan --account 1', /^accounts set-plan: missing --plan PLAN\n/],
    ...['accounts show', 'accounts resume', 'keys list'].map((command): [Group, string, RegExp] => {
      const [group = '', name = ''] = command.split(' ');
      return [group as Group, name, new RegExp(`^${command}: missing --email EMAIL, or --account ID\\n`)];
    }),
    ['accounts', 'show 1', /^accounts show: unexpected argument 1/],
    ['accounts', 'show --account ada@example.com', /^accounts show: --account must be a whole number/],
    ['accounts', 'show --email 1', /^accounts show: 1 is not an email address: name an id by --account ID/],
    ['keys', 'list --email ada@example.com --account 1', /^keys list: give --email or --account, not both/],
    ['accounts', 'list --plan free', /^accounts list: unknown option --plan/],
    ['keys', 'create --account 1', /^keys create: missing --name NAME\n/],
    ['keys', 'create --account 1 --name x --expires tomorrow', /^keys create: --expires must be a time such as .*, not tomorrow/],
    ['keys', 'create --account 1 --name x --expires 2001-01-01T00:00:00Z', /^keys create: --expires must be in the future/],
    ['keys', 'create --account 1 --name x --scopes "', /^keys create: --scopes must be 1 to 100 scopes/],
    ['keys', 'revoke x --account 1', /^keys revoke: KEY must be a whole number/],
    ['keys', 'constructor', /^keys: unknown command constructor/],
    ['limits', 'unban', /^limits unban: missing --key KEY\n/],
    ['limits', 'unban --key x', /^limits unban: --key must be a whole number/],
    ['keys', 'rotate 1 --account 1 --grace 604801', /^keys rotate: --grace must be a whole number from 0 to 604800/],
  ])('%s %s', async (group, line, message) => {
    // If it were opened, the message would be that there is none.
    const { code, stdout, stderr } = await run(group, line, UNREACHABLE);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(new RegExp(`(usage: npm run -s administer -- ${group} |Run npm run -s administer -- ${group} --help)`));
  });
});

test.each<[Group, string, RegExp]>([
  ['accounts', 'crate', /^accounts: unknown command crate: did you mean create\?\n/],
  ['accounts', 'create --emial a@example.com', /^accounts create: unknown option --emial: did you mean --email\?\n/],
  [
    'keys',
    '',
    /^keys: missing command\nusage: npm run -s administer -- keys COMMAND[^]*commands:\n {2}create [^]*\n {2}list [^]*\n {2}revoke [^]*\n {2}rotate /,
  ],
])('%s %s names what was meant', async (group, line, message) => {
  expect((await run(group, line, UNREACHABLE)).stderr).toMatch(message);
});

test('without a group, and with an unknown one, the groups are listed', async () => {
  const usage = 'usage: npm run -s administer -- GROUP COMMAND [ARGUMENTS]\ngroups: accounts, keys, limits, messages\n';
  const runGroup = (group: string) => run(group as Group, '');
  expect(await runGroup('--help')).toEqual({ code: 0, stdout: usage, stderr: '' });
  expect(await runGroup('')).toEqual({ code: 2, stdout: '', stderr: `administer: missing group\n${usage}` });
  expect(await runGroup('kees')).toEqual({ code: 2, stdout: '', stderr: `administer: unknown group kees\n${usage}` });
});

test.each<[Group, string]>([
  ['accounts', 'create'],
  ['accounts', 'list'],
  ['accounts', 'show'],
  ['accounts', 'set-plan'],
  ['accounts', 'suspend'],
  ['keys', 'create'],
  ['keys', 'list'],
  ['keys', 'revoke'],
  ['keys', 'rotate'],
  ['limits', 'unban'],
])('%s --help lists the commands; %s --help shows usage, options, examples and exit codes', async (group, command) => {
  const list = await run(group, '--help', UNREACHABLE);
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(list.stdout).toMatch(new RegExp(`^usage: npm run -s administer -- ${group} COMMAND [^]*\\ncommands:\\n(  .+\\n)*  ${command} `));
  for (const option of ['--help', '-h']) {
    const { code, stdout, stderr } = await run(group, `${command} ${option}`, UNREACHABLE);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      new RegExp(`^npm run -s administer -- ${group} ${command}: .+\\n(.+\\n)?\\nusage: npm run -s administer -- ${group} ${command} `),
    );
    expect(stdout).toMatch(
      /^options:\n(?= {2}--)[^]*--json[^]*^examples:\n( {2}npm run -s .+\n( {4}.+\n)*)+\nexit codes:\n {2}0 .+\n {2}1 .+\n {2}2 /m,
    );
    expect(`${list.stdout}\n${stdout}`.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});

describe('other errors: exit status 1 and one line', () => {
  test.each<[Group, string, RegExp]>([
    ['accounts', 'create --email taken@example.com', /^taken@example.com: there is an account with this email address\n$/],
    ['accounts', 'show --email nobody@example.com', /^there is no account nobody@example.com\n$/],
    ['accounts', 'suspend --account 999999', /^there is no account 999999\n$/],
    ['keys', 'list --account 999999', /^there is no account 999999\n$/],
    ['keys', 'revoke 999999 --email taken@example.com', /^there is no key 999999\n$/],
    ['limits', 'unban --key 999999', /^key 999999 is not banned\n$/],
    ['keys', 'rotate 999999 --email taken@example.com', /^there is no key 999999\n$/],
  ])('%s %s', async (group, line, message) => {
    await database
      .db('accounts')
      .insert({ email: 'taken@example.com', created_at: new Date() })
      .onConflict(database.db.raw('(lower(email))') as never)
      .ignore();
    const { code, stdout, stderr } = await run(group, line);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
  });
});

describe('as a process', () => {
  test.each<[Group, string, string | undefined, CommandOutput]>([
    [
      'accounts',
      'create --email process@example.com',
      undefined,
      { code: 0, stdout: expect.stringMatching(KEY) as never, stderr: expect.stringMatching(/^account \d+: /) as never },
    ],
    [
      'keys',
      'list',
      UNREACHABLE,
      { code: 2, stdout: '', stderr: expect.stringMatching(/^keys list: missing --email EMAIL, or --account ID\nusage: npm run/) as never },
    ],
    [
      'accounts',
      'list --nonsense',
      UNREACHABLE,
      {
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^accounts list: unknown option --nonsense\nusage: npm run -s administer -- accounts/) as never,
      },
    ],
    [
      'keys',
      'list --account 1',
      UNREACHABLE,
      {
        code: 1,
        stdout: '',
        // As a server, for START_TIMEOUT.
        stderr: expect.stringMatching(
          /^waiting for the database: PostgreSQL at 127.0.0.1:1\/nothing cannot be used: nothing listens there .*\nPostgreSQL at 127.0.0.1:1\/nothing cannot be used/,
        ) as never,
      },
    ],
  ])(
    '%s %s exits with its status',
    async (group, line, url, expected) => {
      expect(await runProcess(group, line, url)).toEqual(expected);
    },
    scaleTimeout(120_000),
  );
});
