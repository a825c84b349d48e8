/** Composes the files of a new project: the template, filled in for one contract. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { listUnsupported, operationTable, type SourceDocument, type UnsupportedFeature } from '@specwright/server';
import { generate } from '../generate/generate.ts';
import { oneLine } from '../stubs/comments.ts';
import { propertyName } from '../stubs/names.ts';
import { recordSchemas } from '../schema/compare-schemas.ts';
import { notesInFile } from './notes.ts';
import type { Tarball } from './tarballs.ts';

export const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));

/** Path from the project's root, with `/` -> content. */
export type Files = Map<string, string | Buffer>;

export interface ProjectOptions {
  /** Its contract, which has passed `checkDocument`. */
  readonly source: SourceDocument;
  /** As npm has it: lower case, digits and dashes. */
  readonly name: string;
  /** What it depends on: for `vendor/`. */
  readonly tarballs: readonly Tarball[];
}

export interface NewProject {
  readonly files: Files;
  /** What the contract has that is not served as it is written. */
  readonly unsupported: readonly UnsupportedFeature[];
  readonly schemes: readonly string[];
}

/** What is the template's own: its contract, and what is made from that. */
const OWN = /^(generated\/|src\/handlers\/(?!index\.ts$)|node_modules\/|package-lock\.json$|\.(data|cache)\/)/;
/** npm leaves these out of a tarball under their own names. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore', npmrc: '.npmrc' };

const NO_HANDLERS = `/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { Database } from '@specwright/postgres';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';

export function createHandlers(db: Database): Handlers<Caller> {
  return {};
}
`;

/** Everything that a project consists of before its handlers are added and anything is installed. */
export async function composeProject({ source, name, tarballs }: ProjectOptions): Promise<NewProject> {
  const { document } = source;
  const title = oneLine(document.info.title);
  const unsupported = listUnsupported(source);
  const schemes = [...new Set(Object.values(operationTable(document)).flatMap(({ security }) => security.flat()))];
  const serviceName = databaseName(name);

  const files: Files = new Map();
  for (const path of templateFiles()) {
    const text = readFileSync(join(TEMPLATE, path), 'utf8');
    // A plain word in the template, which is a project itself; the name has letters, digits and underscores only.
    files.set(
      RENAMED[path] ?? path,
      text.replaceAll('template_service', () => serviceName),
    );
  }
  const edit = (path: string, change: (text: string) => string) => files.set(path, change(String(files.get(path))));
  const replace = (path: string, line: string, by: string) => edit(path, (text) => replaceLine(path, text, line, by));

  edit('package.json', (text) => manifest(text, { name, title, tarballs }));
  replace('README.md', '# Template service', `# ${title.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')}`);
  replace(
    'src/security.ts',
    '  templateKey: unimplementedScheme,',
    schemes.map((scheme) => `  ${propertyName(scheme)}: unimplementedScheme,`).join('\n'),
  );
  if (schemes.length === 0) replace('src/security.ts', "import { unimplementedScheme } from '@specwright/server';", '');
  edit('.config/schema-map.yaml', (text) => withoutTables(text, recordSchemas(source)));

  files.set('spec/openapi.yaml', source.source);
  files.set('docs/not-served.md', notesInFile(unsupported));
  files.set('src/handlers/index.ts', NO_HANDLERS);
  for (const [path, text] of await generate(source)) files.set(`generated/${path}`, text);
  for (const { file } of tarballs) files.set(`vendor/${basename(file)}`, readFileSync(file));
  return { files, unsupported, schemes };
}

/** The files of the template that a project gets. */
function templateFiles(): string[] {
  const paths = readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return paths.filter((path) => !OWN.test(path) && statSync(join(TEMPLATE, path)).isFile()).sort();
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
  devDependencies: Record<string, string>;
  specwright: object;
}

function manifest(text: string, { name, title, tarballs }: Pick<ProjectOptions, 'name' | 'tarballs'> & { title: string }): string {
  const template = JSON.parse(text) as Manifest;
  const vendored = Object.fromEntries(tarballs.map((tarball) => [tarball.name, `file:vendor/${basename(tarball.file)}`]));
  const vendor = (versions: Record<string, string>) =>
    Object.fromEntries(Object.entries(versions).map(([dependency, version]) => [dependency, vendored[dependency] ?? version]));
  const filled = {
    ...template,
    name,
    description: title,
    dependencies: vendor(template.dependencies),
    devDependencies: vendor(template.devDependencies),
  };
  return `${JSON.stringify(filled, null, 2)}\n`;
}

/** A name that PostgreSQL, a shell and YAML take as it is. */
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
