/** Loads a library of CommonJS at the moment when it is needed. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * @param name as npm has it.
 * @param folder `libraries` of the package that asks. Once it is built the library is one file there (`scripts/bundle-libraries.mjs`), and
 *   nobody has installed it; the sources find it in `node_modules`.
 */
export function requireLibrary(name: string, folder: URL): unknown {
  const bundled = fileURLToPath(new URL(`${name.replace('/', '-')}.cjs`, folder));
  return createRequire(folder)(existsSync(bundled) ? bundled : name) as unknown;
}
