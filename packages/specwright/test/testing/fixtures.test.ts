/** Fixtures exist while the tests run, and are torn down in the reverse order of their set-up. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, listenOnFreePort, withApp, withDatabase, withFixture } from 'specwright/testing';

const steps: string[] = [];

describe('withFixture', () => {
  const first = withFixture(
    () => ({ name: 'first' }),
    () => steps.push('first ended'),
  );
  const second = withFixture(
    () => ({ name: `second of ${first.name}` }),
    () => steps.push('second ended'),
  );
  let error: unknown;
  try {
    error = first.name;
  } catch (thrown) {
    error = thrown;
  }

  test('throws when a fixture is read while the file is loaded', () => {
    expect(error).toMatchObject({ message: expect.stringContaining('use it in tests and hooks only') });
  });

  test('gives each fixture those that were declared before it', () => {
    expect(second.name).toBe('second of first');
    expect({ ...first }).toEqual({ name: 'first' });
    expect(steps).toEqual([]);
  });

  describe('in a describe', () => {
    const inner = withFixture(
      () => ({ name: 'inner' }),
      () => steps.push('inner ended'),
    );
    test('lives as long as its tests', () => expect(inner.name).toBe('inner'));
  });

  test('ends the fixtures of an inner describe before those outside', () => expect(steps).toEqual(['inner ended']));
});

test('the last fixture ends first', () => expect(steps).toEqual(['inner ended', 'second ended', 'first ended']));

const database = withDatabase();

test('a database has the schema of the template, or none, and is gone after it is dropped', async () => {
  const tablesOf = (db: typeof database.db) => db('pg_catalog.pg_tables').where({ schemaname: 'public' }).pluck<string[]>('tablename');
  expect(await tablesOf(database.db)).not.toEqual([]);
  const empty = await createDatabase({ schema: 'empty' });
  const name = new URL(empty.url).pathname.slice(1);
  expect(await tablesOf(empty.db)).toEqual([]);
  await empty.drop();
  expect(await database.db('pg_catalog.pg_database').where({ datname: name })).toEqual([]);
});

test('a database with a schema is made by the module that a variable names, and one without is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  const file = join(folder, 'nodes.mjs');
  writeFileSync(file, "export const createDatabase = async (options) => ({ url: 'made', ...options });\n");
  process.env['TEST_DATABASE_MODULE'] = file;
  try {
    expect(await createDatabase({ pool: 3 })).toEqual({ url: 'made', schema: 'template', pool: 3 });
    const empty = await createDatabase({ schema: 'empty' });
    expect(empty.url).not.toBe('made');
    await empty.drop();
  } finally {
    delete process.env['TEST_DATABASE_MODULE'];
    rmSync(folder, { recursive: true });
  }
});

const app = withApp(() => listenOnFreePort(http.createServer((_, response) => response.end('hello'))));
let url = '';

test('an app listens on a port of its own, and is closed after the tests', async () => {
  ({ url } = app);
  expect(await (await fetch(url)).text()).toBe('hello');
});

// Registered after those of the fixtures, so it runs when they have ended.
afterAll(async () => {
  await expect(fetch(url)).rejects.toThrow();
});
