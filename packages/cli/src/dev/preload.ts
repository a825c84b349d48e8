/** Imports the packages of a project ahead of its own modules: they do not change during development, and take most of a start. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param root the folder of the project; @param further packages beside its dependencies. What cannot be imported is left out. */
export async function preloadPackages(root: string, further: readonly string[] = []): Promise<void> {
  const file = join(root, 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
  const { resolve } = createRequire(file);
  for (const name of [...Object.keys(dependencies), ...further]) {
    try {
      await import(pathToFileURL(resolve(name)).href);
    } catch {
      // It has no entry point, or none for Node: whoever imports it gets the error.
    }
  }
}
