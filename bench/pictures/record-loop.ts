/** Records the development loop: what it prints while files are edited, with the times. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyProject } from '../../test/support/projects/project.ts';

/** What happened at a moment, in s since the recording began. */
export type RecordedEvent =
  | { readonly at: number; readonly kind: 'output'; readonly text: string }
  /** An edit that is about to be saved: where, and the lines that go and come. */
  | { readonly at: number; readonly kind: 'edit'; readonly file: string; readonly removed: string; readonly added: string };

interface Edit {
  readonly file: string;
  /** A whole line of the file, and what it becomes. */
  readonly from: string;
  readonly to: string;
}

const COLUMNS = 110;
/** How long an edit is looked at before it is saved, and the answer to it, in ms. */
const READ_EDIT_MS = 1500;
const READ_ANSWER_MS = 4000;

const REFERENCE = "          $ref: '#/components/schemas/PetName'";

/** A mistake in the spec, one in a handler, and their corrections. */
const EDITS: readonly Edit[] = [
  { file: 'spec/petstore.yaml', from: REFERENCE, to: REFERENCE.replace('PetName', 'PetNam') },
  { file: 'spec/petstore.yaml', from: REFERENCE.replace('PetName', 'PetNam'), to: REFERENCE },
  { file: 'src/handlers/categories.ts', from: '      return reply(204);', to: '      return reply(202);' },
  { file: 'src/handlers/categories.ts', from: '      return reply(202);', to: '      return reply(204);' },
];

/** Runs `npm run dev` in a terminal, in a copy of the project, and edits it. */
export async function recordLoop(edits: readonly Edit[] = EDITS): Promise<RecordedEvent[]> {
  const project = await copyProject();
  const events: RecordedEvent[] = [];
  const command = `stty cols ${COLUMNS} rows 40; exec npm run -s dev`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd: project.folder,
    env: { PATH, HOME, SHELL: '/bin/sh', TERM: 'xterm-256color', PORT: '3000', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const began = performance.now();
  const now = () => (performance.now() - began) / 1000;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    // A key is of a database that is gone, but looks like one to be kept.
    const text = chunk.replaceAll('\r\n', '\n').replace(/psk_live_\w+/g, 'psk_live_...');
    output += text;
    events.push({ at: now(), kind: 'output', text });
  });
  /** Resolves when a save has been answered to the last line, from an offset of the output on. */
  const answered = async (from: number) => {
    while (!/^next .*\n/m.test(output.slice(from))) {
      if (child.exitCode !== null) throw new Error(`the loop has ended:\n${output}`);
      await sleep(100);
    }
  };
  try {
    await answered(0);
    for (const { file, from, to } of edits) {
      await sleep(READ_ANSWER_MS);
      const path = join(project.folder, file);
      const text = await readFile(path, 'utf8');
      if (!text.includes(`${from}\n`)) throw new Error(`${file} has no line ${from}: adapt bench/pictures/record-loop.ts`);
      events.push({ at: now(), kind: 'edit', file, removed: from.trim(), added: to.trim() });
      await sleep(READ_EDIT_MS);
      const offset = output.length;
      await writeFile(path, text.replace(`${from}\n`, `${to}\n`));
      await answered(offset);
    }
    await sleep(READ_ANSWER_MS);
    return events;
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
    await project.remove();
  }
}
