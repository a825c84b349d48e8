/** Lets `import.meta.url` be the URL of the source in what is built, so that what a module finds beside itself is found. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/** @param folder where the modules go. The sources have to be at the same place seen from it when they run. */
export const keepModuleUrls = (folder: string): Plugin => ({
  name: 'keep-module-urls',
  setup(build) {
    build.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.url')) return undefined;
      const url = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
      const loader = path.endsWith('ts') ? 'ts' : 'js';
      return { contents: source.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`), loader };
    });
  },
});
