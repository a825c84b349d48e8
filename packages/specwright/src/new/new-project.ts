/** Makes a project that serves another OpenAPI document: files, handlers, lint baseline; then its packages, types and tests. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SourceDocument, type UnsupportedFeature, listUnsupported, quotedPath, rateLimitPlans } from '@specwright/contract/document';
import { fitLines } from '@specwright/server';
import { UsageError, plural, print } from '@specwright/server/command';
import { entriesOf, removeFolder, writeFile } from '../files/write-files.ts';
import { schemaFiles } from '../database/schema-files.ts';
import { writeGenerated } from '../generate/generated-files.ts';
import { lintSpec } from '../lint/lint-spec.ts';
import { switchOffRules } from '../lint/switch-off-rules.ts';
import { readProjectConfig } from '../select-contracts.ts';
import { addStubs } from '../stubs/add-stubs.ts';
import { formatOperation } from '../stubs/find-handlers.ts';
import { oneLine, format } from '../stubs/typescript-source.ts';
import {
  type Files,
  type ProjectOptions,
  composeProject,
  kindOf,
  notesInFile,
  notesOnScreen,
  sendsAnything,
  unreachedOperations,
  unsentOutgoing,
} from './compose-project.ts';
import { formatDefects, outgoingExemptions, tryOperations, type TriedOperations } from './try-operations.ts';
import { assertAccounts, chooseFirstHandler, tokenSchemes } from './first-handler.ts';
import { fillFirstSteps } from './first-steps.ts';
import { readSpec } from './read-spec.ts';
import { type Step, runSteps, near, requireEmpty } from './target-folder.ts';
import { isFromRegistry, packTarballs, packagesOf } from './tarballs.ts';

/** What remains once the files are there, in order. */
const stepsOf = (accounts: boolean): readonly Step[] => [
  { title: 'installing the packages', npm: ['install', '--no-audit', '--no-fund'] },
  ...(accounts ? [{ title: 'writing the schema of the accounts', npm: ['exec', '--', 'specwright', 'schema'] }] : []),
  { title: 'checking the types', npm: ['run', 'typecheck'] },
  { title: 'running the tests', npm: ['test'] },
];

export interface NewProjectOptions {
  /** Where it goes: an empty folder, one that does not exist yet, or one with nothing but a repository of git. */
  readonly target: string;
  /** An OpenAPI document. */
  readonly spec: string;
  /** By default that of the folder. */
  readonly name: string | undefined;
  /** With API keys, plans, limits and bans. */
  readonly accounts: boolean;
  /** Whether `$ref`s of the document may lead out of its project. */
  readonly allowOutside?: boolean;
  readonly install: boolean;
}

/**
 * Makes the project, and says how each step goes.
 *
 * @throws ContractError if the document cannot be served, Error if the folder cannot be written or a step in the project fails.
 */
export async function newProject({ target, spec, name: given, accounts, allowOutside, install }: NewProjectOptions): Promise<void> {
  const folder = resolve(target);
  requireEmpty(folder);
  const name = projectName(given ?? basename(folder), given === undefined);
  print(`reading ${spec}`);
  const { original, source, specFiles } = await readSpec(resolve(spec), { allowOutside }, (line) => print(fitLines(line)));

  if (accounts) assertAccounts(original);

  const tarballs = isFromRegistry() ? [] : await packTarballs(packagesFor(accounts || sendsAnything(source)), (line) => print(line));
  const { count, unreachable, unimplemented, handlers, first, tokens, defects } = await writeProject(
    folder,
    { source, specFiles, name, tarballs, accounts },
    print,
  );
  for (const line of notesOnScreen(notServed(original, unreachable))) print(fitLines(line));
  const packed = tarballs.length === 0 ? '' : ` beside the packages in ${VENDOR}/`;
  print(`${near(folder)}: ${plural(count, 'file')}${packed}, and ${plural(handlers.length, 'handler')} to write`);

  if (!(await runOrListSteps(folder, { source: original, steps: stepsOf(accounts), install, defects }))) return;
  for (const scheme of unimplemented)
    print(`security scheme ${oneLine(scheme)}: not implemented yet, its credentials are not verified: src/security.ts`);
  if (tokens.length > 0)
    print(
      `access tokens (${tokens.map(oneLine).join(', ')}) are accepted once TOKEN_ISSUER and TOKEN_AUDIENCE are set: README.md, Credentials`,
    );
  if (accounts && rateLimitPlans(source.document) === null)
    print('the document has no x-rate-limit-plans: the limits of the plans are those of src/plans.ts');
  print(`\nNext:\n  cd ${quotedPath(near(folder))}\n  npm run dev`);
  if (accounts) print('\nMake an API key, in another terminal:\n  KEY=$(npm run -s administer -- accounts create --email you@example.com)');
  const next = first ?? handlers[0];
  if (next !== undefined) print(`\nWrite first: ${next.location}, the handler of ${formatOperation(next.operation)}.`);
  if (first !== undefined) print(`Try it, in another terminal:\n  ${first.curl}`);
  print('README.md says how it is written and tested, and what comes after it.');
}

const packagesFor = (accounts: boolean) =>
  packagesOf([...(accounts ? ['@specwright/accounts'] : []), '@specwright/embedded-postgres', '@specwright/postgres', 'specwright']);

interface StepOptions extends Pick<ProjectOptions, 'source'>, Pick<NewProjectOptions, 'install'>, Pick<TriedOperations, 'defects'> {
  readonly steps: readonly Step[];
}

