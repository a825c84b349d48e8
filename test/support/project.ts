/** A copy of this project in a temporary folder, to be broken in one place and checked by the project's own gates. */
import { spawn } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PARTS = ['.config', '.prettierignore', 'generated', 'package.json', 'scripts', 'spec', 'src', 'test', 'tsconfig.json'];

export interface Project {
  readonly folder: string;
  /** Changes a file. @throws Error if `from` is not in it, so that no mutation is lost unnoticed. */
  edit(file: string, from: string | RegExp, to: string): Promise<void>;
  /** Runs a script of package.json. @returns its exit code and all that it printed. */
  run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  remove(): Promise<void>;
}

export async function copyProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'gate-test-'));
  await chmod(folder, 0o755);
  for (const part of PARTS) await cp(part, join(folder, part), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async edit(file, from, to) {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8');
      const after = before.replace(from, () => to);
      if (after === before) throw new Error(`${file} has no ${String(from)}`);
      await writeFile(path, after);
    },
    run(script, ...args) {
      return new Promise((settle, reject) => {
        const env = { ...process.env, NODE_OPTIONS: '' };
        const child = spawn('npm', ['run', '--silent', script, '--', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
        let output = '';
        const collect = (chunk: Buffer) => void (output += chunk.toString());
        child.stdout.on('data', collect);
        child.stderr.on('data', collect);
        child.on('error', reject);
        child.on('close', (code) => settle({ code, output }));
      });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
