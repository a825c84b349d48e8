/** The Node that runs the measured servers: this one, one at a path, or a version that npm has. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** @param wanted a path, a major version, or nothing for this process's own. @throws Error if it is not to be had. */
export function nodeExecutable(wanted: string | undefined): string {
  if (wanted === undefined) return process.execPath;
  if (existsSync(wanted)) return wanted;
  if (!/^\d+(\.\d+){0,2}$/.test(wanted)) throw new Error(`--node ${wanted}: there is no such file; give a path, or a version such as 24`);
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', '-p', `node@${wanted}`, 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`--node ${wanted}: npx cannot get it:\n${stderr.trim()}`);
  return stdout.trim();
}
