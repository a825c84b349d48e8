/** This project's server keeps every case of the suite, but those from which its adapter deviates; in Express, the gate `conformance` shows it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openContract } from '@specwright/contract';
import { createServer } from '@specwright/server';
import { createTestLog, listenOnFreePort, scaleTimeout } from 'specwright/testing';
import { handlersOf, securityOf } from '../adapters/specwright/handlers.ts';
import { readAdapter } from '../report/adapter.ts';
import { GROUPS } from '../src/groups.ts';
import { runCases } from '../src/run-cases.ts';

const { deviates = {} } = readAdapter('conformance/adapters/specwright');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(GROUPS)('$name', async ({ name, document, cases }) => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(document, null, 2));
  const contract = await openContract(file);
  const options = { contract, handlers: handlersOf(contract), security: securityOf(contract), log: createTestLog() };
  const server = await listenOnFreePort(createServer(options));
  const results = await runCases(new URL(server.url), cases, scaleTimeout(5_000));
  await server.close();
  const failed = results.filter(({ id, verdict }) => (verdict === 'kept') === id in deviates);
  expect(failed).toEqual([]);
});
