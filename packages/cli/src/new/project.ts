/** Composes a new project: the machinery, the template filled in for one contract, and what of the contract is not served. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { operationTable, listUnsupported, type UnsupportedFeature, type SourceDocument } from '@specwright/server';
import { recordSchemas } from '../schema/compare-schemas.ts';
import { emitTableTypes } from '../schema/table-types.ts';
import { errorBodyOf } from './error-body.ts';
import { filesIn, machinery, type Files } from './files.ts';
import { notesInFile } from './notes.ts';
import { isLocked, lockOf, manifestOf, type Lock, type Manifest } from './packages.ts';
import { propertyName } from '../stubs/names.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TEMPLATE = join(ROOT, 'scripts/new/template');

export interface ProjectOptions {
  /** Its contract, which has passed `checkDocument`. */
  readonly source: SourceDocument;
  /** As npm has it: lower case, digits and dashes. */
  readonly name: string;
}

export interface NewProject {
  readonly files: Files;
  /** What the contract has that is not served as it is written. */
  readonly notes: readonly UnsupportedFeature[];
  readonly schemes: readonly string[];
}

/** Everything that a project consists of before anything is installed or generated. */
export function composeProject({ source, name }: ProjectOptions): NewProject {
  const { document } = source;
  const title = oneLine(document.info.title);
  const notes = listUnsupported(source);
  const schemes = [...new Set(Object.values(operationTable(document)).flatMap(({ security }) => security.flat()))];
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

  const { type, expression } = errorBodyOf(document);
  const fill = (text: string) =>
    withOrWithout('limits', document['x-rate-limit-plans'] !== undefined, text)
      .replaceAll('__NAME__', databaseName(name))
      .replaceAll('__TITLE__', title)
      .replaceAll('__ERROR_TYPE__', type)
      .replaceAll('__ERROR_BODY__', () => (expression.startsWith('{') ? `(${expression})` : expression))
      .replaceAll('__SECURITY_IMPORTS__', schemes.length > 0 ? 'unimplementedScheme, ' : '')
      .replaceAll('__SECURITY__', schemes.map((scheme) => `  ${propertyName(scheme)}: unimplementedScheme,`).join('\n'))
      .replace('__SCHEMAS__', () => withoutTables(recordSchemas(source)))
      .replaceAll(
        '__NOT_SERVED__',
        notes.length > 0 ? 'Some of what the contract says is not served as it is written: [docs/not-served.md](docs/not-served.md).' : '',
      );
  const template: Files = new Map();
  for (const path of filesIn(TEMPLATE)) template.set(path.replace(/\.tmpl$/, ''), fill(readFileSync(join(TEMPLATE, path), 'utf8')));
  const files: Files = new Map([...machinery(ROOT, template), ...template]);
  files.set('generated/database.ts', emitTableTypes([]));
  if (notes.length > 0) files.set('docs/not-served.md', notesInFile(notes));

  const manifest = manifestOf(own, textsOf(ROOT), files, name, title);
  const locks = ['package-lock.json', 'scripts/new/lock.json'].map((file) => join(ROOT, file)).find((file) => existsSync(file));
  if (locks !== undefined) {
    const lock = lockOf(JSON.parse(readFileSync(locks, 'utf8')) as Lock, manifest);
    manifest.allowScripts = Object.fromEntries(Object.entries(manifest.allowScripts).filter(([dependency]) => isLocked(lock, dependency)));
    files.set('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  }
  files.set('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  files.set(
    'README.md',
    (files.get('README.md') ?? '').replace('__COMMANDS__', () => commands(manifest)),
  );
  files.set('.ci/run', gates(files.get('.ci/run') ?? '', manifest));
  files.set('spec/openapi.yaml', source.source);
  for (const path of files.keys()) {
    if (path.startsWith('.github/')) files.set(path, workflow(files.get(path) ?? '', manifest));
    if (/\.(ts|js|cjs|mjs|yaml|md)$/.test(path) && path !== 'spec/openapi.yaml')
      // Comments of the machinery name this project's own contract.
      files.set(path, (files.get(path) ?? '').replaceAll('spec/petstore.yaml', 'spec/openapi.yaml'));
  }
  return { files, notes, schemes };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The lines between `// <name>` and `// </name>`, or not; the marks never. */
function withOrWithout(name: string, keep: boolean, text: string): string {
  const block = new RegExp(`^ *// <${name}>\\n([^]*?)^ *// </${name}>\\n`, 'gm');
  return text.replace(block, (_, lines: string) => (keep ? lines : ''));
}

/** A name that PostgreSQL, a shell and YAML take as it is. */
const databaseName = (name: string) => name.replace(/[^a-z0-9]+/g, '_').replace(/^(?=\d)/, 'api_');

/** What .config/schema-map.yaml says of schemas while there are no tables. */
const withoutTables = (schemas: readonly string[]) =>
  stringify(Object.fromEntries(schemas.map((name) => [name, 'No table holds it yet.'])), { lineWidth: 0 })
    .trimEnd()
    .replace(/^/gm, '    ');

/** The texts in which a package would be named, if this checkout itself uses it. */
function* textsOf(root: string): Generator<string> {
  for (const folder of ['src', 'scripts', 'test', 'bench', '.config']) {
    if (!existsSync(join(root, folder))) continue;
    for (const path of filesIn(root, folder)) if (/\.([cm]?[jt]s|tmpl)$/.test(path)) yield readFileSync(join(root, path), 'utf8');
  }
}

const WHAT: Readonly<Record<string, string>> = {
  start: 'Starts the server',
  dev: 'Serves, watches spec and sources, and says at each save what to mend first',
  migrate: 'Brings the database at `DATABASE_URL`, or the embedded one, to this schema',
  generate: 'Writes `generated/` from the spec; `-- --check` only compares',
  'add-operation': 'A stub and a failing test for each operation without a handler; names what is dead',
  bundle: 'One YAML file of an OpenAPI document that is JSON or split by `$ref`: `-- FILE --out FILE`',
  schema: 'Writes `src/db/schema.sql` and `generated/database.ts` from the migrations; `-- --check` only compares',
  'check-schema': 'Holds the database against the schemas of the spec',
  'check-breaking': 'What in the spec breaks clients of the main branch; `-- --base REF` or `FILE` compares with another',
  typecheck: 'The compiler',
  lint: 'ESLint and Prettier',
  'lint:spec': 'Redocly, Spectral and the rules of this project on the spec',
  'lint:baseline': 'Switches off the lint rules that the spec breaks today',
  boundaries: 'Which part may import which',
  format: 'Prettier writes',
  test: 'The tests, on a PostgreSQL of their own',
};

const commands = ({ scripts }: Manifest) =>
  Object.keys(scripts)
    .filter((script) => WHAT[script] !== undefined)
    .map((script) => `| \`npm ${['start', 'test'].includes(script) ? '' : 'run '}${script}\` | ${WHAT[script] ?? ''} |`)
    .join('\n');

/** The gates whose scripts the project has. */
const gates = (text: string, { scripts }: Manifest) =>
  text
    .split('\n')
    .filter((line) => {
      const script = /^gate .*npm run ([\w:-]+)/.exec(line)?.[1];
      return script === undefined || script in scripts;
    })
    .join('\n');

/** Python is for the fuzz run alone. */
const workflow = (text: string, { scripts }: Manifest) =>
  'test:fuzz' in scripts
    ? text
    : text.replace(/^ *# For the fuzz run\.\n/m, '').replace(/^ *- uses: actions\/setup-python.*\n( {8,}.*\n)*/m, '');
