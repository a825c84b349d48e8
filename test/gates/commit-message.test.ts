/** The hook that the repository offers for commit messages: a scope, and at most 72 characters. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const LONG = `server: ${'x'.repeat(65)}`;

test.each([
  ['server: close streams of late handlers', 0],
  [LONG.slice(0, 72), 0],
  ['fixup! whatever', 0],
  [LONG, 1],
  ['Close streams', 1],
  ['server:close', 1],
])('%s', (subject, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'commit-message-'));
  writeFileSync(join(folder, 'message'), `${subject}\n\nA body of any length.\n`);
  expect(spawnSync('sh', ['.githooks/commit-msg', join(folder, 'message')]).status).toBe(code);
  rmSync(folder, { recursive: true });
});
