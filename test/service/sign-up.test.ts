/** Sign-ups that are confirmed by mail: from the request to the first call with the key, and what they do not tell. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openSignUps } from '@specwright/accounts';
import { ConfigError } from '@specwright/server';
import { createClient, createTestLog, startReceiver, until, withApp, withDatabase, withFixture, type JsonClient } from 'specwright/testing';
import { readConfig } from '../../src/config.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { createClock } from '../support/service/limits.ts';
import { sendMailsTo, withMails } from '../support/service/sign-ups.ts';

const database = withDatabase();
const receiver = withApp(() => startReceiver());
const signUps = withFixture(() => withMails(database.db));
const clock = createClock();
const app = withApp(() => startApp(database.db, { signUps, now: clock.now }));
const client: JsonClient = (...args) => createClient(app.url)(...args);

interface Mail {
  readonly type: string;
  readonly data: { readonly email: string; readonly token: string; readonly expiresAt: string };
}

test('a message of the queue has the token, which makes an account and its key, once', async () => {
  await sendMailsTo(database.db, receiver.url);
  expect((await client('POST', '/sign-ups', { email: 'Ada@example.com' })).status).toBe(204);
  const bounds = { timeout: 1000, stopTimeout: 1000, retentionDays: 30, pollInterval: 20, allowPrivate: true };
  const worker = createMessageWorker({ db: database.db, log: createTestLog(), ...bounds });
  worker.start();
  await until(() => receiver.received.length === 1);
  await worker.stop();
  const { type, data } = JSON.parse(String(receiver.received[0]?.body)) as Mail;
  expect([type, data.email]).toEqual(['sign_up.requested', 'Ada@example.com']);
  const confirm = () => client<{ apiKey: string; email: string } & ErrorBody>('POST', '/sign-ups/confirmations', { token: data.token });
  const { status, body } = await confirm();
  expect([status, body.email]).toEqual([201, 'Ada@example.com']);
  expect((await clientWithKey(app.url, body.apiKey)('GET', '/account')).status).toBe(200);
  expect((await confirm()).body.code).toBe('email_taken');
});

test('the answer and the statements are the same for an address that has an account', async () => {
  const { accountId } = await newAccount(database.db);
  const { email } = await database.db('accounts').where({ account_id: accountId }).first<{ email: string }>('email');
  const ask = async (address: string) => {
    const statements: string[] = [];
    const onQuery = ({ sql }: { sql: string }) => void statements.push(sql);
    database.db.on('query', onQuery);
    const { status, headers, body } = await client('POST', '/sign-ups', { email: address });
    database.db.off('query', onQuery);
    const names = [...headers.keys()].filter((name) => name !== 'x-request-id');
    return { status, names, length: headers.get('content-length'), body, statements };
  };
  const [known, unknown] = [await ask(email), await ask('nobody-has-this@example.com')];
  expect(known.status).toBe(204);
  expect(known.statements.length).toBeGreaterThan(0);
  expect(known).toEqual(unknown);
});

test('a retry with the same Idempotency-Key sends no second mail, and gives the key of the account again', async () => {
  const count = async () => Number((await database.db('webhook_deliveries').count({ count: '*' }))[0]?.['count']);
  const twice = async (path: string, body: object) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = () => client<{ apiKey?: string }>('POST', path, body, headers);
    return [await send(), await send()] as const;
  };
  const before = await count();
  const [first, retry] = await twice('/sign-ups', { email: 'twice@example.com' });
  expect([first.status, retry.status, retry.headers.get('idempotent-replayed'), (await count()) - before]).toEqual([204, 204, 'true', 1]);
  const [made, again] = await twice('/sign-ups/confirmations', { token: signUps.issue('twice@example.com', clock.now()).token });
  expect([made.status, again.status]).toEqual([201, 201]);
  expect(again.body.apiKey).toBe(made.body.apiKey);
});

test('a token that was altered, is of another secret or has expired confirms nothing', async () => {
  const confirm = async (token: string) => (await client<ErrorBody>('POST', '/sign-ups/confirmations', { token })).body.code;
  const { token } = signUps.issue('grace@example.com', clock.now());
  const [content = '', signature = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify(['root@example.com', 9e15])).toString('base64url');
  const other = openSignUps({ signUpAccount: 1, signUpSecret: 'another secret of thirty-two letters' })?.issue(
    'x@example.com',
    clock.now(),
  );
  for (const wrong of [`${forged}.${signature}`, `${content}.AAAA`, `${content}.-`, other?.token ?? ''])
    expect(await confirm(wrong)).toBe('invalid_request');
  clock.pass(86_400);
  expect(await confirm(token)).toBe('invalid_request');
});

test('a token is valid for a day, and not at its end', () => {
  const now = new Date('2026-11-28T09:00:00Z');
  const { token, expiresAt } = signUps.issue('grace@example.com', now);
  expect(expiresAt).toBe('2026-11-29T09:00:00.000Z');
  expect(signUps.emailOf(token, new Date('2026-11-29T08:59:59.999Z'))).toBe('grace@example.com');
  expect(signUps.emailOf(token, new Date(expiresAt))).toBeUndefined();
});

const OPEN = ['createAccount'];
const BY_MAIL = ['requestSignUp', 'confirmSignUp'];
const PATHS: Record<string, string> = { createAccount: '/accounts', requestSignUp: '/sign-ups', confirmSignUp: '/sign-ups/confirmations' };

test.each([
  ['open to all', false, OPEN, BY_MAIL],
  ['confirmed by mail', true, BY_MAIL, OPEN],
])('where they are %s, the other way is not served, and the document does not have it', async (_, byMail, served, omitted) => {
  const one = await startApp(database.db, { signUps: byMail ? signUps : undefined, docs: true });
  const send = createClient(one.url);
  const statusesOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await send<ErrorBody>('POST', PATHS[id] ?? '', {})).status));
  expect(await statusesOf(omitted)).toEqual(omitted.map(() => 404));
  expect(await statusesOf(served)).toEqual(served.map(() => 400));
  for (const file of ['openapi.json', 'openapi.yaml']) {
    const text = await (await fetch(`${one.url}/${file}`)).text();
    expect([...served, ...omitted].filter((id) => text.includes(id))).toEqual(served);
  }
  expect(one.contract.operations.map(({ id }) => id)).toEqual(expect.not.arrayContaining(omitted));
  await one.close();
});

test('is off unless both variables are set, and a message has no secret', () => {
  expect(openSignUps(readConfig({}))).toBeUndefined();
  expect(() => openSignUps(readConfig({ SIGN_UP_ACCOUNT: '1' }))).toThrow(ConfigError);
  expect(() => readConfig({ SIGN_UP_SECRET: 'short-secret' })).toThrow(/SIGN_UP_SECRET must have 32 characters or more$/);
  const secret = 'a'.repeat(32);
  expect(openSignUps(readConfig({ SIGN_UP_ACCOUNT: '7', SIGN_UP_SECRET: secret }))?.accountId).toBe(7);
});
