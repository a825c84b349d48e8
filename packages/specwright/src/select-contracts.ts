/** Which of the contracts of a project a command works on, and how it works on several. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { plural, UsageError, printError } from '@specwright/server/command';
import { type Project, type ProjectConfig, readProject, recordsFile } from './project-config.ts';

const OPTION = { type: 'string', value: 'NAME' } as const;

/** The option `--contract` of commands that work on each contract. */
export const CONTRACTS_OPTION = { ...OPTION, description: 'one of specwright.specs in package.json (default: each)' } as const;

/** The option `--contract` of commands that work on one. */
export const CONTRACT_OPTION = {
  ...OPTION,
  description: 'one of specwright.specs in package.json; required if there are several',
} as const;

/**
 * The project as its only contract has it, or the one of that name.
 *
 * @throws Error with every field that is not valid; if there is no such contract, or several and none is named.
 */
export const readProjectConfig = (root?: string, name?: string): ProjectConfig => oneContract(readProject(root), name);

/** The option of commands that read a document which need not be the project's. */
export const OUTSIDE_OPTION = { type: 'boolean', description: '$refs may lead to files outside of the project' } as const;

export interface Selection {
  /** The value of `--contract`. */
  readonly contract?: string | undefined;
  /** The value of `--spec`: a document in place of that of the contract. */
  readonly spec?: string | undefined;
  readonly 'allow-outside'?: boolean | undefined;
}

/** What follows a command of `specwright` for a contract: nothing, or its name. */
export const contractArgument = ({ contractName }: Pick<ProjectConfig, 'contractName'>): string =>
  contractName === undefined ? '' : ` --contract ${contractName}`;

/**
 * The contract of that name, or else all.
 *
 * @throws Error if a file of `specwright.specs` is missing. @throws UsageError if there is no such contract, or it has to be named.
 */
export function selectContracts(project: Project, selection: Selection = {}): readonly ProjectConfig[] {
  const contracts = contractsOf(project, selection);
  return selection['allow-outside'] === true ? contracts.map((contract) => ({ ...contract, allowOutside: true })) : contracts;
}

function contractsOf(project: Project, { contract, spec }: Selection): readonly ProjectConfig[] {
  if (spec !== undefined) {
    const replaced = contractOf(project, contract, spec);
    return [{ ...replaced, spec, records: recordsFile(spec, replaced.contractName) }];
  }
  const selected = contract === undefined ? project.contracts : [oneContract(project, contract)];
  const missing = selected.filter((one) => one.contractName !== undefined && !existsSync(join(project.root, one.spec)));
  if (missing.length === 0) return selected;
  const problems = missing.map(({ contractName = '', spec: file }) => `  specwright/specs/${contractName}/spec: there is no file ${file}`);
  throw new Error(`${join(project.root, 'package.json')}:\n${problems.join('\n')}\nCreate the file, or correct its path.`);
}

/** As `selectContracts`, for a command that works on one. @throws UsageError if there are several and none is named. */
export function selectContract(project: Project, selection: Selection = {}): ProjectConfig {
  const selected = selectContracts(project, selection);
  return oneContract({ ...project, contracts: selected });
}

/** The contract whose place a document takes: that of the name, the one whose spec it is, or the only one. */
function contractOf(project: Project, contract: string | undefined, spec: string): ProjectConfig {
  const own = project.contracts.find((one) => resolve(project.root, one.spec) === resolve(spec));
  return contract === undefined && own !== undefined ? own : oneContract(project, contract);
}

/** The contract of that name, or the only one. @throws UsageError if there is no such contract, or it has to be named. */
function oneContract({ contracts }: Project, name?: string): ProjectConfig {
  const [only, second] = name === undefined ? contracts : contracts.filter(({ contractName }) => contractName === name);
  if (only !== undefined && second === undefined) return only;
  const names = contracts.flatMap(({ contractName = [] }) => contractName);
  if (name === undefined) throw new UsageError(`the project has several contracts: name one with --contract, of ${names.join(', ')}`);
  if (names.length === 0) throw new UsageError(`--contract ${name}: the project has one contract, without a name: remove the option`);
  throw new UsageError(`--contract ${name}: there is no such contract: specwright.specs has ${names.join(', ')}`);
}

/**
 * Runs a step for each contract, also after one has failed.
 *
 * @throws Error if it failed for one: what it threw if there is no other, else how many, after each error was printed.
 */
export async function forEachContract<Contract extends Partial<Pick<ProjectConfig, 'contractName'>>>(
  contracts: readonly Contract[],
  run: (contract: Contract) => Promise<void>,
): Promise<void> {
  const [only, second] = contracts;
  if (only !== undefined && second === undefined) return run(only);
  const failed: string[] = [];
  for (const contract of contracts) {
    const { contractName = '' } = contract;
    await run(contract).catch(async (error: unknown) => {
      // The arguments are wrong for each.
      if (error instanceof UsageError) throw error;
      printError((await import('@specwright/server')).formatFatalError(error));
      failed.push(contractName);
    });
  }
  if (failed.length > 0) throw new Error(`${plural(failed.length, 'contract')} of ${contracts.length} failed: ${failed.join(', ')}`);
}

/** A contract and the file of its recorded breaking changes. */
export type RecordedContract = Pick<ProjectConfig, 'spec' | 'records'> &
  Partial<Pick<ProjectConfig, 'contractName' | 'generated' | 'allowOutside'>>;

interface Compared extends Selection {
  readonly base: string | undefined;
}

export function comparedContracts({ base, ...selection }: Compared): readonly RecordedContract[] {
  const { spec, contract } = selection;
  // A document that is named needs no project around it.
  if (spec !== undefined && contract === undefined && !existsSync('package.json'))
    return [{ spec, records: recordsFile(spec), allowOutside: selection['allow-outside'] }];
  const project = readProject();
  // A file is the base of one.
  const isFile = base !== undefined && statSync(base, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? [selectContract(project, selection)] : selectContracts(project, selection);
}
