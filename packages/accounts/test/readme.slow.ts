/** The README: its example is the code in test/readme, which runs; it names every export. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import * as accounts from '@specwright/accounts';
import { killProcesses, startProcess } from 'specwright/testing';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();
const readme = read('../README.md');
/** As tsx, and quicker. */
const LOADER = new URL('../../../test/support/runner/hooks.mjs', import.meta.url).href;
afterEach(killProcesses);

test('shows the example', () => {
  expect(readme).toContain(`\`\`\`ts\n${read('readme/keys.ts')}\n\`\`\``);
});

test('names every function and class of the package', () => {
  expect(Object.keys(accounts).filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
});

test('the example prints what its comments say', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  // As root, PostgreSQL runs as another user, who must be able to reach the folder.
  chmodSync(folder, 0o755);
  try {
    const example = startProcess({
      program: 'test/readme/keys.ts',
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      nodeArgs: ['--conditions=@specwright/source', '--import', LOADER],
      env: { DATA_DIR: join(folder, '.data') },
    });
    expect([await example.exited, example.output.stderr]).toEqual([{ code: 0, signal: null }, '']);
    const lines = example.output.stdout.trimEnd().split('\n');
    // On a busy machine the counters may log that the database was late.
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual(['true 59', 'undefined']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
