/**
 * The structure of the packages, read from their sources: `node scripts/structure.mjs` writes the drawing of
 * docs/architecture.md, `node scripts/structure.mjs --check` fails if it is of another structure.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/architecture.md');
/** From the top of the house to its ground: an arrow leads to a package that comes later. */
export const PACKAGES = ['specwright', 'accounts', 'postgres', 'embedded-postgres', 'server', 'openapi-compare', 'contract'];

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const sourcesOf = (name) =>
  readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `packages/${name}/src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort();

/** `@specwright/server/jwt` -> its source. */
const entries = new Map(
  PACKAGES.flatMap((name) => {
    const { name: packageName, exports } = JSON.parse(read(`packages/${name}/package.json`));
    return Object.entries(exports).flatMap(([path, entry]) =>
      entry['@specwright/source'] === undefined
        ? []
        : [[packageName + path.slice(1), normalize(`packages/${name}/${entry['@specwright/source']}`)]],
    );
  }),
);

/** The files of ours that a file imports, and whether for types alone. Dynamic imports are not among them. */
function importsOf(path) {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const specifier = (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier;
    if (!specifier) return [];
    const isType = ts.isImportDeclaration(statement) ? statement.importClause?.isTypeOnly === true : statement.isTypeOnly;
    const target = specifier.text.startsWith('.') ? normalize(join(dirname(path), specifier.text)) : entries.get(specifier.text);
    return target !== undefined && existsSync(join(ROOT, target)) ? [{ target, isType }] : [];
  });
}

/** `packages/server/src/pipeline/body/x.ts` -> `pipeline`; a file of `src` itself is its own. */
const roomOf = (path) => path.split('/')[3];
const packageOf = (path) => path.split('/')[1];

/** The arrows between the folders of a package: `from -> to`, types included. */
export function arrowsIn(name) {
  const arrows = new Set();
  for (const path of sourcesOf(name))
    for (const { target } of importsOf(path))
      if (packageOf(target) === name && isFolder(path) && isFolder(target) && roomOf(target) !== roomOf(path))
        arrows.add(`${roomOf(path)} --> ${roomOf(target)}`);
  return [...arrows].sort();
}
const isFolder = (path) => path.split('/').length > 4;

/** The arrows between packages. */
export const arrowsBetween = () =>
  [
    ...new Set(
      PACKAGES.flatMap((name) =>
        sourcesOf(name).flatMap((path) =>
          importsOf(path).flatMap(({ target }) => (packageOf(target) === name ? [] : [`${name} --> ${packageOf(target)}`])),
        ),
      ),
    ),
  ].sort();

const mermaid = (lines) =>
  ['```mermaid', 'flowchart TD', ...lines.map((line) => `  ${line.replaceAll('embedded-postgres', 'embedded')}`), '```'].join('\n');

/** The page with its drawing. */
function written(page) {
  const [start, end] = ['<!-- structure: rooms -->', '<!-- end -->'];
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`docs/architecture.md has no section ${start} ... ${end}: add it`);
  return `${page.slice(0, from)}${start}\n\n${mermaid(arrowsBetween())}\n\n${page.slice(to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(PAGE, 'utf8');
  if (process.argv.includes('--check')) {
    if (written(page) !== page) {
      console.error('docs/architecture.md draws another structure than the sources have: node scripts/structure.mjs');
      process.exit(1);
    }
  } else {
    const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
    writeFileSync(PAGE, await format(written(page), options));
  }
}
