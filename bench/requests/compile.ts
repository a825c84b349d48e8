/** Compiles what runs in the process of a measured server: the bench's own programs, and this server as it is built. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { CACHE } from './servers/servers.ts';

const PROGRAMS = {
  'server-process': 'servers/server-process',
  'load-generator': 'load-generator',
  'writes-generator': '../writes/generator',
} as const;
/** What has this project's own code in it, from its sources, so that what is measured as built is never older than they are. */
const SERVERS = {
  petstore: 'servers/petstore',
  'petstore-http2': 'servers/petstore-http2',
  'petstore-postgres': 'servers/petstore-postgres',
  'many-operations': 'servers/many-operations',
  'breakdown-server': '../breakdown/server',
  'breakdown-queries': '../breakdown/query-process',
  'bodies-this-server': '../bodies/this-server',
  'bodies-node-http': '../bodies/node-http',
  'bodies-busboy': '../bodies/busboy',
  'bodies-multer': '../bodies/multer',
} as const;

/** The compiled program. */
export const compiled = (program: keyof typeof PROGRAMS | keyof typeof SERVERS): string => join(CACHE, `${program}.mjs`);

/** Name -> source. */
const sourcesOf = (programs: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(programs).map(([name, source]) => [name, fileURLToPath(new URL(`${source}.ts`, import.meta.url))]));

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
    build({ ...OPTIONS, entryPoints: sourcesOf(PROGRAMS), packages: 'external' }),
    // The source maps name functions in profiles.
    build({
      ...OPTIONS,
      entryPoints: sourcesOf(SERVERS),
      conditions: ['@specwright/source'],
      plugins: [externalPackages],
      sourcemap: true,
    }),
  ]);
}
