/** Programs that tests start many times, each as one file: Node loads it in a tenth of the time of its modules. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import { build } from 'esbuild';

/** The root of the checkout. Programs are in it, where Node finds the packages of npm, which they do not contain. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Bundles `test/programs/<name>.ts` before the tests of the current file. @returns its path. */
export function withProgram(name: string): string {
  const programs = join(ROOT, '.cache', 'test-programs');
  mkdirSync(programs, { recursive: true });
  const folder = mkdtempSync(join(programs, `${basename(name)}-`));
  const outfile = join(folder, `${name}.mjs`);
  beforeAll(() =>
    build({
      entryPoints: [fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url))],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      conditions: ['@specwright/source'],
      sourcemap: 'inline',
      plugins: [
        {
          name: 'packages of npm stay outside',
          setup: (bundle) =>
            bundle.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => (isOurs(path, kind) ? undefined : { path, external: true })),
        },
      ],
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return outfile;
}

const isOurs = (path: string, kind: string): boolean => kind === 'entry-point' || path.startsWith('@specwright/');
