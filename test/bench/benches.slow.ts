/** Benches, run: servers in their processes, in memory and over loopback, a CPU profile of each, and what one request runs of our code. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { BOUNDS } from '../../bench/hops/requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @throws Error if the bench fails. */
const bench = async (...args: string[]): Promise<string> => {
  const node = ['--conditions=@specwright/source', '--import', './test/support/runner/hooks.mjs', 'bench/run.ts'];
  return (await promisify(execFile)(process.execPath, [...node, ...args])).stdout;
};

test('prints what each server costs in memory and over loopback', async () => {
  const args = ['--harness', 'memory,loopback', '--servers', 'node-http,petstore-built', '--rounds', '1', '--profile', folder];
  const stdout = await bench('requests', ...args);
  const rows = stdout.match(/^\| (?:node:http|this server, built) +\|.*$/gm) ?? [];
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row.replaceAll(' ', '')).toMatch(/^\|[^|]+(?:\|[\d.]+\|[\d.]+\|(?:\|\d+)?){2}\|$/);
  for (const id of ['node-http', 'petstore-built']) expect(existsSync(join(folder, `${id}.cpuprofile`))).toBe(true);
}, 180_000);

test('a warm request runs no more of our files and calls than bench/hops/requests.ts allows', async () => {
  const rows = (await bench('hops')).match(/^\| .* \|( +\d+ \|){4}$/gm) ?? [];
  expect(rows).toHaveLength(Object.keys(BOUNDS).length);
}, 180_000);
