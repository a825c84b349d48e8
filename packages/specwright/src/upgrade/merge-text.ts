/** Merges three versions of a text line by line, as git does: conflicts are marked in the result. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MergedText {
  readonly text: string;
  /** How many places are marked with `<<<<<<<`. */
  readonly conflicts: number;
}

export interface Side {
  /** What the side is called in the marks. */
  readonly label: string;
  readonly text: string;
}

/** git-merge-file: the exit code is the number of conflicts, up to this one. */
const MAX_CONFLICTS = 127;

/** @throws Error if git cannot be run, or a text is binary. */
export async function mergeText(base: Side, ours: Side, theirs: Side): Promise<MergedText> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-merge-'));
  try {
    const sides = [ours, base, theirs];
    const files = await Promise.all(
      sides.map(async ({ text }, i) => {
        const file = join(folder, String(i));
        await writeFile(file, text);
        return file;
      }),
    );
    return await runMerge(['merge-file', '-p', '--quiet', ...sides.flatMap(({ label }) => ['-L', label]), ...files]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const runMerge = (args: readonly string[]): Promise<MergedText> =>
  new Promise((resolve, reject) => {
    execFile('git', args, { maxBuffer: 2 ** 26 }, (error, text, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      if (code >= 0 && code <= MAX_CONFLICTS) resolve({ text, conflicts: code });
      else reject(new Error(`git merge-file failed: ${stderr.trim() || (error?.message ?? '')}`, { cause: error }));
    });
  });
