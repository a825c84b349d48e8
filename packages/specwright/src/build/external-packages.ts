/** Leaves third-party packages in `node_modules`, where Node finds them: they may have files, native code and state. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const OWN = '@specwright/';
/** Read at every start, from hundreds of modules, of which a part is used: to find and read each costs more than to run it. */
const BUNDLED = ['zod', 'knex', 'lodash', 'tarn', '@modelcontextprotocol/server', '@modelcontextprotocol/core'];
/** Marks the second resolution of a path, which is esbuild's. */
const RESOLVED = Symbol('resolved');

/** @param root of the project; @param folder where the modules go. */
export const externalPackages = (root: string, folder: string): Plugin => ({
  name: 'external-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (kind === 'entry-point' || pluginData === RESOLVED || path.startsWith('node:') || path.startsWith(OWN)) return undefined;
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
      if (BUNDLED.includes(name)) return undefined;
      if (packageFolder(name, resolveDir) === packageFolder(name, root)) return { path, external: true };
      // A package of ours depends on another version: found from there, not from where the built modules are.
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: RESOLVED });
      return { path: relative(folder, found.path).replaceAll('\\', '/'), namespace: 'own-version', external: true };
    });
  },
});

function packageFolder(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(found)) return found;
    if (dirname(at) === at) return undefined;
  }
}
