/** The development loop: from a save to the generated files, and to what is wrong, with the real process in a copy of the project. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { DONE, startDev } from '../test/support/dev.ts';
import { addToSpec, PHOTOS } from '../test/support/new-operation.ts';
import { copyProject, type Project } from '../test/support/project.ts';

const TIMES = 5;
const SPEC = 'spec/petstore.yaml';

interface Save {
  readonly name: string;
  readonly file: string;
  readonly edit: (project: Project) => Promise<void>;
  /** What has to be said, and how the column is called that says when. */
  readonly milestones: Readonly<Record<string, RegExp>>;
}

const GENERATED = { 'generated written': /^spec .*wrote generated/m };

const SAVES: readonly Save[] = [
  {
    name: 'a new required property',
    file: SPEC,
    edit: (project) =>
      project.edit(
        SPEC,
        '      required: [petId, quantity, status]\n      properties:\n',
        '      required: [petId, quantity, status, shelf]\n      properties:\n        shelf:\n          type: string\n          maxLength: 9\n',
      ),
    milestones: { ...GENERATED, 'errors shown': /^types .*\n  src\/handlers\/inventory\.ts:\d+:\d+ /m },
  },
  {
    name: 'a new operation',
    file: SPEC,
    edit: (project) => addToSpec(project, PHOTOS),
    milestones: { ...GENERATED, 'errors shown': /^types .*\n  src\/handlers\/index\.ts:\d+:\d+ /m },
  },
  {
    name: 'a syntax error in the spec',
    file: SPEC,
    edit: (project) => project.edit(SPEC, '      summary: List categories', '       summary: List categories'),
    milestones: { 'errors shown': /^spec .*\n  spec\/petstore\.yaml:\d+:\d+ /m },
  },
  {
    name: 'an error in a handler',
    file: 'src/handlers/pets.ts',
    edit: (project) => project.edit('src/handlers/pets.ts', 'return reply(204);', 'return reply(202 as 202);'),
    milestones: { 'errors shown': /^types .*\n  src\/handlers\/pets\.ts:\d+:\d+ /m },
  },
];

export async function run(): Promise<void> {
  const project = await copyProject();
  const dev = startDev(project);
  try {
    await dev.after(async () => undefined, DONE);
    const load = loadavg()[0] ?? NaN;
    console.log(
      `Node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}; ms from the save, of ${TIMES} saves each\n`,
    );
    console.log(`${'save'.padEnd(28)}${'until'.padEnd(20)}${'median'.padStart(8)}${'slowest'.padStart(9)}`);
    for (const save of SAVES) await measureSave(project, dev, save);
  } finally {
    await dev.interrupt();
    await project.remove();
  }
}

async function measureSave(project: Project, dev: ReturnType<typeof startDev>, { name, file, edit, milestones }: Save): Promise<void> {
  const path = join(project.folder, file);
  const good = await readFile(path);
  const waits = new Map(Object.keys(milestones).map((milestone) => [milestone, [] as number[]]));
  for (let i = 0; i < TIMES; i++) {
    const done = dev.after(async () => undefined, DONE);
    const began = performance.now();
    const saved = edit(project);
    await Promise.all(
      Object.entries(milestones).map(async ([milestone, pattern]) => {
        await dev.after(() => saved, pattern);
        waits.get(milestone)?.push(performance.now() - began);
      }),
    );
    await done;
    await dev.after(() => writeFile(path, good), DONE);
  }
  for (const [milestone, values] of waits) {
    const sorted = values.sort((a, b) => a - b);
    const [median = NaN, slowest = NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    console.log(`${name.padEnd(28)}${milestone.padEnd(20)}${median.toFixed(0).padStart(8)}${slowest.toFixed(0).padStart(9)}`);
  }
}
