/** The commit that this tree is compared with, checked out and compiled in `.cache/ratchet`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compile, ROOT } from '../support/compile.ts';

const CHECKOUTS = join(ROOT, '.cache/ratchet');
const MAIN = ['origin/main', 'main'];

/** @throws Error with what git said. */
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const tryGit = (...args: string[]): string | undefined => {
  try {
    return git(...args);
  } catch {
    return undefined;
  }
};

/**
 * Of a branch: where it left main. Of main itself: the last release before this commit, because a commit that is compared with the one before
 * it may cost 4 % more than it each time; before the first release, the commit before it.
 *
 * @param wanted any commit. @throws Error if there is no such commit.
 */
export function baseCommit(wanted: string | undefined): string {
  if (wanted !== undefined) return git('rev-parse', '--verify', `${wanted}^{commit}`);
  const head = git('rev-parse', 'HEAD');
  const left = MAIN.map((main) => tryGit('merge-base', main, 'HEAD')).find((commit) => commit !== undefined);
  if (left !== undefined && left !== head) return left;
  return git('rev-parse', '--verify', `${tryGit('describe', '--tags', '--abbrev=0', 'HEAD^') ?? 'HEAD^'}^{commit}`);
}

/** @returns the folder of the commit, with the servers that are measured as it composes them, compiled. */
export async function prepareTree(commit: string): Promise<string> {
  const tree = join(CHECKOUTS, commit);
  if (!existsSync(join(tree, 'node_modules'))) {
    rmSync(CHECKOUTS, { recursive: true, force: true });
    mkdirSync(tree, { recursive: true });
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
    const lock = 'package-lock.json';
    if (readFileSync(join(tree, lock), 'utf8') === readFileSync(join(ROOT, lock), 'utf8')) linkPackages(tree);
    else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'ignore' });
  }
  await compile(tree, ['petstore', 'petstore-postgres']);
  return tree;
}

/** Its own packages are those of its folder; the others are those of this one, which are the same. */
function linkPackages(tree: string): void {
  const link = (from: string, name: string) => {
    const to = join(tree, 'node_modules', name);
    if (existsSync(to)) return;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to, 'junction');
  };
  for (const folder of readdirSync(join(tree, 'packages'))) {
    const manifest = join(tree, 'packages', folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string };
    link(join(tree, 'packages', folder), name);
  }
  const installed = join(ROOT, 'node_modules');
  for (const name of readdirSync(installed)) if (name !== '@specwright') link(join(installed, name), name);
}
