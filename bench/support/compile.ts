/** Compiles what runs in the process of a measured server: the bench's own programs, and this server as it is built. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** This checkout. Compiled programs are as deep in it as sources are. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where the bench keeps what it installs and compiles. Not committed. */
export const CACHE = join(ROOT, '.cache/bench');
/** The document of the pet store. */
export const SPEC = join(ROOT, 'generated/document.json');

/** With this project's own code from its sources, so that what is measured as built is never older than they are. */
const PROGRAMS = {
  'server-process': 'support/server-process',
  'load-generator': 'support/load-generator',
  'hops-order': 'hops/order-worker',
  petstore: 'requests/petstore',
  'petstore-postgres': 'requests/petstore-postgres',
  'streams-this-server': 'streams/this-server',
  'streams-node-http': 'streams/node-http',
  'streams-busboy': 'streams/busboy',
  'streams-multer': 'streams/multer',
} as const;
export type Program = keyof typeof PROGRAMS;

/** The compiled program of a tree. */
export const compiled = (program: Program, tree = ROOT): string => join(tree, '.cache/bench', `${program}.mjs`);

/** Everything from npm stays where it is; this project's own packages are compiled. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup: (esbuild) =>
    esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => ({
      external: kind !== 'entry-point' && !path.startsWith('@specwright/') ? true : undefined,
    })),
};

/** @param tree the folder of a checkout; this one by default. @param programs all by default. */
export async function compile(tree = ROOT, programs = Object.keys(PROGRAMS) as Program[]): Promise<void> {
  const sources = programs.map((name) => [name, join(tree, 'bench', `${PROGRAMS[name]}.ts`)]);
  await build({
    entryPoints: Object.fromEntries(sources) as Record<string, string>,
    outdir: dirname(compiled(programs[0] ?? 'petstore', tree)),
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