/** @returns whether all steps were run. @throws Error for one that failed, and for operations of which no request could be made. */
async function runOrListSteps(folder: string, { source, steps, install, defects }: StepOptions): Promise<boolean> {
  const remaining = install ? await runSteps(folder, steps) : steps;
  const [failed] = remaining;
  const commands = [`cd ${quotedPath(near(folder))}`, ...remaining.map(({ npm }) => `npm ${npm.join(' ')}`)];
  const todo = `what remains:\n${commands.map((line) => `  ${line}`).join('\n')}`;
  // The last lines on the screen: a project with 800 operations is of use without one of them, and nobody must miss which.
  if (Object.keys(defects).length > 0)
    throw new Error(`The project is there${failed === undefined ? '.' : `; ${todo}`}\n${formatDefects(defects, source)}`);
  if (failed === undefined) return true;
  if (install) throw new Error(`the project is there, but \`npm ${failed.npm.join(' ')}\` failed (see above); ${todo}`);
  print(todo);
  return false;
}

/**
 * Writes everything that can be made without installing anything.
 *
 * @param report is given a line at the start of each step that takes long for a large contract.
 * @returns how many files the project has beside packed packages, and the handlers that are to be written.
 */
export async function writeProject(folder: string, options: ProjectOptions, report: (line: string) => void = () => undefined) {
  report('generating types and handlers');
  const { files, unsupported, schemes, unimplemented } = await composeProject(options);
  const existed = existsSync(folder);
  writeFiles(folder, files);
  const { handlers, first, unreachable, defects, tokens } = await complete(folder, options, schemes, report).catch((error: unknown) => {
    removeFolder(folder, existed);
    throw error;
  });
  const notes = notServed(options.source, unreachable);
  if (notes.length > unsupported.length) {
    const file = join(folder, 'docs/not-served.md');
    writeFile(folder, file, await format(file, notesInFile(notes)));
  }
  return { count: countFiles(folder), unreachable, schemes, unimplemented, tokens, handlers, first, defects };
}

/** A name that npm takes (lower case, digits, dashes). @throws UsageError */
function projectName(given: string, mayChange: boolean): string {
  const name = given.toLowerCase().normalize('NFKD').replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 50); // prettier-ignore
  if (name === '' || (!mayChange && name !== given))
    throw new UsageError(
      `${given} cannot be the name of a project: use lower-case letters, digits and dashes, such as --name ${name === '' ? 'my-api' : name}`,
    );
  return name;
}

/** Everything that is not served as written, located in the files of the document. */
function notServed(source: SourceDocument, unreachable: TriedOperations['unreachable']): UnsupportedFeature[] {
  const unsupported = listUnsupported(source);
  return [...unsupported, ...unreachedOperations(source, unreachable, unsupported), ...unsentOutgoing(source)];
}

/** What was filled in from the contract. */
const FILLED = [
  'README.md',
  'docs/not-served.md',
  'src/security.ts',
  'src/handlers/index.ts',
  '.config/schema-map.yaml',
  'docker-compose.yml',
];

/** Adds the handlers, the lint baseline and what cannot be tested, with the tools that the project has from now on. */
async function complete(folder: string, { source, accounts }: ProjectOptions, schemes: readonly string[], report: (line: string) => void) {
  const project = readProjectConfig(folder);
  for (const path of FILLED) {
    const file = join(folder, path);
    writeFile(folder, file, await format(file, readFileSync(file, 'utf8')));
  }
  // There are no tables yet; those of accounts are known once their package is installed.
  writeGenerated(folder, schemaFiles(project, '', []));
  const { handlers } = await addStubs({ project, spec: source, tests: false });
  report('linting the contract: the rules that it breaks are switched off');
  switchOffRules([{ project, problems: await lintSpec(join(folder, project.spec), source.source, { project, all: true }) }]);
  report('making a request of each operation, for its tests');
  const { contract } = (await import(pathToFileURL(join(folder, 'generated/contract.ts')).href)) as { contract: unknown };
  const { unreachable, defects } = await tryOperations(pathToFileURL(join(folder, project.spec)), contract, source);
  const exemptions = { ...unreachable, ...outgoingExemptions(source) };
  writeFile(folder, 'test/contract/exemptions.json', `${JSON.stringify(exemptions, null, 2)}\n`);
  const tokens = kindOf({ source, accounts }).jwt ? tokenSchemes(source.document) : [];
  const first = await chooseFirstHandler({ source, handlers, exemptions: { ...exemptions, ...defects }, accounts, tokens });
  const readme = join(folder, 'README.md');
  writeFile(
    folder,
    readme,
    fillFirstSteps(readFileSync(readme, 'utf8'), { document: source.document, first, handlers, schemes, tokens, accounts }),
  );
  return { handlers, first, unreachable, defects, tokens };
}

/** The folder of packed packages. */
const VENDOR = 'vendor';

/** How many files a project has, beside packed packages. */
const countFiles = (folder: string): number =>
  entriesOf(folder)
    .filter((name) => name !== VENDOR)
    .map((name) => join(folder, name))
    .reduce((sum, path) => sum + (statSync(path).isDirectory() ? countFiles(path) : 1), 0);

/** All or nothing: what cannot be written whole is removed. */
function writeFiles(folder: string, files: Files): void {
  const existed = existsSync(folder);
  try {
    for (const [path, content] of files) writeFile(folder, path, content);
  } catch (error) {
    removeFolder(folder, existed);
    throw new Error(`${near(folder)} cannot be written: ${(error as Error).message}. Name a folder that you may write to`, {
      cause: error,
    });
  }
}
