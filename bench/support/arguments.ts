/** What the options of several scenarios have in common. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { UsageError } from '@specwright/server/command';

/** The option of `nodeExecutable`. */
export const NODE_OPTION = {
  type: 'string',
  value: 'VERSION|PATH',
  description: 'the Node that runs what is measured, e.g. 24; this one by default',
} as const;

/** The Node that runs the measured servers. @param wanted a path, a major version, or nothing for this process's own. @throws Error if it is not to be had. */
export function nodeExecutable(wanted: string | undefined): string {
  if (wanted === undefined) return process.execPath;
  if (existsSync(wanted)) return wanted;
  if (!/^\d+(\.\d+){0,2}$/.test(wanted))
    throw new UsageError(`--node ${wanted}: there is no such file; give a path, or a version such as 24`);
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', '-p', `node@${wanted}`, 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`--node ${wanted}: npx cannot get it:\n${stderr.trim()}`);
  return stdout.trim();
}

/** @returns `missing` if it is not given. @throws UsageError for what is no whole number from 1. */
export function positive(text: string | undefined, option: string, missing: number): number {
  const value = text === undefined ? missing : Number(text);
  if (!(Number.isInteger(value) && value > 0)) throw new UsageError(`${option} must be a whole number from 1`);
  return value;
}

/** @returns the names of a list such as `a,b`; all, if it is not given. @throws UsageError that names what there is to choose from. */
export function listed<T extends string>(list: string | undefined, known: readonly T[], option: string): readonly T[] {
  const names = list?.split(',').map((name) => name.trim()) ?? known;
  const wrong = names.find((name) => !(known as readonly string[]).includes(name));
  if (wrong !== undefined) throw new UsageError(`${option}: there is no ${wrong}; choose from ${known.join(', ')}`);
  return names as readonly T[];
}
