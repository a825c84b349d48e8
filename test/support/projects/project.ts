/** A copy of this project in a temporary folder, to be changed in one place and checked by its own gates. */
import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { removeFolder } from 'specwright/testing';

const PARTS = [
  '.config',
  '.prettierignore',
  'bench',
  'conformance',
  'examples',
  'generated',
  'jest.config.mjs',
  'package.json',
  'packages',
  'scripts',
  'spec',
  'src',
  'test',
  'tsconfig.json',
];
const NOT_COPIED = ['node_modules', 'dist'];
/** Tests that the loop does not run; the compiler would check them at its start. */
const OTHER_TESTS = /^(?:bench|packages\/\w+\/test|test\/(?!contract|support|types)[^/]+)\/./;

export interface Project {
  readonly folder: string;
  /** Changes a file. @throws Error if `from` is not in it, so that no mutation is lost unnoticed. */
  edit(file: string, from: string | RegExp, to: string): Promise<void>;
  /** Runs a script of package.json. @returns its exit code and all that it printed. */
  run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Runs the program of an installed package. @returns its exit code and all that it printed. */
  npx(program: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Runs a command of `specwright`, from the copied sources. @returns its exit code and all that it printed. */
  specwright(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** As `npm run typecheck`. @returns its exit code and all that it printed. */
  typecheck(): Promise<{ code: number | null; output: string }>;
  remove(): Promise<void>;
}

/** @param options `otherTests`: with the tests that `specwright dev` does not run. */
export async function copyProject({ otherTests = true } = {}): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'gate-test-'));
  await chmod(folder, 0o755);
  const isCopied = (path: string) => !NOT_COPIED.includes(basename(path)) && (otherTests || !OTHER_TESTS.test(path));
  for (const part of PARTS) await cp(part, join(folder, part), { recursive: true, filter: isCopied });
  await linkModules(folder);
  return {
    folder,
    async edit(file, from, to) {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8');
      const after = before.replace(from, () => to);
      if (after === before) throw new Error(`${file} has no ${String(from)}`);
      await writeFile(path, after);
    },
    run: (script, ...args) => execute(folder, 'npm', ['run', '--silent', script, '--', ...args]),
    npx: (...args) => execute(folder, 'npx', args),
    specwright: (...args) => execute(folder, process.execPath, ['packages/specwright/bin/specwright.mjs', ...args]),
    typecheck: () => execute(folder, process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', '.']),
    remove: () => removeFolder(folder),
  };
}

function execute(cwd: string, command: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_OPTIONS: '' };
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Links the installed packages, and those of this repository to their copies. */
async function linkModules(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@specwright'), { recursive: true });
  for (const name of await readdir('node_modules'))
    if (name !== '@specwright' && name !== 'specwright') await symlink(resolve('node_modules', name), join(modules, name));
  for (const entry of await readdir('packages', { withFileTypes: true }))
    if (entry.isDirectory())
      await symlink(join(folder, 'packages', entry.name), join(modules, entry.name === 'specwright' ? '' : '@specwright', entry.name));
}
