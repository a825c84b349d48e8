/** The git work tree of a project: everything that is upgraded has to be committed, so that it can be compared and undone. */
import { execFileSync } from 'node:child_process';

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @throws Error if the folder is in no work tree, or has changes that are not committed. */
export function assertCleanTree(root: string): void {
  let status: string;
  try {
    status = git(root, 'status', '--porcelain', '--', '.');
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(
      `${root} is no git work tree (${stderr.trim().split('\n')[0] ?? ''}): commit the project first, so that an upgrade can be undone`,
      {
        cause: error,
      },
    );
  }
  if (status !== '')
    throw new Error(
      `there are changes that are not committed:\n${status.trimEnd()}\nCommit or stash them, so that the upgrade can be undone`,
    );
}
