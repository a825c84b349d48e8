/** Compiles what runs in the process of a measured server: the bench's own programs, and this server as it is built. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Where the bench keeps what it installs and compiles. Not committed. */
export const CACHE = fileURLToPath(new URL('../../.cache/bench/', import.meta.url));
/** The document of the pet store. */
export const SPEC = fileURLToPath(new URL('../../generated/document.json', import.meta.url));

/** With this project's own code from its sources, so that what is measured as built is never older than they are. */
const PROGRAMS = {
  'server-process': 'support/server-process',
  'load-generator': 'support/load-generator',
  petstore: 'requests/petstore',
  'petstore-postgres': 'requests/petstore-postgres',
  'streams-this-server': 'streams/this-server',
  'streams-node-http': 'streams/node-http',
  'streams-busboy': 'streams/busboy',
  'streams-multer': 'streams/multer',
} as const;
export type Program = keyof typeof PROGRAMS;

/** The compiled program. */
export const compiled = (program: Program): string => join(CACHE, `${program}.mjs`);

/** Everything from npm stays where it is; this project's own packages are compiled. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup: (esbuild) =>
    esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => ({
      external: kind !== 'entry-point' && !path.startsWith('@specwright/') ? true : undefined,
    })),
};

export async function compile(): Promise<void> {
  const sources = Object.entries(PROGRAMS).map(([name, source]) => [name, fileURLToPath(new URL(`../${source}.ts`, import.meta.url))]);
  await build({
    entryPoints: Object.fromEntries(sources) as Record<string, string>,
    outdir: CACHE,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    conditions: ['@specwright/source'],
    plugins: [externalPackages],
    // They name functions in profiles.
    sourcemap: true,
  });
}
