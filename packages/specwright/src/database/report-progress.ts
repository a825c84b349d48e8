/** Says how far a backup is: in a terminal in one line, else in a line now and then. */
import { createProgress } from '@specwright/server/command';
import type { OnProgress } from '@specwright/postgres/backup';

const INTERVAL_MS = 5000;

export interface BackupProgress {
  readonly onProgress: OnProgress;
  /** Before anything else is printed. */
  readonly end: () => void;
}

export function reportProgress(write: (line: string) => void = (line) => console.error(line)): BackupProgress {
  const progress = createProgress();
  let saidAt = performance.now();
  return {
    onProgress(action, table, rows, isDone) {
      const now = performance.now();
      const text = `${action} ${table.name}: ${rows.toLocaleString('en')} rows`;
      if (isDone || now - saidAt >= INTERVAL_MS / 25) progress.show(text);
      if (process.stderr.isTTY || now - saidAt < INTERVAL_MS || rows === 0) return;
      write(text);
      saidAt = now;
    },
    end: () => progress.clear(),
  };
}
