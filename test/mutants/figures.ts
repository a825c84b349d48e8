/** The table of docs/mutants.md: how many generated mutants of each part were killed, when they were first tried and now. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './tree-copy.ts';

export interface PartFigures {
  readonly part: string;
  readonly tried: number;
  readonly killed: number;
  readonly timedOut: number;
  /** Those that live, and have no reason. */
  readonly unnamed: readonly string[];
  /** Those that were said to live, and do not. */
  readonly needless: readonly string[];
}

const FILE = join(REPOSITORY, 'docs', 'mutants.md');

/** Replaces the last column but keeps what was found first. */
export function recordFigures(figures: readonly PartFigures[]): void {
  let text = readFileSync(FILE, 'utf8');
  for (const { part, tried, killed, timedOut } of figures) {
    const now = `${killed} of ${tried} (${Math.floor((killed / tried) * 100)} %)${timedOut > 0 ? `, ${timedOut} timed out` : ''}`;
    const row = new RegExp(`^\\| ${part} *\\|([^|]*)\\|[^|]*\\|$`, 'm');
    if (row.test(text)) text = text.replace(row, (_, first: string) => `| ${part} | ${first.trim() || now} | ${now} |`);
    else text = `${text.trimEnd()}\n| ${part} | ${now} | ${now} |\n`;
  }
  writeFileSync(FILE, text);
}
