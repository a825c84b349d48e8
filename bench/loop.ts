/** The development loop: from a save to the generated files, the errors, the next server and the walk, with `npm run dev` in a copy of the project. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DONE, startDev } from '../test/support/projects/dev.ts';
import { PHOTOS, yaml } from '../test/support/projects/new-operation.ts';
import { copyProject, type Project } from '../test/support/projects/project.ts';
import { processTreeCpu } from './support/process-tree.ts';

const MAX_SAVES = 20;
const SPEC = 'spec/petstore.yaml';
/** The time in which the loop prepares its next server and walk, in ms: a person does not save twice in it. */
const PAUSE_MS = 2000;

interface Edit {
  readonly name: string;
  readonly file: string;
  /** The text that the `i`th save has, made from that of the project. */
  readonly write: (text: string, i: number) => string;
  /** By title of the row: what `dev` has to print. */
  readonly milestones: Readonly<Record<string, RegExp>>;
  /** Whether a server starts, so that another has to be prepared before the next save. */
  readonly isServed?: boolean;
  /** How long it is repeated, in ms; together with the start they take less than four minutes. */
  readonly budgetMs: number;
}

const GENERATED = { 'generated written': /^spec .*wrote generated/m };

/** @throws Error if the text is not there, so that no edit is lost unnoticed. */
function replace(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`there is no ${JSON.stringify(from)}: adapt the edit`);
  return text.replace(from, () => to);
}

// An error follows an error, each with another name: a server that is restarted between them would be measured with them.
const EDITS: readonly Edit[] = [
  {
    name: 'a new required property',
    file: SPEC,
    write: (text, i) =>
      replace(
        text,
        '      required: [petId, quantity, status]\n      properties:\n',
        `      required: [petId, quantity, status, shelf${i}]\n      properties:\n        shelf${i}:\n          type: string\n          maxLength: 9\n`,
      ),
    milestones: { ...GENERATED, 'errors shown': /^types .*\n  src\/handlers\/inventory\.ts:\d+:\d+ /m },
    budgetMs: 45_000,
  },
  {
    name: 'a new operation',
    file: SPEC,
    write: (text, i) =>
      replace(
        text,
        '\n  /categories:\n',
        `\n${yaml(PHOTOS).replaceAll('/photos', `/photos${i}`).replaceAll('addPetPhoto', `addPetPhoto${i}`)}  /categories:\n`,
      ),
    milestones: { ...GENERATED, 'errors shown': /^types .*\n  src\/handlers\/index\.ts:\d+:\d+ /m },
    budgetMs: 45_000,
  },
  {
    name: 'a syntax error in the spec',
    file: SPEC,
    write: (text, i) => replace(text, '      summary: List categories', `       summary: List categories ${i}`),
    milestones: { 'errors shown': /^spec .*\n  spec\/petstore\.yaml:\d+:\d+ /m },
    budgetMs: 10_000,
  },
  {
    name: 'an error in a handler',
    file: 'src/handlers/pets.ts',
    write: (text, i) => replace(text, 'return reply(204);', `return reply(${600 + i});`),
    milestones: { 'errors shown': /^types .*\n  src\/handlers\/pets\.ts:\d+:\d+ /m },
    budgetMs: 20_000,
  },
  {
    name: 'a good change of a handler',
    file: 'src/handlers/categories.ts',
    write: (text, i) => replace(text, 'return reply(204);', `const done${i} = reply(204);\n      return done${i};`),
    milestones: { 'served again': /listens on http/, 'operation walked': /^walk +ok/m },
    isServed: true,
    budgetMs: 40_000,
  },
  {
    name: 'a good change of the spec',
    file: SPEC,
    write: (text, i) => replace(text, 'description: An email address.', `description: An email address, number ${i}.`),
    milestones: { linted: /^lint +ok/m, 'served again': /listens on http/ },
    isServed: true,
    budgetMs: 40_000,
  },
];

export async function run(): Promise<void> {
  const project = await copyProject();
  const dev = startDev(project, [], { LOG_LEVEL: 'silent' });
  try {
    await dev.after(async () => undefined, DONE);
    await sleep(PAUSE_MS);
    const load = loadavg()[0] ?? NaN;
    console.log(
      `Node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}; ms from the save, CPU of the loop's processes until then\n`,
    );
    console.log(['edit'.padEnd(28), 'until'.padEnd(20), 'median', '  slowest', '  CPU', '  saves'].join(''));
    for (const edit of EDITS) await measureEdit(project, dev, edit);
  } finally {
    await dev.interrupt();
    await project.remove();
  }
}

async function measureEdit(project: Project, dev: ReturnType<typeof startDev>, edit: Edit): Promise<void> {
  const { name, file, write, milestones, isServed = false, budgetMs } = edit;
  const path = join(project.folder, file);
  const original = await readFile(path, 'utf8');
  const measured = new Map(Object.keys(milestones).map((milestone) => [milestone, [] as { ms: number; cpu: number }[]]));
  const began = performance.now();
  for (let i = 0; i < MAX_SAVES && performance.now() - began < budgetMs; i++) {
    const text = write(original, i);
    const done = dev.after(async () => undefined, DONE);
    const cpuBefore = processTreeCpu(dev.pid);
    const savedAt = performance.now();
    const saved = writeFile(path, text);
    await Promise.all(
      Object.entries(milestones).map(async ([milestone, pattern]) => {
        await dev.after(() => saved, pattern);
        const ms = performance.now() - savedAt;
        measured.get(milestone)?.push({ ms, cpu: processTreeCpu(dev.pid) - cpuBefore });
      }),
    );
    await done;
    if (isServed) await sleep(PAUSE_MS);
  }
  await dev.after(() => writeFile(path, original), DONE);
  await sleep(PAUSE_MS);
  for (const [milestone, saves] of measured) {
    const sorted = saves.map(({ ms }) => ms).sort((a, b) => a - b);
    const numbers = [median(sorted).toFixed(0).padStart(6), (sorted.at(-1) ?? NaN).toFixed(0).padStart(9)];
    const cpu = median(saves.map((save) => save.cpu)).toFixed(0);
    console.log([name.padEnd(28), milestone.padEnd(20), ...numbers, cpu.padStart(7), String(saves.length).padStart(5)].join(''));
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
