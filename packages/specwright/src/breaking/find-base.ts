/** Finds the former version of a spec: a file, or a commit, by default where this branch left the main branch. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { assertWithinProject, quotedPath, type ReadOptions } from '@specwright/contract/document';
import { fileOfCommit, fromRoot, gitIn, nameAtCommit, readAtCommit } from 'openapi-compare/checkout';
import { generatedDigestIn } from '../project-config.ts';

/** The spec and the record file of a base; `undefined` where it has none, which is allowed of a new spec alone. */
export interface Base extends ReadOptions {
  /** For messages: `main (1a2b3c4)`, or the file. */
  readonly name: string;
  /** The file of its spec, as `git show` takes it. */
  readonly file: string;
  readonly spec: string | undefined;
  readonly records: string | undefined;
  /** Gives the text of a file that its spec refers to, if that is not to be read from the disk. */
  readonly read?: (file: string) => string | undefined;
  readonly generatedDigest?: string | undefined;
  /** How it was chosen, where a person has to know. */
  readonly note?: string;
}

export interface BaseOptions extends ReadOptions {
  /** A file, a commit, or a file of a commit (`main:openapi.yaml`); without one, the main branch. */
  readonly base?: string | undefined;
  /** Without a main branch, take the current commit, with a note. */
  readonly orHead?: boolean | undefined;
  /** The generated table of operations, which has the digest of the spec. */
  readonly table?: string | undefined;
  /** The spec that the base may lack, as no client knows it yet. */
  readonly newSpec?: string | undefined;
  readonly cwd?: string;
}

/** Names of the main branch, by priority. On GitHub a pull request names its target branch. */
const MAIN = [
  'refs/remotes/origin/HEAD',
  ...['main', 'master'].map((name) => `refs/remotes/origin/${name}`),
  'refs/heads/main',
  'refs/heads/master',
];

interface Revision {
  readonly commit: string;
  readonly name: string;
  /** The file of the spec from the root, if it is not where the working spec is. */
  readonly file?: string | undefined;
  readonly note?: string | undefined;
}

function baseAt(
  cwd: string,
  [spec, records, table]: readonly [string, string, string | undefined],
  { commit, name, file, note, allowOutside, newSpec }: Revision & Pick<BaseOptions, 'allowOutside' | 'newSpec'>,
): Base {
  const short = gitIn(cwd)('rev-parse', '--short', commit) ?? commit;
  const show = (path: string) => readAtCommit(cwd, commit, path);
  /** The text of a file, whatever it was called, and that name. */
  const find = (path: string, given = fromRoot(cwd, path)): readonly [text: string | undefined, name: string] => {
    const text = show(given);
    const former = text === undefined ? nameAtCommit(cwd, commit, given) : undefined;
    return former === undefined ? [text, given] : [show(former), former];
  };
  const [text, former] = find(spec, file);
  const fullName = name === short ? name : `${name} (${short})`;
  if (text === undefined && (newSpec === undefined || resolve(cwd, newSpec) !== resolve(cwd, spec)))
    throw new Error(`${fullName} has no file ${former}, and git knows of no other name:
  if it had one, \`git add ${spec}\`, or name it: --base ${short}:FILE
  if no client knows this API yet: --new ${quotedPath(spec)}`);
  const toRoot = fromRoot(cwd, '.');
  // Parts are named as the spec is: from here, or by another name from the root.
  const base = former === fromRoot(cwd, spec) ? spec : posix.relative(toRoot, former);
  return {
    name: fullName,
    file: `${short}:${base}`,
    spec: text,
    records: find(records)[0],
    ...(table !== undefined && { generatedDigest: generatedDigestIn(find(table)[0]) }),
    read: (part) => {
      // Named after the spec, with its commit.
      const path = resolve(cwd, part.replace(`${short}:`, ''));
      assertWithinProject(resolve(cwd, base), path, { allowOutside });
      return show(fromRoot(cwd, path));
    },
    ...(note && { note }),
  };
}

/**
 * The base of a spec.
 *
 * Without `base` it is the merge base with the main branch: what was added to main since then does not count as removed here.
 *
 * @param spec and records: their files, relative to the current folder.
 * @throws Error if there is no such base, or it has no such spec, with what to do.
 */
export function findBase(
  spec: string,
  records: string,
  { base, orHead = false, table, allowOutside, newSpec, cwd = process.cwd() }: BaseOptions,
): Base {
  if (base !== undefined && existsSync(resolve(cwd, base)) && statSync(resolve(cwd, base)).isFile()) {
    return { name: base, file: base, spec: readFileSync(resolve(cwd, base), 'utf8'), records: undefined, allowOutside };
  }
  const git = gitIn(cwd);
  if (git('rev-parse', '--is-inside-work-tree') === undefined) {
    throw new Error(
      'no git checkout here, so there is no main branch: name a file to compare with, `npx specwright check-breaking --base FILE`',
    );
  }
  const revision = base === undefined ? mainRevision(git, orHead) : namedRevision(cwd, base);
  if (revision === undefined) return { name: 'no commit', file: spec, spec: undefined, records: undefined };
  return baseAt(cwd, [spec, records, table], { ...revision, allowOutside, newSpec });
}

const commitOf = (git: ReturnType<typeof gitIn>, ref: string) => git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);

function namedRevision(cwd: string, base: string): Revision {
  const [, ref = base, file] = /^([^:]+):(.+)$/.exec(base) ?? [];
  const commit = commitOf(gitIn(cwd), ref);
  if (commit === undefined) throw new Error(`--base ${base} is neither a file nor a commit: fetch it (\`git fetch origin ${ref}\`)`);
  return { commit, name: ref, file: file && fileOfCommit(cwd, file) };
}

/** @returns `undefined` before the first commit. */
function mainRevision(git: ReturnType<typeof gitIn>, orHead: boolean): Revision | undefined {
  const target = process.env['GITHUB_BASE_REF'];
  const ref = [...(target ? [`refs/remotes/origin/${target}`] : []), ...MAIN].find((name) => commitOf(git, name) !== undefined);
  const head = commitOf(git, 'HEAD');
  if (ref !== undefined) {
    const name = git('rev-parse', '--abbrev-ref', ref) ?? ref;
    const tip = commitOf(git, ref) ?? ref;
    if (head === undefined) return { commit: tip, name };
    const common = git('merge-base', tip, head);
    if (common === undefined && git('rev-parse', '--is-shallow-repository') === 'true')
      throw new Error(`the history is too short to find the merge base with ${name}:\n${FETCH_HISTORY}`);
    return { commit: common ?? tip, name: common === tip ? name : `the merge base with ${name}` };
  }
  if (head === undefined) return undefined;
  // In a pull request the main branch can be fetched: the current commit would only hide breaking changes.
  if (!orHead || target)
    throw new Error(
      `no main branch here (${MAIN.map((name) => name.replace(/^refs\/(remotes|heads)\//, '')).join(', ')}):
${FETCH_HISTORY}`,
    );
  const note = 'NO MAIN BRANCH IN THIS CHECKOUT: compared with the current commit, so only uncommitted changes are seen';
  return { commit: head, name: 'the current commit', note };
}

const FETCH_HISTORY = [
  '  check out with `fetch-depth: 0` (actions/checkout)',
  '  or run `git fetch --unshallow origin`',
  '  or name another base: `npx specwright check-breaking --base REF|FILE`',
].join('\n');
