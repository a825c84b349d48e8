/** The table of edits: each is tried in a real development loop, and what this says of it becomes a row of docs/edits.md. */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { DONE, startDev } from '../test/support/dev.ts';
import { EDITS } from '../test/support/edits.ts';
import { copyProject } from '../test/support/project.ts';
import { tryEdit, type EditResult } from '../test/support/try-edits.ts';

const FILE = 'docs/edits.md';
const MAX_CELL = 130;

export const help = `npm run bench -- edits [--write] [--only TEXT]

Tries each edit of test/support/edits.ts in a development loop. Fails if one turns something else red than it says.

  --write      writes ${FILE}
  --only TEXT  only edits whose description has the text`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { write: { type: 'boolean' }, only: { type: 'string' } } });
  const edits = EDITS.filter(({ what }) => what.includes(values.only ?? ''));
  const project = await copyProject();
  const dev = startDev(project, [], { LOG_LEVEL: 'silent' });
  const results: EditResult[] = [];
  try {
    await dev.after(async () => undefined, DONE);
    for (const edit of edits) {
      const result = await tryEdit(project, dev, edit);
      results.push(result);
      // A run that ends early has a page too.
      if (values.write) await writeFile(FILE, page(results));
      console.log(
        `${result.mistake === undefined ? 'ok ' : 'BAD'} ${result.red.padEnd(9)}${String(result.ms).padStart(6)} ms  ${edit.what}`,
      );
      if (result.mistake !== undefined) console.log(result.mistake);
    }
  } finally {
    await dev.interrupt();
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

function page(results: readonly EditResult[]): string {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  const rows = results.map(({ edit, red, problem, ms, next }, i) => {
    const seconds = (ms / 1000).toFixed(1);
    return `| ${i + 1} | ${cell(edit.what)} | ${red} | ${seconds} | ${cell(red === 'green' ? '' : problem)} | ${cell(next)} |`;
  });
  return `# What the development loop says of an edit

Made by \`npm run bench -- edits --write\` from \`test/support/edits.ts\`: each edit is saved in a copy of this project with \`npm run dev\`
running, and taken back. "Red" is the first part of the loop's output with a problem, "after" the time from the save until it is shown, or
until everything is where all is good. Node ${process.version}, ${cpus().length} processors, load ${load} at the end.

| # | what a person does | red | after, s | where and what | next step |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
