/** The development loop: from a save to the generated files, the errors, the next server and the walk, with `npm run dev` in a copy of the project. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { DONE, startDev } from '../test/support/dev.ts';
import { addToSpec, PHOTOS } from '../test/support/new-operation.ts';
import { copyProject, type Project } from '../test/support/project.ts';

const SAVES_PER_EDIT = 20;
const SPEC = 'spec/petstore.yaml';

interface Edit {
  readonly name: string;
  readonly file: string;
  readonly apply: (project: Project) => Promise<void>;
  /** By title of the row: what `dev` has to print. */
  readonly milestones: Readonly<Record<string, RegExp>>;
}

const GENERATED = { 'generated written': /^spec .*wrote generated/m };

const EDITS: readonly Edit[] = [
  {
    name: 'a new required property',
    file: SPEC,
    apply: (project) =>
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
    apply: (project) => addToSpec(project, PHOTOS),
    milestones: { ...GENERATED, 'errors shown': /^types .*\n  src\/handlers\/index\.ts:\d+:\d+ /m },
  },
  {
    name: 'a syntax error in the spec',
    file: SPEC,
    apply: (project) => project.edit(SPEC, '      summary: List categories', '       summary: List categories'),
    milestones: { 'errors shown': /^spec .*\n  spec\/petstore\.yaml:\d+:\d+ /m },
  },
  {
    name: 'an error in a handler',
    file: 'src/handlers/pets.ts',
    apply: (project) => project.edit('src/handlers/pets.ts', 'return reply(204);', 'return reply(202 as 202);'),
    milestones: { 'errors shown': /^types .*\n  src\/handlers\/pets\.ts:\d+:\d+ /m },
  },
  {
    name: 'a good change of a handler',
    file: 'src/handlers/categories.ts',
    apply: (project) => project.edit('src/handlers/categories.ts', 'return reply(204);', 'const done = reply(204);\n      return done;'),
    milestones: { 'served again': /listens on http/, 'operation walked': /^walk +ok/m },
  },
  {
    name: 'a good change of the spec',
    file: SPEC,
    apply: (project) => project.edit(SPEC, 'description: An email address.', 'description: An address of email.'),
    milestones: { linted: /^lint +ok/m, 'served again': /listens on http/ },
  },
];

export async function run(): Promise<void> {
  const project = await copyProject();
  const dev = startDev(project, [], { LOG_LEVEL: 'silent' });
  try {
    await dev.after(async () => undefined, DONE);
    const load = loadavg()[0] ?? NaN;
    console.log(
      `Node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}; ms from the save, ${SAVES_PER_EDIT} saves each\n`,
    );
    console.log(`${'edit'.padEnd(28)}${'until'.padEnd(20)}${'median'.padStart(8)}${'slowest'.padStart(9)}`);
    for (const edit of EDITS) await measureEdit(project, dev, edit);
  } finally {
    await dev.interrupt();
    await project.remove();
  }
}

async function measureEdit(project: Project, dev: ReturnType<typeof startDev>, { name, file, apply, milestones }: Edit): Promise<void> {
  const path = join(project.folder, file);
  const original = await readFile(path);
  const latencies = new Map(Object.keys(milestones).map((milestone) => [milestone, [] as number[]]));
  for (let i = 0; i < SAVES_PER_EDIT; i++) {
    const done = dev.after(async () => undefined, DONE);
    const savedAt = performance.now();
    const saved = apply(project);
    await Promise.all(
      Object.entries(milestones).map(async ([milestone, pattern]) => {
        await dev.after(() => saved, pattern);
        latencies.get(milestone)?.push(performance.now() - savedAt);
      }),
    );
    await done;
    await dev.after(() => writeFile(path, original), DONE);
  }
  for (const [milestone, values] of latencies) {
    const sorted = values.sort((a, b) => a - b);
    const [median = NaN, slowest = NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    console.log(`${name.padEnd(28)}${milestone.padEnd(20)}${median.toFixed(0).padStart(8)}${slowest.toFixed(0).padStart(9)}`);
  }
}
