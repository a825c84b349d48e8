/**
 * `npm run ts -- scripts/llms.ts` writes what agents read (llmstxt.org): llms.txt, an index of the pages; llms-full.txt, each public export with its
 * declaration and an example; and the tables of options in the pages. `--check` fails if one of them is not current.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type ts from 'typescript';
import { findExamples } from './api/examples.ts';
import { writeOptionTables } from './api/options.ts';
import { Api, entriesOf, manifestOf, PACKAGES, read, ROOT, type ApiExport } from './api/program.ts';

const SITE = 'https://github.com/specwright/specwright/blob/main';
const RAW = 'https://raw.githubusercontent.com/specwright/specwright/main';
/** Pages that are a part of llms-full.txt: what a program has to know beside the exports. */
const WHOLE_PAGES = [
  'docs/how-to/your-spec.md',
  'packages/specwright/template/README.md',
  ...['changing-the-spec', 'database', 'identity', 'uploads', 'streams', 'webhooks'].map((name) => `docs/how-to/${name}.md`),
  ...['commands', 'extensions', 'configuration'].map((name) => `docs/reference/${name}.md`),
];
const SKILL = 'packages/specwright/skills/specwright/SKILL.md';

const summary = (): string => (/^# .*\n+([^]*?)\n\n/.exec(read('README.md'))?.[1] ?? '').replaceAll('\n', ' ');

/** llms.txt: the shelves of docs/README.md with absolute links. */
export function indexText(): string {
  const shelves = read('docs/README.md').replace(/^# .*\n+[^]*?\n\n/, '').replace(/\n## How-to: begin[^]*?(?=\n## )/, (shelf) => shelf.replace(/\nWith a warm cache[^]*$/, '')); // prettier-ignore
  const absolute = shelves.replaceAll(/\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)/g, (_link, path: string, anchor = '') => {
    return `](${new URL(path, `${RAW}/docs/`).href}${String(anchor)})`;
  });
  return `${[
    '# Specwright',
    `> ${summary()}`,
    [
      `- [llms-full.txt](${RAW}/llms-full.txt): each public export with its declaration and an example, options with types and defaults, commands. Also in \`node_modules/specwright/dist\`, with the pages in \`docs/\``,
      `- [SKILL.md](${RAW}/${SKILL}): how to change an API that it serves, step by step`,
    ].join('\n'),
    absolute.trim(),
  ].join('\n\n')}\n`;
}

/** llms-full.txt. */
export function fullText(modules: ReadonlyMap<string, readonly ApiExport[]>, examples: ReadonlyMap<ts.Symbol, string>): string {
  const pages = WHOLE_PAGES.map((page) => withAbsoluteLinks(read(page), page).replaceAll(/^(#+) /gm, '$1# '));
  const packages = PACKAGES.flatMap((name) => [
    `## ${manifestOf(name).name}`,
    manifestOf(name).description,
    ...entriesOf(name).flatMap(({ specifier }) => [`### ${specifier}`, ...moduleText(modules.get(specifier) ?? [], examples)]),
  ]);
  return `${[
    '# Specwright',
    `> ${summary()}`,
    `The index of all pages is [llms.txt](${RAW}/llms.txt).`,
    `## Change an API\n\n${read(SKILL).replace(/^---[^]*?---\n+# .*\n+/, '').replaceAll(/^(#+) /gm, '#$1 ').trim()}`, // prettier-ignore
    ...pages.map((page) => page.trim()),
    '# Public exports',
    'By package and module, each with its declaration and an example. `generated/contract.ts` of a project has the types of its contract under short names: `Handlers`, `Input<Op>`, `Reply<Op>`.',
    ...packages,
  ].join('\n\n')}\n`;
}

function moduleText(exported: readonly ApiExport[], examples: ReadonlyMap<ts.Symbol, string>): string[] {
  const again = new Map<string, string[]>();
  for (const { name, first } of exported) if (first !== undefined) again.set(first, [...(again.get(first) ?? []), name]);
  const own = exported.filter(({ first }) => first === undefined);
  return [
    ...[...again].map(([specifier, names]) => `Also, as of ${specifier}: ${names.map((name) => `\`${name}\``).join(', ')}`),
    ...own.map(({ name, declaration, symbol }) => {
      const example = examples.get(symbol);
      return `#### ${name}\n\n\`\`\`ts\n${declaration}${example === undefined ? '' : `\n\n// Example:\n${example}`}\n\`\`\``;
    }),
  ];
}

const withAbsoluteLinks = (page: string, path: string): string =>
  page.replaceAll(/\]\((?!https?:)([^)\s]+)\)/g, (_link, target: string) => `](${new URL(target, `${SITE}/${path}`).href})`);

/** What each file should be. */
export async function currentFiles(): Promise<Map<string, string>> {
  const api = new Api();
  const modules = api.listExports();
  const files = new Map([
    ['llms.txt', indexText()],
    ['llms-full.txt', fullText(modules, findExamples(api, modules))],
  ]);
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const path of pages.map((name) => `docs/${name}`)) {
    const text = writeOptionTables(read(path), api, modules);
    if (text !== read(path)) files.set(path, await format(text, { ...(await resolveConfig(join(ROOT, path))), filepath: path }));
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of await currentFiles()) {
    const file = join(ROOT, path);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${path} is not current: npm run ts -- scripts/llms.ts`);
      process.exitCode = 1;
    }
  }
}
