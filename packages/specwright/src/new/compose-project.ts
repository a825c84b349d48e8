/** Composes the files of a new project: the template, filled in for one contract. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type SourceDocument,
  type UnsupportedFeature,
  groupUnsupported,
  listOutgoing,
  listUnsupported,
  operationKeys,
  operationTable,
  outgoingTable,
} from '@specwright/contract/document';
import { parseDocument } from 'yaml';
import { generate } from '../generate/generate.ts';
import { ownVersion } from '../missing-package.ts';
import { recordSchemas } from '../schema/compare-schemas.ts';
import { oneLine, propertyName } from '../stubs/typescript-source.ts';
import { canCarryKey, requiredSchemes, tokenSchemes } from './first-handler.ts';
import type { Tarball } from './tarballs.ts';
import { OWN_PACKAGE, type TemplateKind, formatJson, readTemplate } from './template.ts';

/** Path from the project's root, with `/` -> content. */
export type Files = Map<string, string | Buffer>;

export interface ProjectOptions {
  /** Its contract, which has passed `checkDocument`. */
  readonly source: SourceDocument;
  /** The files that it is written in, from which `source` was read, if they stay several. By default it is one. */
  readonly specFiles?: Files | undefined;
  /** As npm has it: lower case, digits and dashes. */
  readonly name: string;
  /** What it depends on, for `vendor/`. None if it depends on the versions of the registry. */
  readonly tarballs: readonly Tarball[];
  /** With API keys, plans, limits and bans. The contract has passed `assertAccounts`. */
  readonly accounts: boolean;
}

export const sendsAnything = ({ document }: SourceDocument): boolean => Object.keys(outgoingTable(document)).length > 0;

/** With accounts, credentials are API keys, wherever the contract has them. */
export const kindOf = ({ source, accounts }: Pick<ProjectOptions, 'source' | 'accounts'>): TemplateKind => ({
  accounts,
  jwt: !accounts && tokenSchemes(source.document).length > 0,
});

const NO_HANDLERS = `/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { Database } from '@specwright/postgres';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';

export const handlers: Handlers<Caller, Database> = {};
`;

const UNIMPLEMENTED = 'unimplementedScheme';
const ACCOUNT_KEY = 'accountKey(findCaller)';
const TOKEN = 'token';
const SERVER_IMPORT = `import { ${UNIMPLEMENTED} } from '@specwright/server';`;
const TYPES_IMPORT = "import type { Security } from '../generated/contract.ts';";

/** The contract, in the template and in a project of a document of one file. */
const SPEC = 'spec/openapi.yaml';

/** What the template says of `vendor/`, line by line. */
const VENDOR_LINES = [
  ['.deploy/Dockerfile', 'COPY vendor vendor'],
  ['.dockerignore', '!vendor'],
  ['README.md', 'vendor/              the packages of specwright, until they are published'],
] as const;

/**
 * Everything that a project consists of before its handlers are added and anything is installed.
 *
 * @returns with what of the contract is not served as written, and the security schemes, of which nothing verifies the `unimplemented` ones yet.
 */
export async function composeProject(options: ProjectOptions) {
  const { source, name, tarballs, accounts } = options;
  const { document } = source;
  const kind = kindOf(options);
  const title = oneLine(document.info.title);
  const unsupported = listUnsupported(source);
  const schemes = requiredSchemes(document);
  const tokens = kind.jwt ? tokenSchemes(document) : [];
  const files: Files = new Map(readTemplate(OWN_PACKAGE, { ...kind, name: databaseName(name) }));
  const edit = (path: string, change: (text: string) => string) => files.set(path, change(String(files.get(path))));
  const replace = (path: string, line: string, by: string) => edit(path, (text) => replaceLine(path, text, line, by));

  edit('package.json', (text) => manifest(text, options));
  replace('README.md', '# Template service', `# ${title.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')}`);
  const unimplemented = schemes.filter((scheme) => (accounts ? !canCarryKey(document, scheme) : !tokens.includes(scheme)));
  const authenticatorOf = (scheme: string) => (unimplemented.includes(scheme) ? UNIMPLEMENTED : accounts ? ACCOUNT_KEY : TOKEN);
  const indent = kind.jwt ? '    ' : '  ';
  replace(
    'src/security.ts',
    `${indent}templateKey: ${accounts ? ACCOUNT_KEY : kind.jwt ? TOKEN : UNIMPLEMENTED},`,
    schemes.map((scheme) => `${indent}${propertyName(scheme)}: ${authenticatorOf(scheme)},`).join('\n'),
  );
  if (accounts && unimplemented.length > 0) replace('src/security.ts', TYPES_IMPORT, `${SERVER_IMPORT}\n${TYPES_IMPORT}`);
  if (!accounts && !kind.jwt && unimplemented.length === 0) replace('src/security.ts', SERVER_IMPORT, '');
  edit('.config/schema-map.yaml', (text) => withoutTables(text, recordSchemas(source)));

  addSpec(files, options);
  files.set('docs/not-served.md', notesInFile(unsupported));
  files.set('src/handlers/index.ts', NO_HANDLERS);
  for (const [path, text] of await generate(source)) files.set(`generated/${path}`, text);
  if (tarballs.length === 0) for (const [path, line] of VENDOR_LINES) replace(path, line, '');
  for (const { file } of tarballs) files.set(`vendor/${basename(file)}`, readFileSync(file));
  return { files, unsupported, schemes, unimplemented };
}

