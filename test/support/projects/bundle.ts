/** A program that a test starts many times, as few files: Node loads them in a tenth of the time of its modules. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { build } from 'esbuild';

/** Bundles a program before the tests of the current file. @param source of a module in the root. @returns the path of what it makes. */
export function withBundle(source: string): string {
  // In the checkout, where Node finds the packages of npm, which the bundle does not contain.
  const programs = resolve('.cache/test-programs');
  mkdirSync(programs, { recursive: true });
  const folder = mkdtempSync(join(programs, 'program-'));
  beforeAll(() =>
    build({
      stdin: { contents: source, resolveDir: resolve('.'), loader: 'ts' },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What is imported when it is needed stays so.
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      conditions: ['@specwright/source'],
      plugins: [
        {
          name: 'packages of npm stay outside',
          setup: (bundle) =>
            bundle.onResolve({ filter: /^[^./]/ }, ({ path }) =>
              /^(@specwright\/|specwright($|\/))/.test(path) ? undefined : { path, external: true },
            ),
        },
      ],
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'stdin.mjs');
}
