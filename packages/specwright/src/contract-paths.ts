/** Where the contracts of a project have their files. */
import { join, posix, relative } from 'node:path';

/** The paths of one contract, from the root of the project. */
export interface ContractPaths {
  /** The contract. */
  readonly spec: string;
  /** The folder that `generate` writes. */
  readonly generated: string;
  /** The folder of the handlers; its index.ts composes them. */
  readonly handlers: string;
  /** The folder with the table of contract tests, scenarios.ts and generic.ts. */
  readonly contractTests: string;
  /** The record of intended breaking changes. */
  readonly records: string;
}

type Folder = 'generated' | 'handlers' | 'contractTests';
type Given = { readonly [Name in 'spec' | Folder]?: string | undefined };

/** The fields of `specwright` that say where contracts are. */
export interface PathFields extends Readonly<Record<Folder, string>> {
  readonly spec?: string | undefined;
  readonly specs?: Readonly<Record<string, Given>> | undefined;
}

/** Folders have it. */
const NAME = /^[a-z][a-z0-9-]*$/;

const FOLDERS: readonly Folder[] = ['generated', 'handlers', 'contractTests'];

/** The file that records the intended breaking changes of a spec, beside it: contracts may share a folder. */
export const recordsFile = (spec: string, name?: string): string =>
  posix.join(posix.dirname(spec), ['breaking-changes', ...(name === undefined ? [] : [name]), 'yaml'].join('.'));

/** The only contract, without a name, or those of `specs`. */
export function contractPaths({ spec = 'spec/openapi.yaml', specs, ...folders }: PathFields): [string | undefined, ContractPaths][] {
  const { generated, handlers, contractTests } = folders;
  if (specs === undefined) return [[undefined, { spec, generated, handlers, contractTests, records: recordsFile(spec) }]];
  return Object.entries(specs).map(([name, given]) => {
    const file = given.spec ?? `spec/${name}.yaml`;
    const folder = (key: Folder) => given[key] ?? posix.join(folders[key], name);
    const paths = { generated: folder('generated'), handlers: folder('handlers'), contractTests: folder('contractTests') };
    return [name, { spec: file, ...paths, records: recordsFile(file, name) }];
  });
}

/** @returns what is wrong with the paths of several contracts: what is written for one would replace that of another. */
export function pathProblems(fields: PathFields): string[] {
  if (fields.specs === undefined) return [];
  const both =
    fields.spec === undefined
      ? []
      : ['specwright/spec: is not read beside specwright/specs: move it into specs, with a name, or remove it'];
  const named = Object.keys(fields.specs)
    .filter((name) => !NAME.test(name))
    .map((name) => `specwright/specs/${name}: the name must be lower-case letters, digits and hyphens`);
  const contracts = contractPaths(fields).map(([name = '', paths]) => [name, paths] as const);
  const shared = contracts.flatMap(([name, paths], i) =>
    contracts
      .slice(0, i)
      .flatMap(([other, others]) => [
        ...(isSame(paths.spec, others.spec) ? [problem(name, 'spec', `${paths.spec} is that of ${other}`, 'give each its file')] : []),
        ...FOLDERS.filter((key) => isSame(paths[key], others[key])).map((key) =>
          problem(name, key, `${paths[key]} is that of ${other}`, 'give each its folder'),
        ),
      ]),
  );
  return [...both, ...named, ...shared];
}

const problem = (name: string, key: string, what: string, fix: string) => `specwright/specs/${name}/${key}: ${what}: ${fix}`;

const isSame = (a: string, b: string): boolean => posix.relative(a, b) === '';

interface ContractOf {
  readonly root: string;
  readonly contractName: string | undefined;
  readonly contracts: readonly (Pick<ContractPaths, Folder> & { readonly contractName: string | undefined })[];
}

/** Whether a file, absolute, is in a folder of another contract of the project: the innermost, where one folder is in another. */
export function isOfAnother({ root, contractName, contracts }: ContractOf, file: string): boolean {
  const isIn = (folder: string) => !/^\.\.([\\/]|$)/.test(relative(folder, file));
  const around = contracts
    .flatMap((contract) => FOLDERS.map((key) => ({ name: contract.contractName, folder: join(root, contract[key]) })))
    .filter(({ folder }) => isIn(folder));
  const [innermost] = around.sort((a, b) => b.folder.length - a.folder.length);
  return innermost !== undefined && innermost.name !== contractName;
}
