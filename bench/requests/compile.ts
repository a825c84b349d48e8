/** Compiles what runs in the process of a measured server: the bench's own programs, and this server as it is built. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { CACHE } from './servers.ts';

const PROGRAMS = ['server-process', 'load-generator'] as const;
/** This server from its sources, so that what is measured as built is never older than they are. */
const SERVERS = ['petstore', 'petstore-postgres', 'many-operations'] as const;

/** The compiled program. */
export const compiled = (program: (typeof PROGRAMS)[number] | (typeof SERVERS)[number]): string => join(CACHE, `${program}.mjs`);

const sourceOf = (name: string) => fileURLToPath(new URL(`${name}.ts`, import.meta.url));

const OPTIONS = {
  outdir: CACHE,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'error',
} satisfies BuildOptions;

/** Everything from npm stays where it is; this project's own packages are compiled. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup: (esbuild) =>
    esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => ({
      external: kind !== 'entry-point' && !path.startsWith('@specwright/') ? true : undefined,
    })),
};

export async function compile(): Promise<void> {
  await Promise.all([
    build({ ...OPTIONS, entryPoints: PROGRAMS.map(sourceOf), packages: 'external' }),
    // The source maps name functions in profiles.
    build({
      ...OPTIONS,
      entryPoints: SERVERS.map(sourceOf),
      conditions: ['@specwright/source'],
      plugins: [externalPackages],
      sourcemap: true,
    }),
  ]);
}
