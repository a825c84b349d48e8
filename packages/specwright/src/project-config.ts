/** What the commands have to know of the project that they run in: the field `specwright` of its package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSchema } from '@specwright/postgres';
import { z } from './libraries/zod.ts';

/** Paths are relative to the root of the project. */
interface Fields {
  /** The name of the service: of its database and of the embedded one. The name of the package if not given. */
  readonly name: string;
  readonly spec?: string | undefined;
  /** The contracts of a project that has several, by their names. What is not given is in a folder of that name. */
  readonly specs?: Readonly<Record<string, { readonly [Name in 'spec' | Folder]?: string | undefined }>> | undefined;
  /** The folder that `generate` writes. */
  readonly generated: string;
  /** The module that starts the server; it prints `listens on URL`. */
  readonly main: string;
  /** Further modules that are started: each is built as a program. */
  readonly programs: readonly string[];
  /** The folder of the handlers; its index.ts composes them. */
  readonly handlers: string;
  /** The folder with the table of contract tests, scenarios.ts and generic.ts. */
  readonly contractTests: string;
  /** The module that exports `schema`, a `DatabaseSchema`. Its folder has the migrations. */
  readonly schema: string;
  /** The committed dump of the schema that the migrations make. */
  readonly schemaDump: string;
  /** The folder of redocly.yaml, spectral.ts, contract-rules.yaml and schema-map.yaml. */
  readonly config: string;
  /** Whether `$ref`s of the spec may lead out of the project's folder, as with `--allow-outside`. Every reader of the spec asks for it there. */
  readonly allowOutside?: boolean | undefined;
  /** `date`: texts of format date-time are `Date` in handlers, clients and rows. Every reader of the spec asks for it there. */
  readonly dates?: 'date' | 'string' | undefined;
}

const CONFIG: z.ZodType<Fields> = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores'),
  spec: z.string().optional(),
  specs: z
    .record(
      z.string(),
      z.strictObject({
        spec: z.string().optional(),
        generated: z.string().optional(),
        handlers: z.string().optional(),
        contractTests: z.string().optional(),
      }),
    )
    .refine((specs) => Object.keys(specs).length > 0, 'must name a spec: { "v1": { "spec": "spec/v1.yaml" } }')
    .optional(),
  generated: z.string().default('generated'),
  main: z.string().default('src/main.ts'),
  programs: z.array(z.string()).default([]),
  handlers: z.string().default('src/handlers'),
  contractTests: z.string().default('test/contract'),
  schema: z.string().default('src/db/migrations/index.ts'),
  schemaDump: z.string().default('generated/schema.sql'),
  config: z.string().default('.config'),
  allowOutside: z.boolean().optional(),
  dates: z.enum(['date', 'string']).optional(),
});

/** What a project has once, however many contracts it has. */
export interface Project extends Omit<Fields, 'specs' | keyof ContractPaths> {
  /** The absolute path of the project's folder. */
  readonly root: string;
  /** The folder of what is generated from the migrations. */
  readonly databaseFolder: string;
  /** One, or those of `specwright.specs` in their order. */
  readonly contracts: readonly ProjectConfig[];
}

/** A project as what works on one of its contracts sees it. */
export interface ProjectConfig extends Project, ContractPaths {
  /** Its name in `specwright.specs`; `undefined` in a project without that. */
  readonly contractName: string | undefined;
}

/** @throws Error with every field that is not valid. */
export function readProject(root = process.cwd()): Project {
  const file = join(root, 'package.json');
  let manifest: { name?: string; specwright?: object };
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8')) as typeof manifest;
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}. Run specwright in the folder of a project`, { cause: error });
  }
  const parsed = CONFIG.safeParse({ name: identifier(manifest.name), ...manifest.specwright });
  const problems = parsed.success
    ? pathProblems(parsed.data)
    : parsed.error.issues.map(({ path, message }) => `${['specwright', ...path].join('/')}: ${message}`);
  if (!parsed.success || problems.length > 0)
    throw new Error(`${file}: the field "specwright" is not valid\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  const contracts: ProjectConfig[] = [];
  const project: Project = { ...parsed.data, root: resolve(root), databaseFolder: parsed.data.generated, contracts };
  for (const [contractName, paths] of contractPaths(parsed.data)) contracts.push({ ...project, ...paths, contractName });
  return project;
}

