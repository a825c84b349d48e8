/**
 * Every block of the documentation works: TypeScript is compiled with `strict` and without against the packages as they are published,
 * data is parsed, commands are there. What cannot be tried says why, in a comment above it: `<!-- not run: REASON -->`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { parse } from 'yaml';
import { readBlocks, readCommands, type Block } from '../../support/blocks.ts';
import { DOCUMENTATION_PAGES } from '../../support/documentation-pages.ts';
import { commandProblem } from '../../support/documented-commands.ts';
import { withCommands } from '../../support/projects/commands.ts';
import { makeFolder, MINUTE_MS as MINUTE, run } from '../../support/projects/new-project.ts';
import { copyCheckout } from '../../support/projects/registry.ts';

/** What the code of a page imports from its project (context.yaml). */
interface Context {
  /** Where generated files are: the document that they are made from, a file or text, which the blocks of YAML that are parts of one complete. */
  readonly documents?: Readonly<Record<string, string>>;
  /** Name in the project: a file of this repository, or text. */
  readonly files?: Readonly<Record<string, string>>;
}

const packages = readdirSync('packages', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const PAGES = ['README.md', ...DOCUMENTATION_PAGES, ...packages.map((name) => `packages/${name}/README.md`)];
/** Their blocks are files of one project, and what is typed there: `tutorial.slow.ts` and `applications.slow.ts` of test/gates/projects do all of it. */
const TYPED = ['docs/tutorial.md', 'docs/how-to/nestjs.md'];
const blocks = PAGES.filter((page) => !TYPED.includes(page)).flatMap(readBlocks);
const context = parse(readFileSync('test/gates/blocks/context.yaml', 'utf8')) as Readonly<Record<string, Context>>;

/** Tests that run what is in a page, so that it is not tried here: `curl` against a server, statements in a database. */
const RUN_ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  curl: {
    'README.md': 'test/gates/readme.test.ts',
    'docs/how-to/keys.md': 'test/gates/readme.test.ts',
    'docs/how-to/webhooks.md': 'test/gates/readme.test.ts',
    'docs/how-to/retries.md': 'test/gates/readme.test.ts',
    'docs/how-to/express.md': 'test/gates/projects/applications.slow.ts',
    'packages/server/README.md': 'packages/server/test/readme.test.ts',
  },
  pg_dump: { 'docs/how-to/backup.md': 'test/cli/backup.slow.ts' },
  pg_restore: { 'docs/how-to/backup.md': 'test/cli/backup.slow.ts' },
  sql: { 'docs/how-to/operating.md': 'test/faults/runbook.slow.ts' },
  mermaid: { 'docs/architecture.md': 'test/gates/structure.slow.ts' },
};
/** @returns what is wrong if no test runs it. */
function elsewhere(kind: string, page: string): string | undefined {
  const test = RUN_ELSEWHERE[kind]?.[page];
  if (test === undefined) return `no test runs this ${kind}: \`<!-- not run: REASON -->\` says why`;
  return readFileSync(test, 'utf8').includes(basename(page)) ? undefined : `${test} does not read ${page}`;
}

const attempt = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** How a block of each language is tried. @returns what is wrong. TypeScript is compiled below, all blocks at once. */
const CHECKS: Readonly<Record<string, (block: Block) => Promise<string | undefined> | string | undefined>> = {
  ts: () => undefined,
  js: () => undefined,
  json: ({ text }) => attempt(() => JSON.parse(text)),
  yaml: ({ text }) => attempt(() => parse(text)),
  sql: ({ page }) => elsewhere('sql', page),
  mermaid: ({ page }) => elsewhere('mermaid', page),
  sh: async ({ page, text }) => {
    const commands = readCommands(text);
    const problems = await Promise.all(
      commands.map(async (command) => {
        const [program = ''] = command.words;
        return Object.hasOwn(RUN_ELSEWHERE, program) ? elsewhere(program, page) : commandProblem(command);
      }),
    );
    return commands.length === 0 ? 'no command' : problems.filter((problem) => problem !== undefined).join('; ') || undefined;
  },
};
const problemOf = async (block: Block): Promise<string | undefined> => {
  const check = CHECKS[block.language];
  return check === undefined ? 'this language is not tried: `<!-- not run: REASON -->` says why' : await check(block);
};
const isCode = ({ language, notRun }: Block) => ['ts', 'js'].includes(language) && notRun === undefined;
const where = ({ page, line, language }: Block) => `${page}:${line} (${language === '' ? 'no language' : language})`;

