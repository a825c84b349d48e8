/** Compares the spec of a contract with its base, and requires that each breaking change is recorded. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import {
  assertWithinProject,
  codeSpan,
  ContractError,
  escapeMarkdown,
  type ReadOptions,
  type SourceDocument,
  checkDocument,
  parseSource,
  readText,
} from '@specwright/contract/document';
import { plural, print, printError } from '@specwright/server/command';
import {
  type ListedChange,
  compareWithBase,
  formatMarkdown,
  formatReport,
  listChange,
  matchRecords,
  prune,
  readRecords,
  unrecorded,
} from 'openapi-compare';
import { appendToFile, rootOfArgument, writeFile } from '../files/write-files.ts';
import { gitIn } from '../node-arguments.ts';
import { OPERATION_TABLE, displayPath, generatedDigestIn } from '../project-config.ts';
import type { RecordedContract } from '../select-contracts.ts';

export interface RecordedOptions {
  readonly base: string | undefined;
  readonly 'or-head': boolean;
  readonly isQuiet: boolean;
  /** The folder that may be written in. */
  readonly root: string;
  /** The file that gets the report in Markdown. */
  readonly summary: string | undefined;
  /** Whether records that match no change are removed. */
  readonly prune: boolean;
}

/**
 * Prints the breaking changes of a contract.
 *
 * @param onChanges gets them with their files, and `recorded`: the reason, or null.
 * @throws Error if one is not recorded, or they cannot be compared.
 */
export async function checkRecorded(
  contract: RecordedContract,
  options: RecordedOptions,
  onChanges: (changes: readonly ListedChange[]) => void,
): Promise<void> {
  const { spec, table, working } = await readWorking(contract);

  const file = displayPath(contract.records);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const records = readRecords(file, text);
  const base = findBase(spec, file, { base: options.base, orHead: options['or-head'], table, allowOutside: contract.allowOutside });
  if (base.note) printError(`::: ${base.note}`);
  const summarize = (markdown: string) =>
    options.summary && appendToFile(rootOfArgument(options.summary, 'file'), resolve(options.summary), markdown);
  if (base.spec === undefined) {
    summarize(`## Breaking changes\n\n${codeSpan(spec)} is new: ${escapeMarkdown(base.name)} has none.\n`);
    onChanges([]);
    if (!options.isQuiet) print(`${spec} is new: ${base.name} has none, so no client can break`);
    return;
  }

  const changes = await compareWithBase({ ...base, spec: base.spec }, working, new Date());
  const matched = matchRecords(changes, records, readRecords(`${base.file} (records)`, base.records ?? ''));
  const files = { spec, records: file, baseFile: base.file, baseName: base.name, prune: '`npx specwright check-breaking --prune`' };
  summarize(formatMarkdown(matched, files));
  const unused = [...matched.stale, ...matched.merged];
  if (options.prune && unused.length > 0) {
    writeFile(options.root, resolve(file), prune(file, text, unused));
    printError(`removed ${plural(unused.length, 'record')} from ${file}`);
  }
  onChanges(matched.changes.map(listChange(spec, base.file)));
  if (!options.isQuiet) print(formatReport(options.prune ? { ...matched, stale: [], merged: [] } : matched, files));
  const open = unrecorded(matched.changes).length;
  if (open > 0)
    throw new Error(`${plural(open, 'breaking change')} not recorded: revert them, or record those that are intended in ${file}`);
}

/**
 * The spec of a contract. One that everything was generated from was checked then.
 *
 * @returns with the file of the generated table of operations, if the contract has one. @throws ContractError with every problem.
 */
export async function readWorking({
  spec: file,
  generated,
  allowOutside,
}: RecordedContract): Promise<{ readonly spec: string; readonly table: string | undefined; readonly working: SourceDocument }> {
  const spec = displayPath(file);
  const table = generated === undefined ? undefined : displayPath(join(generated, OPERATION_TABLE));
  const generatedDigest = table !== undefined && existsSync(table) ? generatedDigestIn(readFileSync(table, 'utf8')) : undefined;
  const working = parseSource(spec, readText(spec), { generatedDigest, allowOutside });
  const problems = await checkDocument(working);
  if (problems.length > 0) throw new ContractError(spec, problems);
  return { spec, table, working };
}

/** The spec and the record file of a base; `undefined` where it has none. */
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
  /** A file or a commit; without one, the main branch. */
  readonly base?: string | undefined;
  /** Without a main branch, take the current commit, with a note. */
  readonly orHead?: boolean | undefined;
  /** The generated table of operations, which has the digest of the spec. */
  readonly table?: string | undefined;
  readonly cwd?: string;
}

/** Names of the main branch, by priority. On GitHub a pull request names its target branch. */
const MAIN = [
  'refs/remotes/origin/HEAD',
  ...['main', 'master'].map((name) => `refs/remotes/origin/${name}`),
  'refs/heads/main',
  'refs/heads/master',
];

interface Revision extends ReadOptions {
  readonly commit: string;
  readonly name: string;
  readonly note: string | undefined;
}

function baseAt(
  git: ReturnType<typeof gitIn>,
  cwd: string,
  [spec, records, table]: readonly [string, string, string | undefined],
  { commit, name, note, allowOutside }: Revision,
): Base {
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
    ...(table !== undefined && { generatedDigest: generatedDigestIn(show(table)) }),
    read: (part) => {
      // Named after the spec, with its commit.
      const path = resolve(cwd, part.replace(`${short}:`, ''));
      assertWithinProject(resolve(cwd, spec), path, { allowOutside });
      return show(path);
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
 * @throws Error if there is no such base, with what to do.
 */
export function findBase(
  spec: string,
  records: string,
  { base, orHead = false, table, allowOutside, cwd = process.cwd() }: BaseOptions,
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
  const at = (commit: string, name: string, note?: string) =>
    baseAt(git, cwd, [spec, records, table], { commit, name, note, allowOutside });
  const commitOf = (ref: string) => git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);

  if (base !== undefined) {
    const commit = commitOf(base);
    if (commit === undefined) throw new Error(`--base ${base} is neither a file nor a commit: fetch it (\`git fetch origin ${base}\`)`);
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
    if (common === undefined && git('rev-parse', '--is-shallow-repository') === 'true')
      throw new Error(`the history is too short to find the merge base with ${name}:\n${FETCH_HISTORY}`);
    return at(common ?? tip, common === tip ? name : `the merge base with ${name}`);
  }
  if (head === undefined) return { name: 'no commit', file: spec, spec: undefined, records: undefined };
  // In a pull request the main branch can be fetched: the current commit would only hide breaking changes.
  if (!orHead || target)
    throw new Error(
      `no main branch here (${MAIN.map((name) => name.replace(/^refs\/(remotes|heads)\//, '')).join(', ')}):
${FETCH_HISTORY}`,
    );
  return at(
    head,
    'the current commit',
    'NO MAIN BRANCH IN THIS CHECKOUT: compared with the current commit, so only uncommitted changes are seen',
  );
}

const FETCH_HISTORY = [
  '  check out with `fetch-depth: 0` (actions/checkout)',
  '  or run `git fetch --unshallow origin`',
  '  or name another base: `npx specwright check-breaking --base REF|FILE`',
].join('\n');
