/** Imports the packages that a program uses ahead of its own modules: they do not change during development, and take most of a start. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports of packages, not of types alone, nor of files or of Node's own modules. */
// eslint-disable-next-line specwright/linear-expression -- the sources of the project
const PACKAGE_IMPORT = /^import\s(?!\s*type\b)[^'"]*?\bfrom\s*['"]((?!node:)[^.'"][^'"]*)['"]/gm;

/**
 * A package that is only a dependency may be large and never be needed: the engine of the linters is half of what there is to import.
 *
 * @param root the folder of the project; @param folder that of the program, from it. What cannot be imported is left out.
 */
export async function preloadPackages(root: string, folder: string): Promise<void> {
  const { resolve } = createRequire(join(root, 'package.json'));
  for (const name of packagesIn(join(root, folder))) {
    try {
      await import(pathToFileURL(resolve(name)).href);
    } catch {
      // It has no entry point, or none for Node: whoever imports it gets the error.
    }
  }
}

/** The packages that the sources below a folder import. */
export function packagesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[mc]?[jt]s$/.test(file));
    const names = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(PACKAGE_IMPORT)].map(([, name = '']) => name),
    );
    return [...new Set(names)].sort();
  } catch {
    // A folder that cannot be read, or is gone: whoever imports from it gets the error.
    return [];
  }
}
