/** The requests bench, run: servers in their processes, in memory and over loopback, and a CPU profile of each. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('prints what each server costs in memory and over loopback', async () => {
  const args = ['--harness', 'memory,loopback', '--servers', 'node-http,petstore-built', '--rounds', '1', '--profile', folder];
  const node = ['--conditions=@specwright/source', '--import', './test/support/runner/hooks.mjs', 'bench/run.ts', 'requests'];
  const { stdout } = await promisify(execFile)(process.execPath, [...node, ...args]);
  const rows = stdout.match(/^\| (?:node:http|this server, built) +\|.*$/gm) ?? [];
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row.replaceAll(' ', '')).toMatch(/^\|[^|]+(?:\|[\d.]+\|[\d.]+\|(?:\|\d+)?){2}\|$/);
  for (const id of ['node-http', 'petstore-built']) expect(existsSync(join(folder, `${id}.cpuprofile`))).toBe(true);
}, 180_000);
