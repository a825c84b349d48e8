/** Reads the modules of a build: notes the state in which each was read, and lets `import.meta.url` be the URL of the source. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { fileState } from '../../bin/build-manifest.mjs';

/**
 * @param folder where the modules go. What a module finds beside its source has to be at the same place seen from there when it runs.
 * @param states gets path -> state, from before it was read: a file that changes meanwhile makes the build an old one.
 */
export const sourceModules = (folder: string, states: Map<string, string>): Plugin => ({
  name: 'source-modules',
  setup(build) {
    build.onLoad({ filter: /./, namespace: 'file' }, async ({ path }) => {
      states.set(path, fileState(path));
      const source = /\.[cm]?[jt]s$/.test(path) ? await readFile(path, 'utf8') : '';
      if (!source.includes('import.meta.url')) return undefined;
      const url = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
      const loader = path.endsWith('ts') ? 'ts' : 'js';
      return { contents: source.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`), loader };
    });
  },
});
