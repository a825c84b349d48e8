/** Why a database cannot be used: one reason and one thing to do, without the password. */
import { expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { withDatabase } from 'specwright/testing';
import { assertSupportedServer } from '../src/connection/connect.ts';
import { formatConnectionProblem } from '../src/connection/connection-problem.ts';

const database = withDatabase();

/** What is said of the database of the tests under another URL. */
async function problemAt(change: (url: URL) => void): Promise<string> {
  const url = new URL(database.url);
  change(url);
  const db = connect({ url: url.href });
  try {
    await assertSupportedServer(db, url.href);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await db.destroy();
  }
}

test.each<[string, (url: URL) => void, RegExp]>([
  ['nothing listens', (url) => (url.port = '1'), /: nothing listens there \(ECONNREFUSED\): start PostgreSQL, or correct DATABASE_URL$/],
  ['wrong password', (url) => (url.password = 'secret'), /: the password of postgres is wrong \(28P01\): correct DATABASE_URL$/],
  [
    'wrong database',
    (url) => (url.pathname = '/petstroe'),
    /: it has no database petstroe \(3D000\): create it \(createdb petstroe\), or correct DATABASE_URL$/,
  ],
])('%s', async (_, change, expected) => {
  const message = await problemAt(change);
  expect(message).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ cannot be used: /);
  expect(message).toMatch(expected);
  expect(message).not.toContain('secret');
  expect(message.split(' ').length).toBeLessThanOrEqual(30);
});

const URL_ = 'postgres://ada:secret@db.example.com/pets';
const error = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each<[Error, string]>([
  [error('ENOTFOUND', 'getaddrinfo ENOTFOUND db.example.com'), 'there is no host db.example.com (ENOTFOUND): correct DATABASE_URL'],
  [error('08001', 'Knex: Timeout acquiring a connection.'), 'it does not answer (08001): check that'],
  [error('CERT_HAS_EXPIRED', 'certificate has expired'), 'its TLS certificate has expired (CERT_HAS_EXPIRED): renew it'],
  [new Error('The server does not support SSL connections'), 'it has no TLS: add ?sslmode=disable'],
  [error('XX000', 'out of order'), 'out of order (XX000): correct DATABASE_URL'],
  [error('EPIPE', 'write EPIPE'), 'write EPIPE: correct DATABASE_URL'],
])('%s', (cause, expected) => {
  expect(formatConnectionProblem(cause, URL_)).toContain(`PostgreSQL at db.example.com:5432/pets cannot be used: ${expected}`);
});
