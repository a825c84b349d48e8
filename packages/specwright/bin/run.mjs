/** `specwright run FILE [ARGUMENTS]`: runs a program of the project in this process, as JavaScript, which it builds first if a source has changed. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBuilt, findJustBuilt } from './build-manifest.mjs';

const [program, ...args] = process.argv.slice(3);
const root = process.cwd();

function build() {
  // A process of its own, so that neither the builder nor a loader is in this one.
  const cli = fileURLToPath(new URL('specwright.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [cli, 'build', '--quiet'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const built = findJustBuilt(root, program);
  if (built !== undefined) return built;
  console.error(`error: ${program} is not built: add it to specwright.programs in package.json`);
  process.exit(1);
}

const module = findBuilt(root, program) ?? build();
process.argv = [process.argv[0], module, ...args];
await import(pathToFileURL(module).href);