/** Adds the contract. The template names one of one file. */
function addSpec(files: Files, { source, specFiles }: ProjectOptions): void {
  const [spec, contents] = specFiles === undefined ? [SPEC, [[SPEC, source.source]] as const] : [source.file, specFiles];
  for (const [path, text] of files)
    files.set(
      path,
      String(text).replaceAll(SPEC, () => spec),
    );
  for (const [path, content] of contents) files.set(path, content);
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

function manifest(text: string, { name, tarballs, source }: ProjectOptions): string {
  const template = JSON.parse(text) as Manifest;
  const vendored = Object.fromEntries(tarballs.map((tarball) => [tarball.name, `file:vendor/${basename(tarball.file)}`]));
  const vendor = (versions: Record<string, string>) =>
    Object.fromEntries(Object.entries(versions).map(([dependency, version]) => [dependency, vendored[dependency] ?? version]));
  const webhooks: Record<string, string> = sendsAnything(source) ? { '@specwright/accounts': ownVersion() } : {};
  // What the tool needs and the project does not name is in no registry either.
  const named = { ...template.dependencies, ...template.optionalDependencies, ...template.devDependencies };
  const ofTool = Object.fromEntries(
    Object.entries(vendored).filter(([dependency]) => ownManifest().dependencies[dependency] !== undefined && !(dependency in named)),
  );
  return formatJson({
    ...template,
    name,
    description: oneLine(source.document.info.title),
    dependencies: vendor({ ...template.dependencies, ...webhooks }),
    optionalDependencies: vendor(template.optionalDependencies),
    devDependencies: { ...vendor(template.devDependencies), ...ofTool },
  });
}

const ownManifest = () => JSON.parse(readFileSync(join(OWN_PACKAGE, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };

/** A name that needs no quotes in PostgreSQL, a shell and YAML. */
const databaseName = (name: string) => name.replace(/[^a-z0-9]+/g, '_').replace(/^(?=\d)/, 'api_');

/** What .config/schema-map.yaml says of schemas while there are no tables. */
function withoutTables(text: string, schemas: readonly string[]): string {
  const map = parseDocument(text);
  map.setIn(
    ['not in the database', 'schemas'],
    map.createNode(Object.fromEntries(schemas.map((name) => [name, 'No table holds it yet.']))),
  );
  return map.toString({ lineWidth: 0 });
}

/** How many lines a screen can take. */
const MAX_LINES = 100;

/** Operations that no request can reach, as features that are not served, beside those that are listed as such. @param unreachable operationId -> the proof. */
export function unreachedOperations(
  source: SourceDocument,
  unreachable: Readonly<Record<string, string>>,
  listed: readonly UnsupportedFeature[],
): UnsupportedFeature[] {
  const table = operationTable(source.document);
  const ids = new Set(listed.flatMap(({ isUnreached, operationId }) => (isUnreached && operationId) || []));
  return Object.entries(unreachable).flatMap(([operationId, behavior]) => {
    const operation = table[operationId];
    if (operation === undefined || ids.has(operationId)) return [];
    const feature = 'no request can reach it';
    // What is the same for several operations is listed once.
    const construct = `${feature}: ${behavior}`;
    const fix = 'change one of the keywords that are named, or remove the operation';
    return [{ ...source.locate(operationKeys(operation)), operationId, feature, behavior, construct, isUnreached: true, fix }];
  });
}

export function notesOnScreen(notes: readonly UnsupportedFeature[]): string[] {
  if (notes.length === 0) return [];
  const lines = groupUnsupported(notes);
  return [
    'Not served as written:',
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more`] : []),
    'All of it is in docs/not-served.md of the project.',
  ];
}

/** What the contract says that the service sends, which it does once a function of `generated/outgoing.ts` is called. */
export function unsentOutgoing({ document, locate }: SourceDocument): UnsupportedFeature[] {
  const table = outgoingTable(document);
  return listOutgoing(document)
    .filter(({ name }) => Object.hasOwn(table, name))
    .map(({ name, path, callback }) => {
      const feature = `the ${callback === undefined ? 'webhook' : 'callback'} ${name}`;
      const to = 'of generated/outgoing.ts, with @specwright/accounts/webhooks';
      const behavior = `nothing sends it yet: call its function ${to}`;
      const construct = `webhooks and callbacks: nothing sends them yet, call the functions ${to}`;
      return { ...locate(path), operationId: callback?.operationId, feature, behavior, construct, isUnreached: false };
    });
}

/** @returns Markdown. The lines are those of the project's spec. */
export function notesInFile(notes: readonly UnsupportedFeature[]): string {
  const rows = groupUnsupported(notes, { whole: true }).map((line) => `- ${line}`.replace(/[<>*_]/g, '\\$&'));
  const found = rows.length > 0 ? 'Everything else is served.' : 'Nothing: everything that the contract says is served.';
  return `${['# What is not served as written', `Found when this project was made. ${found}`, ...(rows.length > 0 ? [rows.join('\n')] : [])].join('\n\n')}\n`;
}
