/** Handler files that were deleted and that git still has: restoring one is less work than writing stubs. */
import { execFileSync } from 'node:child_process';
import type { ProjectConfig } from '../../project-config.ts';

/** The deleted files, from the root, that name one of the operations. None without git. */
export function findDeletedHandlers({ root, handlers }: Pick<ProjectConfig, 'root' | 'handlers'>, operations: readonly string[]): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const deleted = git('ls-files', '--deleted', '-z', '--', handlers).split('\0').filter((file) => file !== ''); // prettier-ignore
    return deleted.filter((file) => {
      const text = git('show', `:./${file}`);
      return operations.some((id) => text.split(/[^\w$]+/).includes(id));
    });
  } catch {
    return [];
  }
}

/** `\`git checkout -- src/handlers/pets.ts\` restores the deleted file` */
export function formatRestore(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const paths = files.map((file) => (/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`));
  return `\`git checkout -- ${paths.join(' ')}\` restores the deleted ${files.length === 1 ? 'file' : 'files'}`;
}
