/** Publishes the packages to the registry that npm is configured for. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPackages } from './packages.mjs';

const LIBRARY_BUNDLER = fileURLToPath(new URL('../bundle-libraries.mjs', import.meta.url));

/**
 * Builds all packages, and publishes each after those that it depends on. A version that the registry has is left as it was published, so that
 * a run which failed can be repeated.
 *
 * @param {{ provenance: boolean }} options `provenance`: with a statement of the workflow that has built them, which GitHub Actions can make
 * @throws Error if the registry cannot be asked, or refuses one
 */
export function publish(root, { provenance }) {
  const packages = readPackages(root);
  const missing = packages.filter((one) => !isPublished(root, one));
  if (missing.length > 0) {
    // What the sources no longer have would be published, too.
    for (const { path } of packages) rmSync(join(path, 'dist'), { recursive: true, force: true });
    build(root, packages);
  }
  for (const { folder } of missing)
    // They are built: each `prepack` would do so again.
    npm(
      root,
      ['publish', '--ignore-scripts', '--access', 'public', ...(provenance ? ['--provenance'] : []), '--workspace', folder],
      'inherit',
    );
  return packages.map((one) => `${one.name}@${one.version} ${missing.includes(one) ? 'is published' : 'was published before'}`);
}

function build(root, packages) {
  const settings = packages.map(({ path }) => join(path, 'tsconfig.build.json')).filter((file) => existsSync(file));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const run = (...program) => spawnSync(process.execPath, program, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status;
  if (run(compiler, '-b', ...settings) !== 0 || run(LIBRARY_BUNDLER, root) !== 0) throw new Error('the packages do not build: see above');
  // The `prepack` of the tool, which does not run, copies the examples into it.
  const tool = packages.find(({ name }) => name === 'specwright');
  if (tool !== undefined) npm(tool.path, ['run', 'copy-examples'], 'inherit');
}

function isPublished(root, { name, version }) {
  const { status, stdout, stderr } = npm(root, ['view', `${name}@${version}`, 'version'], 'pipe');
  if (status === 0) return stdout.trim() === version;
  // Neither the package nor the version is there; anything else is no answer.
  if (/\bE404\b/.test(stderr)) return false;
  throw new Error(`the registry does not say whether it has ${name}@${version}:\n${stderr.trim()}`);
}

function npm(cwd, args, output) {
  const result = spawnSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', output, output], shell: process.platform === 'win32' });
  if (output === 'inherit' && result.status !== 0) throw new Error(`npm ${args.join(' ')} failed: see above, then run it again`);
  return result;
}
