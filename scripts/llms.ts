/**
 * `npm run ts -- scripts/llms.ts` writes llms.txt (llmstxt.org): what the project is, its pages, and each public export with the first sentence of its
 * description. `npm run ts -- scripts/llms.ts --check` fails if it is not current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = join(ROOT, 'llms.txt');
export const PACKAGES = ['contract', 'server', 'postgres', 'accounts', 'embedded-postgres', 'openapi-compare', 'specwright'];
/** What a description may take of a line. */
const MAX_SENTENCE = 160;

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly '@specwright/source'?: string }>>;
}

interface Entry {
  readonly specifier: string;
  readonly source: string;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifestOf = (name: string): Manifest => JSON.parse(read(`packages/${name}/package.json`)) as Manifest;

/** The modules that a package exports, with their sources. */
export const entriesOf = (name: string): Entry[] => {
  const manifest = manifestOf(name);
  return Object.entries(manifest.exports).flatMap(([path, entry]) => {
    const source = typeof entry === 'string' ? undefined : entry['@specwright/source'];
    return source === undefined ? [] : [{ specifier: manifest.name + path.slice(1), source: join(ROOT, 'packages', name, source) }];
  });
};

export function llmsText(): string {
  const entries = PACKAGES.map((name) => ({ name, entries: entriesOf(name) }));
  const program = ts.createProgram(
    entries.flatMap((one) => one.entries.map(({ source }) => source)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      allowImportingTsExtensions: true,
      customConditions: ['@specwright/source'],
      noEmit: true,
      noCheck: true,
      skipLibCheck: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const sections = entries.flatMap(({ name, entries: modules }) => [
    `## ${manifestOf(name).name}`,
    manifestOf(name).description,
    ...modules.flatMap(({ specifier, source }) => [`### ${specifier}`, listExports(program, checker, source).join('\n')]),
  ]);
  return `${[...introduction(), ...sections].join('\n\n')}\n`;
}

function introduction(): string[] {
  const [, summary = ''] = /^# .*\n+([^]*?)\n\n/.exec(read('README.md')) ?? [];
  const pages = [...read('docs/README.md').matchAll(/\[([^\]]+)\]\(((?!\.\.)[\w/-]+\.md)\)/g)].map(
    ([, title = '', file = '']) => `- [${title}](docs/${file})`,
  );
  return [
    '# Specwright',
    `> ${summary.replaceAll('\n', ' ')}`,
    'How to change an API that it serves: packages/specwright/skills/specwright/SKILL.md, which `node_modules/specwright` has too.',
    '## Pages',
    [...new Set(pages)].join('\n'),
    'The following sections list the public exports of each package.',
  ];
}

function listExports(program: ts.Program, checker: ts.TypeChecker, source: string): string[] {
  const file = program.getSourceFile(source);
  const symbol = file && checker.getSymbolAtLocation(file);
  if (symbol === undefined) throw new Error(`${source} exports nothing`);
  const lines = checker.getExportsOfModule(symbol).map((exported) => {
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const text = ts.displayPartsToString(target.getDocumentationComment(checker));
    const sentence = firstSentence(text);
    return `- ${exported.name}${sentence === '' ? '' : `: ${sentence}`}`;
  });
  return lines.sort();
}

function firstSentence(text: string): string {
  const [first = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /);
  return first.length <= MAX_SENTENCE ? first : `${first.slice(0, first.lastIndexOf(' ', MAX_SENTENCE))} ...`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = llmsText();
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
    console.error('llms.txt is not current: npm run ts -- scripts/llms.ts');
    process.exitCode = 1;
  }
}
