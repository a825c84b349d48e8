/** docs/tutorial.md, typed step by step in an empty folder: its files, its commands, and what they print. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeFolder, until } from 'specwright/testing';
import { readBlocks, type Block } from '../../support/blocks.ts';
import { makeFolder, MINUTE_MS as MINUTE, run } from '../../support/projects/new-project.ts';
import { withBackground } from '../../support/projects/readme-example.ts';

const PAGE = 'docs/tutorial.md';
const CHECKOUT = resolve('.');
/** The commands that go on while the next ones call them. */
const SERVER = 'npx tsx test/support/serve.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

test(
  'each step prints what the page says',
  async () => {
    const page = (await readFile(PAGE, 'utf8')).split('\n');
    const blocks = readBlocks(PAGE);
    const additions = readAdditions(page);
    for (const [i, block] of blocks.entries()) {
      while (additions[0] !== undefined && additions[0].line < block.line) await addBelow(additions.shift());
      if (block.file !== undefined) await writeBlock(block, page);
      else if (block.language === 'sh' && !block.text.startsWith('curl')) await follow(block, blocks.slice(i + 1));
    }
    expect(blocks.filter(({ language }) => language === 'text').length).toBeGreaterThanOrEqual(7);
    expect(additions).toEqual([]);
  },
  30 * MINUTE,
);

/** The first step is in the folder itself, the others in the project that the second one makes. */
const placeOf = (file: string) => join(folder, file === 'books.yaml' ? '' : 'service', file);

async function writeBlock({ file = '', text, line }: Block, page: readonly string[]): Promise<void> {
  const path = placeOf(file);
  const above = page.slice(0, line - 1).findLast((one) => one !== '') ?? '';
  await mkdir(dirname(path), { recursive: true });
  if (!above.includes(`last line of \`${file}\``)) return writeFile(path, text);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  await writeFile(path, `${lines.slice(0, -1).join('\n')}\n${text}`);
}

/** A row of a table: a line that is added to a file. */
interface Addition {
  readonly line: number;
  readonly file: string;
  readonly above: string;
  readonly added: string;
}

const readAdditions = (page: readonly string[]): Addition[] =>
  page.flatMap((row, i) => {
    const [, file = '', above = '', added] = /^\| `([^`]+)` +\| `([^`]+)` +\| `([^`]+)` +\|$/.exec(row) ?? [];
    return added === undefined ? [] : [{ line: i + 1, file, above, added }];
  });

async function addBelow(addition: Addition | undefined): Promise<void> {
  if (addition === undefined) return;
  const { file, above, added } = addition;
  const lines = (await readFile(placeOf(file), 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(above));
  if (at === -1) throw new Error(`${file} has no line with ${above}`);
  const [indent = ''] = /^ */.exec(lines[at] ?? '') ?? [];
  await writeFile(placeOf(file), lines.toSpliced(at + 1, 0, above.endsWith('{') ? `${indent}  ${added}` : indent + added).join('\n'));
}

/** Runs the commands of a block, and those of the next ones while a server that it starts goes on. */
async function follow({ text }: Block, [next, ...rest]: readonly Block[]): Promise<void> {
  const command = text.trimEnd();
  if (command !== SERVER) {
    const { code, output } = await typed(command);
    if ((code === 0) === command.endsWith('# fails')) throw new Error(`${command} ended with ${String(code)}:\n${output}`);
    if (next?.language === 'text') expectPrinted(next, output);
    return;
  }
  if (next?.language !== 'sh') throw new Error(`nothing calls ${command}`);
  const { PATH = '', HOME = '' } = process.env;
  await withBackground(command, { folder: join(folder, 'service'), env: { PATH, HOME } }, async (url, port) => {
    await until(async () => (await fetch(`${url}/readyz`)).ok, MINUTE);
    const { output } = await typed(next.text.replaceAll('localhost:3000', `127.0.0.1:${port}`));
    expectPrinted(rest[0], output);
  });
}

/** In a checkout beside the folder, if it makes the project. */
function typed(command: string) {
  const isNew = command.includes('../books/');
  // A curl that prints no end of a line is followed by the next one.
  const lines = command.replaceAll('../books/', `'${folder}'/`).replaceAll(/^curl .*$/gm, '$&; echo');
  return run('bash', ['-c', lines], isNew ? CHECKOUT : join(folder, 'service'));
}

/** Each line is printed, after the one above it; `...` is any text. */
function expectPrinted(block: Block | undefined, output: string): void {
  if (block?.language !== 'text') throw new Error('what is printed is not in the page');
  const printed = output.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  let from = 0;
  for (const line of block.text.trimEnd().split('\n')) {
    const pattern = new RegExp(`^${line.split('...').map(escape).join('.*')}$`);
    const at = printed.findIndex((text, i) => i >= from && pattern.test(text));
    if (at === -1) throw new Error(`${PAGE}:${block.line}: "${line}" is not printed, after line ${from} of:\n${output}`);
    from = at + 1;
  }
}

const escape = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
