/** What a test run says of a database that does not hold what the contract has. */
import { expect, test } from '@jest/globals';
import { startSchemaCheck } from '../../src/testing/fixtures/database/test-server.ts';

async function run(script: string): Promise<string[]> {
  const said: string[] = [];
  await startSchemaCheck([process.execPath, '-e', script], (text) => void said.push(text)).end();
  return said;
}

test('says nothing where they agree', async () => {
  expect(await run('console.log("they agree")')).toEqual([]);
});

test('says what differs as soon as it is known, and again after the tests', async () => {
  const [first, last, ...more] = await run('console.log("pets.nickname"); console.error("run add-migration"); process.exitCode = 1');
  expect(first).toMatch(/^\nThe database and the contract differ[^]*pets\.nickname[^]*/);
  expect(first).toContain('run add-migration');
  expect({ last, more }).toEqual({ last: first, more: [] });
});

test('says that it cannot be made', async () => {
  const said: string[] = [];
  await startSchemaCheck(['no-such-program'], (text) => void said.push(text)).end();
  expect(said[0]).toMatch(/no-such-program: .*ENOENT/);
});
