/** The table of edits: each is tried in a real development loop, and what this says of it becomes a row of bench/results/edits.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { DONE, startDev } from '../test/support/projects/dev.ts';
import { EDITS } from '../test/support/edits/edits.ts';
import { SITUATIONS } from '../test/support/edits/loop-situations.ts';
import { copyProject } from '../test/support/projects/project.ts';
import { tryEdit, type EditResult } from '../test/support/edits/try-edits.ts';

const FILE = 'bench/results/edits.md';
const MAX_CELL = 130;

export const help = `npm run bench -- edits [--write] [--only TEXT]

Tries each edit of test/support/edits/edits.ts in a development loop, and what happens around it. Fails if one turns something else red than it says.

  --write      writes their rows of ${FILE}
  --only TEXT  only edits whose description has the text; several are separated by |`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { write: { type: 'boolean' }, only: { type: 'string' } } });
  const texts = (values.only ?? '').split('|');
  const isMeant = ({ what }: { readonly what: string }) => texts.some((text) => what.includes(text));
  const results: EditResult[] = [];
  const add = async (result: EditResult) => {
    results.push(result);
    // A run that ends early has a page too.
    if (values.write) await writeFile(FILE, page(await readFile(FILE, 'utf8'), results));
    const { what, red, ms, mistake } = result;
    console.log(`${mistake === undefined ? 'ok ' : 'BAD'} ${red.padEnd(9)}${String(ms).padStart(6)} ms  ${what}`);
    if (mistake !== undefined) console.log(mistake);
  };
  const project = await copyProject();
  try {
    const edits = EDITS.filter(isMeant);
    if (edits.length > 0) {
      const dev = startDev(project, [], { LOG_LEVEL: 'silent' });
      try {
        await dev.after(async () => undefined, DONE);
        for (const edit of edits) await add(await tryEdit(project, dev, edit));
      } finally {
        await dev.interrupt();
      }
    }
    for (const situation of SITUATIONS.filter(isMeant)) await add(await situation.run(project));
  } finally {
    await project.remove();
  }
  const mistakes = results.filter(({ mistake }) => mistake !== undefined).length;
  console.log(`${results.length} edits, ${mistakes} not as expected`);
  return mistakes === 0 ? 0 : 1;
}

const cell = (text: string) => {
  const short = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
  return short.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('{', '&#123;');
};

/** The page with the rows of this run in the place of older ones. */
function page(before: string, results: readonly EditResult[]): string {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  const rows = new Map(
    before.split('\n').flatMap((line) => {
      const [, number, what = '', ...cells] = line.split(/(?<!\\)\|/).map((text) => text.trim());
      return /^\d+$/.test(number ?? '') ? [[what, cells.slice(0, 4).join(' | ')] as const] : [];
    }),
  );
  for (const { what, red, problem, ms, next } of results)
    rows.set(cell(what), [red, (ms / 1000).toFixed(1), cell(red === 'green' ? '' : problem), cell(next)].join(' | '));
  const names = [...EDITS, ...SITUATIONS].map(({ what }) => cell(what)).filter((what) => rows.has(what));
  return `# What the development loop says of an edit

Made by \`npm run bench -- edits --write\` from \`test/support/edits/edits.ts\` and \`test/support/edits/loop-situations.ts\`: each edit is saved in a copy of this
project with \`npm run dev\` running, and taken back; each row is of the last run that tried it. "Red" is the first part of the loop's output
with a problem, "after" the time from the save until it is shown, or until everything is where all is good. Node ${process.version},
${cpus().length} processors, load ${load} at the end of the last run.

| # | what a person does | red | after, s | where and what | next step |
| --- | --- | --- | --- | --- | --- |
${names.map((what, i) => `| ${i + 1} | ${what} | ${rows.get(what) ?? ''} |`).join('\n')}
`;
}