test('each block can be tried, or says why it is not', async () => {
  const problems: string[] = [];
  for (const block of blocks) {
    const problem = block.notRun === undefined ? await problemOf(block) : block.notRun === '' ? 'not run, without a reason' : undefined;
    if (problem !== undefined) problems.push(`${where(block)}: ${problem}`);
  }
  expect(problems).toEqual([]);
  const skipped = blocks.filter(({ notRun }) => notRun !== undefined);
  console.log(
    [
      `blocks: ${blocks.length}, run ${blocks.length - skipped.length}, not run ${skipped.length}`,
      ...skipped.map((block) => `  ${where(block)}: ${block.notRun ?? ''}`),
    ].join('\n'),
  );
});

describe('code of TypeScript and JavaScript', () => {
  const command = withCommands();
  let folder: string;
  beforeAll(async () => {
    folder = join(await makeFolder(), 'checkout');
    await copyCheckout(folder);
    const projects = ['accounts', 'specwright'].map((name) => `packages/${name}/tsconfig.build.json`);
    const built = await run(process.execPath, [resolve('node_modules/typescript-native/bin/tsc'), '-b', ...projects], folder);
    if (built.code !== 0) throw new Error(built.output);
    for (const [page, given] of Object.entries(context)) await writeContext(page, given);
    for (const block of blocks.filter(isCode)) await write(codePath(block), codeOf(block).text);
  }, 5 * MINUTE);
  afterAll(() => removeFolder(dirname(folder)));

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const pageFolder = (page: string) => join('pages', page.replaceAll(/\W+/g, '-'));
  const codePath = ({ page, line, file, language }: Block) =>
    join(pageFolder(page), language === 'ts' ? (file ?? `line-${line}.ts`) : `line-${line}.${language}`);

  /** The module of a block. All that it imports of its project is in the folder of the page. */
  function codeOf({ text, given, within: [before, after] }: Block): { text: string; linesAbove: number } {
    const above = `export {};\n${given}\n${before}\n`;
    const code = `${above}${text}${after}\n`.replaceAll(/(from|import\() ?'\.\.?\/(?:\.\.\/)*/g, "$1 './");
    return { text: code, linesAbove: above.split('\n').length - 1 };
  }

  async function writeContext(page: string, { documents = {}, files = {} }: Context): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const path = join(pageFolder(page), name);
      await write(path, text);
      if (!text.includes('\n')) await copyFile(text, join(folder, path));
    }
    for (const [name, document] of Object.entries(documents)) {
      const out = join(pageFolder(page), name);
      const isText = document.includes('\n');
      const whole = parse(isText ? document : readFileSync(document, 'utf8')) as Tree;
      await write(join(out, 'spec.json'), JSON.stringify(isText ? complete(whole, page) : whole));
      // `generate` writes a client where there is one.
      await write(join(out, 'client.ts'), '');
      const { code, output } = await command(folder, 'generate', '--spec', join(out, 'spec.json'), '--out', out);
      if (code !== 0) throw new Error(`${page}: ${output}`);
    }
  }

  type Tree = Record<string, unknown>;
  /** Adds the operations and schemas that a page shows. */
  function complete(document: Tree, page: string): Tree {
    const shown = blocks.filter(({ page: name, language }) => name === page && language === 'yaml').map(({ text }) => parse(text) as Tree);
    const parts = shown.map((tree) => (Object.keys(tree).every((key) => key.startsWith('/')) ? { paths: tree } : tree));
    return parts.filter((tree) => 'paths' in tree).reduce(merge, document);
  }
  function merge(into: Tree, more: Tree): Tree {
    const parts = Object.entries(more).map(([key, value]): [string, unknown] => {
      const known = into[key];
      return [key, isTree(known) && isTree(value) ? merge(known, value) : value];
    });
    return { ...into, ...Object.fromEntries(parts) };
  }
  const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

  test.each([true, false])(
    'TypeScript compiles against the declarations of the packages, strict: %s',
    async (strict) => {
      const code = blocks.filter(isCode);
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2023'],
        module: 'nodenext',
        types: ['node'],
        strict,
        allowImportingTsExtensions: true,
        allowJs: true,
        checkJs: true,
        skipLibCheck: true,
        noEmit: true,
      };
      const name = `tsconfig.pages-${String(strict)}.json`;
      await write(name, JSON.stringify({ compilerOptions, files: code.map(codePath) }));
      const { output } = await run(
        process.execPath,
        [resolve('node_modules/typescript-native/bin/tsc'), '-p', name, '--pretty', 'false'],
        folder,
      );
      const errors = output.split('\n').filter((line) => /error TS\d+/.test(line));
      const named = errors.map((line) => {
        const [, path = '', number = '', message = ''] = /^(.*)\((\d+),\d+\): error (.*)$/.exec(line) ?? [];
        const block = code.find((one) => codePath(one) === path);
        return block === undefined ? line : `${block.page}:${block.line + Number(number) - codeOf(block).linesAbove}: ${message}`;
      });
      expect(named).toEqual([]);
    },
    2 * MINUTE,
  );
});
