/** The README of a package that needs a database: its example is a file of its tests, which runs; it names every export. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { killProcesses, startProcess } from 'specwright/testing';
import { withFolder } from './folder.ts';

/** As tsx, and quicker. */
const LOADER = new URL('../runner/hooks.mjs', import.meta.url).href;

interface Readme {
  /** The URL of a file in the folder `test` of the package. */
  readonly testFile: string;
  /** What the package exports. */
  readonly exported: object;
  /** The example, from `test`. */
  readonly example: string;
  /** The lines that it prints, without those of a log. */
  readonly prints: readonly string[];
}

/** Declares the tests of a README. */
export function testReadme({ testFile, exported, example, prints }: Readme): void {
  const read = (path: string) => readFileSync(new URL(path, testFile), 'utf8').trimEnd();
  const readme = read('../README.md');
  const folder = withFolder();
  afterEach(killProcesses);

  test('shows the example', () => {
    expect(readme).toContain(`\`\`\`ts\n${read(example)}\n\`\`\``);
  });

  test('names every function and class of the package', () => {
    expect(Object.keys(exported).filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  });

  test('the example prints what its comments say', async () => {
    // As root, PostgreSQL runs as another user, who must be able to reach the folder.
    chmodSync(folder.path, 0o755);
    const started = startProcess({
      program: join('test', example),
      cwd: fileURLToPath(new URL('..', testFile)),
      nodeArgs: ['--conditions=@specwright/source', '--import', LOADER],
      env: { DATA_DIR: join(folder.path, '.data') },
    });
    expect([await started.exited, started.output.stderr]).toEqual([{ code: 0, signal: null }, '']);
    const lines = started.output.stdout.trimEnd().split('\n');
    // On a busy machine a log may say that the database was late.
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual(prints);
  });
}
