/** Finds what the working spec is compared with: a file, a commit, or what this branch has left the main branch with. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The spec and the record file of a base; `undefined` where it has none. */
export interface Base {
  /** As a person names it: `main (1a2b3c4)`, or the file. */
  readonly name: string;
  /** Where its spec stands, as `git show` takes it. */
  readonly file: string;
  readonly spec: string | undefined;
  readonly records: string | undefined;
  /** What a person has to know of how it was chosen. */
  readonly note?: string;
}

export interface BaseOptions {
  /** A file or a commit; without one, the main branch. */
  readonly base?: string | undefined;
  /** Where there is no main branch at all, take the current commit, and say so. */
  readonly orHead?: boolean | undefined;
  readonly cwd?: string;
}

/** Where the main branch may be found, the first that is there. On GitHub a pull request names the branch that it goes to. */
const MAIN = [
  'refs/remotes/origin/HEAD',
  ...['main', 'master'].map((name) => `refs/remotes/origin/${name}`),
  'refs/heads/main',
  'refs/heads/master',
];

/**
 * The base of a spec.
 *
 * Without `base` it is the commit that this branch and the main branch have in common: what main has learnt since is not taken
 * for removed here.
 *
 * @param spec and records: their files, relative to the current folder.
 * @throws Error if there is no such base, with what to do.
 */
export function findBase(spec: string, records: string, { base, orHead = false, cwd = process.cwd() }: BaseOptions): Base {
  if (base !== undefined && existsSync(resolve(cwd, base)) && statSync(resolve(cwd, base)).isFile()) {
    return { name: base, file: base, spec: readFileSync(resolve(cwd, base), 'utf8'), records: undefined };
  }
  const git = gitIn(cwd);
  if (git('rev-parse', '--is-inside-work-tree') === undefined) {
    throw new Error(
      'there is no git checkout here to find the main branch in: name a file to compare with, `npm run check-breaking -- --base FILE`',
    );
  }
  const at = (commit: string, name: string, note?: string): Base => {
    const short = git('rev-parse', '--short', commit) ?? commit;
    const show = (file: string) => {
      const path = `${commit}:./${relative(cwd, resolve(cwd, file)).split(sep).join('/')}`;
      return git('cat-file', '-e', path) === undefined ? undefined : git('show', path);
    };
    return {
      name: name === short ? name : `${name} (${short})`,
      file: `${short}:${spec}`,
      spec: show(spec),
      records: show(records),
      ...(note && { note }),
    };
  };
  const commitOf = (ref: string) => git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);

  if (base !== undefined) {
    const commit = commitOf(base);
    if (commit === undefined)
      throw new Error(`--base ${base} is neither a file nor a commit. Is it fetched? (\`git fetch origin ${base}\`)`);
    return at(commit, base);
  }
  const target = process.env['GITHUB_BASE_REF'];
  const ref = [...(target ? [`refs/remotes/origin/${target}`] : []), ...MAIN].find((name) => commitOf(name) !== undefined);
  const head = commitOf('HEAD');
  if (ref !== undefined) {
    const name = git('rev-parse', '--abbrev-ref', ref) ?? ref;
    const tip = commitOf(ref) ?? ref;
    if (head === undefined) return at(tip, name);
    const common = git('merge-base', tip, head);
    if (common === undefined && isShallow(git))
      throw new Error(`the history is too short to tell where this branch left ${name}: ${DEEPEN}`);
    return at(common ?? tip, common === tip ? name : `where this branch left ${name}`);
  }
  if (head === undefined) return { name: 'no commit', file: spec, spec: undefined, records: undefined };
  // In a pull request the main branch is one fetch away, so to do without it would only hide what breaks.
  if (!orHead || target)
    throw new Error(
      `there is no main branch here (${MAIN.map((name) => name.replace(/^refs\/(remotes|heads)\//, '')).join(', ')}): ${DEEPEN}`,
    );
  return at(
    head,
    'the current commit',
    'THERE IS NO MAIN BRANCH IN THIS CHECKOUT: compared with the current commit, so only what is not committed is seen',
  );
}

const DEEPEN =
  'check out with `fetch-depth: 0` (actions/checkout), run `git fetch --unshallow origin`, or name another base, `npm run check-breaking -- --base REF|FILE`';

const isShallow = (git: ReturnType<typeof gitIn>) => git('rev-parse', '--is-shallow-repository') === 'true';

/** Runs git. The checkout may be another user's: nothing of it is executed, it is only read. @returns its output; `undefined` if it fails. */
function gitIn(cwd: string): (...args: string[]) => string | undefined {
  return (...args) => {
    try {
      return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1 << 28,
      }).trimEnd();
    } catch {
      return undefined;
    }
  };
}

/** Where the intended breaks of a spec are recorded: beside it. */
export const recordsOf = (spec: string) => join(dirname(spec), 'breaking-changes.yaml');
