/** Composes the files of a new project: the template, filled in for one contract. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseDocument } from 'yaml';
import { listUnsupported, operationTable, type Document, type SourceDocument, type UnsupportedFeature } from '@specwright/server/document';
import { generate } from '@specwright/cli';
import { oneLine } from '../stubs/comments.ts';
import { propertyName } from '../stubs/names.ts';
import { recordSchemas } from '@specwright/check/schema';
import { canCarryKey } from './account-schemes.ts';
import { notesInFile } from './notes.ts';
import type { Tarball } from './tarballs.ts';
import { formatJson, OWN_PACKAGE, readTemplate, templateDigest } from './template.ts';

/** Path from the project's root, with `/` -> content. */
export type Files = Map<string, string | Buffer>;

export interface ProjectOptions {
  /** Its contract, which has passed `checkDocument`. */
  readonly source: SourceDocument;
  /** As npm has it: lower case, digits and dashes. */
  readonly name: string;
  /** What it depends on: for `vendor/`. */
  readonly tarballs: readonly Tarball[];
  /** With API keys, plans, limits and bans. The contract has passed `assertAccounts`. */
  readonly accounts: boolean;
}

export interface NewProject {
  readonly files: Files;
  /** What of the contract is not served as written. */
  readonly unsupported: readonly UnsupportedFeature[];
  readonly schemes: readonly string[];
}

const NO_HANDLERS = `/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { Database } from '@specwright/postgres';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';

export function createHandlers(db: Database): Handlers<Caller> {
  return {};
}
`;

const UNIMPLEMENTED = 'unimplementedScheme';
const ACCOUNT_KEY = 'accountKey(findCaller)';
const SERVER_IMPORT = `import { ${UNIMPLEMENTED} } from '@specwright/server';`;
const TYPES_IMPORT = "import type { Security } from '../generated/contract.ts';";

/** Everything that a project consists of before its handlers are added and anything is installed. */
export async function composeProject({ source, name, tarballs, accounts }: ProjectOptions): Promise<NewProject> {
  const { document } = source;
  const title = oneLine(document.info.title);
  const unsupported = listUnsupported(source);
  const schemes = [...new Set(Object.values(operationTable(document)).flatMap(({ security }) => security.flat()))];
  const files: Files = new Map(readTemplate(OWN_PACKAGE, { accounts, name: databaseName(name) }));
  const edit = (path: string, change: (text: string) => string) => files.set(path, change(String(files.get(path))));
  const replace = (path: string, line: string, by: string) => edit(path, (text) => replaceLine(path, text, line, by));

  edit('package.json', (text) => manifest(text, { name, title, tarballs, accounts }));
  replace('README.md', '# Template service', `# ${title.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')}`);
  replace('src/security.ts', `  templateKey: ${accounts ? ACCOUNT_KEY : UNIMPLEMENTED},`, authenticators(document, schemes, accounts));
  const unimplemented = schemes.filter((scheme) => !accounts || !canCarryKey(document, scheme));
  if (accounts && unimplemented.length > 0) replace('src/security.ts', TYPES_IMPORT, `${SERVER_IMPORT}\n${TYPES_IMPORT}`);
  if (!accounts && unimplemented.length === 0) replace('src/security.ts', SERVER_IMPORT, '');
  edit('.config/schema-map.yaml', (text) => withoutTables(text, recordSchemas(source)));

  files.set('spec/openapi.yaml', source.source);
  files.set('docs/not-served.md', notesInFile(unsupported));
  files.set('src/handlers/index.ts', NO_HANDLERS);
  for (const [path, text] of await generate(source)) files.set(`generated/${path}`, text);
  for (const { file } of tarballs) files.set(`vendor/${basename(file)}`, readFileSync(file));
  return { files, unsupported, schemes };
}

/** The lines of src/security.ts that say which authenticator a scheme has. */
function authenticators(document: Document, schemes: readonly string[], accounts: boolean): string {
  const of = (scheme: string) => (accounts && canCarryKey(document, scheme) ? ACCOUNT_KEY : UNIMPLEMENTED);
  return schemes.map((scheme) => `  ${propertyName(scheme)}: ${of(scheme)},`).join('\n');
}

/** @throws Error if the template has no such line, so that nothing is left unfilled unnoticed. */
function replaceLine(path: string, text: string, line: string, by: string): string {
  const lines = text.split('\n');
  const at = lines.indexOf(line);
  if (at === -1) throw new Error(`the template's ${path} has no line ${line}`);
  return [...lines.slice(0, at), ...(by === '' ? [] : [by]), ...lines.slice(at + 1)].join('\n');
}

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  specwright: object;
}

function manifest(
  text: string,
  { name, title, tarballs, accounts }: Pick<ProjectOptions, 'name' | 'tarballs' | 'accounts'> & { title: string },
): string {
  const template = JSON.parse(text) as Manifest;
  const vendored = Object.fromEntries(tarballs.map((tarball) => [tarball.name, `file:vendor/${basename(tarball.file)}`]));
  const vendor = (versions: Record<string, string>) =>
    Object.fromEntries(Object.entries(versions).map(([dependency, version]) => [dependency, vendored[dependency] ?? version]));
  const webhooks = Object.fromEntries(
    tarballs.filter((tarball) => tarball.name === '@specwright/webhooks').map((one) => [one.name, one.version]),
  );
  const filled = {
    ...template,
    name,
    description: title,
    dependencies: vendor({ ...template.dependencies, ...webhooks }),
    optionalDependencies: vendor(template.optionalDependencies),
    devDependencies: vendor(template.devDependencies),
    specwright: { ...template.specwright, template: { version: ownVersion(), digest: templateDigest(OWN_PACKAGE, accounts), accounts } },
  };
  return formatJson(filled);
}

const ownVersion = () => (JSON.parse(readFileSync(join(OWN_PACKAGE, 'package.json'), 'utf8')) as { version: string }).version;

/** A name that needs no quotes in PostgreSQL, a shell and YAML. */
export const databaseName = (name: string) => name.replace(/[^a-z0-9]+/g, '_').replace(/^(?=\d)/, 'api_');

/** What .config/schema-map.yaml says of schemas while there are no tables. */
function withoutTables(text: string, schemas: readonly string[]): string {
  const map = parseDocument(text);
  map.setIn(
    ['not in the database', 'schemas'],
    map.createNode(Object.fromEntries(schemas.map((name) => [name, 'No table holds it yet.']))),
  );
  return map.toString({ lineWidth: 0 });
}
