/** Reads the git checkout that a folder is in: what git says, and the files of a commit. Nothing is written. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';

const MAX_OUTPUT_BYTES = 2 ** 28;
/** As many as the kernel of Linux follows. */
const MAX_LINKS = 40;

/** What git sets for its hooks, relative to the folder that they begin in: from another folder it leads elsewhere. */
const OF_HOOKS = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'] as const;

function environment(): NodeJS.ProcessEnv {
  const isPlaced = ['GIT_DIR', 'GIT_WORK_TREE'].every((name) => isAbsolute(process.env[name] ?? ''));
  return isPlaced ? process.env : { ...process.env, ...Object.fromEntries(OF_HOOKS.map((name) => [name, undefined])) };
}

/** Runs git. The checkout may be another user's: it is only read. @returns its output; `undefined` if it fails. */
function run(cwd: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd,
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  } catch {
    return undefined;
  }
}

/** @returns git in a folder: its output without the end of the last line; `undefined` if it fails. */
export const gitIn =
  (cwd: string) =>
  (...args: string[]): string | undefined =>
    run(cwd, args)?.trimEnd();

/** The name of a file from the root of the checkout that `cwd` is in. @param file relative to `cwd`, or absolute. */
export const fromRoot = (cwd: string, file: string): string =>
  posix.join(gitIn(cwd)('rev-parse', '--show-prefix') ?? '', relative(cwd, resolve(cwd, file)).split(sep).join('/'));

/** As git names a file of a commit: `openapi.yaml` from the root, `./openapi.yaml` from `cwd`. @returns the name from the root. */
export const fileOfCommit = (cwd: string, name: string): string => (/^\.\.?\//.test(name) ? fromRoot(cwd, name) : name);

/**
 * The text of a file of a commit, through links and submodules.
 *
 * @param file from the root of the checkout. @returns `undefined` if the commit has no such file.
 * @throws Error for a link that leads out of the checkout or to itself, and for a submodule whose commit is not here.
 */
export function readAtCommit(cwd: string, commit: string, file: string): string | undefined {
  const root = gitIn(cwd)('rev-parse', '--show-toplevel');
  return root === undefined ? undefined : readTree(root, commit, file, []);
}

/** @param links that led to the file. */
function readTree(root: string, commit: string, file: string, links: readonly string[]): string | undefined {
  const [link = file] = links;
  if (links.length > MAX_LINKS) throw new Error(`${link} of ${commit.slice(0, 12)} is a link that leads to itself: name the document`);
  if (file.startsWith('../')) {
    if (links.length === 0) return undefined;
    throw new Error(
      `${link} of ${commit.slice(0, 12)} is a link that leads out of the repository, to ${file}: commit the document in its place, or name one`,
    );
  }
  const { mode = '', object = '', name = '' } = entryOf(root, commit, file) ?? {};
  const rest = file.slice(name.length + 1);
  if (mode === '160000') return readTree(submodule(root, name, object), object, rest, links);
  if (mode === '120000') {
    const target = run(root, ['cat-file', 'blob', object]) ?? '';
    const place = isAbsolute(target) ? relative(root, target).split(sep).join('/') : posix.join(posix.dirname(name), target);
    return readTree(root, commit, posix.join(place, rest), [...links, name]);
  }
  return name === file ? run(root, ['cat-file', 'blob', object]) : undefined;
}

/** The file, or what is on the way to it and no folder: a link or a submodule. */
function entryOf(root: string, commit: string, file: string) {
  const names = file.split('/').map((_name, i, all) => all.slice(0, i + 1).join('/'));
  const listed = run(root, ['ls-tree', '--full-tree', '-z', commit, '--', ...names]) ?? '';
  return listed.split('\0').flatMap((line) => {
    const [, mode, object, name = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    // What else is in a folder is listed, too.
    return mode === FOLDER || !names.includes(name) ? [] : [{ mode, object, name }];
  })[0];
}

const FOLDER = '040000';

/** @returns its folder. */
function submodule(root: string, name: string, commit: string): string {
  const folder = join(root, name);
  if (existsSync(join(folder, '.git')) && gitIn(folder)('cat-file', '-e', commit) !== undefined) return folder;
  throw new Error(`the submodule ${name} has no commit ${commit} here: run \`git submodule update --init\`, or \`git fetch\` in it`);
}

/** The name that a file had in a commit, if git knows that it was renamed since. Names are from the root. */
export function nameAtCommit(cwd: string, commit: string, file: string): string | undefined {
  const listed = gitIn(cwd)('diff', '--no-ext-diff', '--name-status', '-z', '--find-renames', '--diff-filter=R', commit) ?? '';
  const parts = listed.split('\0');
  const at = parts.findIndex((name, i) => i % 3 === 2 && name === file);
  return at < 0 ? undefined : parts[at - 1];
}