/** `@acme/pay-api` -> `pay_api` */
const identifier = (name = 'service'): string => name.replace(/^@[^/]*\//, '').toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^[^a-z]+/, '') || 'service'; // prettier-ignore

/** A file of the configuration folder, absolute: that of the contract, in a folder of its name, if it has one. @throws Error if there is none. */
export function configFile({ root, config, contractName }: Project & Partial<Pick<ProjectConfig, 'contractName'>>, name: string): string {
  const files = [join(root, config, contractName ?? '', name), join(root, config, name)];
  const file = files.find((path) => existsSync(path));
  if (file !== undefined) return file;
  throw new Error(
    `${displayPath(join(root, config, name), root)} is missing: every project that \`specwright new\` makes has one, to copy. ` +
      'Another folder than .config is `specwright.config` in package.json',
  );
}

/** A path for messages: relative to the project's folder, absolute outside of it. */
export function displayPath(path: string, root = process.cwd()): string {
  const short = relative(root, resolve(root, path));
  return short.startsWith('..') ? resolve(root, path) : short;
}

/** The file of the folder `generated` that has the digest of the spec. */
export const OPERATION_TABLE = 'operations.ts';

/** The digest of the document that a table of operations was generated from. */
export const generatedDigestIn = (table: string | undefined): string | undefined => /specDigest = '([^']+)'/.exec(table ?? '')?.[1];

/** The folder of the migrations, from the root. */
export const migrationsFolder = ({ schema }: Pick<Project, 'schema'>): string => dirname(schema);

/** Imports a module of the project, which may be TypeScript. */
export const importFromProject = async ({ root }: Pick<Project, 'root'>, file: string): Promise<unknown> =>
  import(pathToFileURL(resolve(root, file)).href);

/** The migrations of the project. @throws Error if its module has no `schema`. */
export async function loadSchema(project: Project): Promise<DatabaseSchema> {
  const { schema } = (await importFromProject(project, project.schema)) as { schema?: DatabaseSchema };
  if (schema === undefined)
    throw new Error(`${project.schema} does not export \`schema\`: export the migrations there, as a DatabaseSchema`);
  return schema;
}

type Folder = 'generated' | 'handlers' | 'contractTests';

/** The paths of one contract, from the root of the project: as in the fields of the same names. */
type ContractPaths = Readonly<Record<'spec' | 'records' | Folder, string>>;

/** The fields of `specwright` that say where contracts are. */
type PathFields = Pick<Fields, 'spec' | 'specs' | Folder>;

/** Folders have it. */
const NAME = /^[a-z][a-z0-9-]*$/;

const FOLDERS: readonly Folder[] = ['generated', 'handlers', 'contractTests'];

/** The file that records the intended breaking changes of a spec, beside it: contracts may share a folder. */
export const recordsFile = (spec: string, name?: string): string =>
  posix.join(posix.dirname(spec), ['breaking-changes', ...(name === undefined ? [] : [name]), 'yaml'].join('.'));

/** The only contract, without a name, or those of `specs`. */
function contractPaths({ spec = 'spec/openapi.yaml', specs, ...folders }: PathFields): [string | undefined, ContractPaths][] {
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
function pathProblems(fields: PathFields): string[] {
  if (fields.specs === undefined) return [];
  const both =
    fields.spec === undefined
      ? []
      : ['specwright/spec: is not read beside specwright/specs: move it into specs, with a name, or remove it'];
  const named = Object.keys(fields.specs)
    .filter((name) => !NAME.test(name))
    .map((name) => `specwright/specs/${name}: the name must be lower-case letters, digits and hyphens`);
  const contracts = contractPaths(fields);
  const shared = contracts.flatMap(([name = '', paths], i) =>
    contracts.slice(0, i).flatMap(([other = '', others]) =>
      (['spec', ...FOLDERS] as const)
        .filter((key) => posix.relative(paths[key], others[key]) === '')
        .map((key) => {
          const what = `${paths[key]} is that of ${other}: give each its ${key === 'spec' ? 'file' : 'folder'}`;
          return `specwright/specs/${name}/${key}: ${what}`;
        }),
    ),
  );
  return [...both, ...named, ...shared];
}

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
