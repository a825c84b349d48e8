/** The work of a verdict is bounded by the bytes that were sent, for published documents too: each body, parameter and response of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { MAX_GROWTH } from '../../../../contract/test/support/growth.ts';
import { measureInProcesses } from '../../../../contract/test/support/measure-in-processes.ts';
import { fileOf, readList } from '../fetch-document.ts';

const PROGRAM = fileURLToPath(new URL('measure-document.ts', import.meta.url));
const TIMEOUT_MS = 20 * 60_000;

const documents = readList(fileURLToPath(new URL('measured.yaml', import.meta.url)), []);
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there are 60 documents', () => {
  expect(new Set(documents.map(({ name }) => name)).size).toBe(60);
});

test.each(documents.map((document) => [document.name, document] as const))(
  `the time of each verdict of %s grows at most ${MAX_GROWTH} times faster than the bytes`,
  async (_, document) => {
    const measured = await measureInProcesses(PROGRAM, [await fileOf(document, undefined, folder)]);
    expect(measured.size).toBeGreaterThan(0);
    expect([...measured].filter(([, slow]) => slow.length > 0)).toEqual([]);
  },
  TIMEOUT_MS,
);
