/** The table of README.md: how many generated mutants of each part were killed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './tree-copy.ts';
import type { Outcome } from './try-generated.ts';

/** Why a mutant is not killed: it changes nothing that can be seen, or tests do not end with it. That no test notices it is no reason. */
export interface Survivor {
  readonly kind: 'equivalent' | 'timeout-only';
  readonly reason: string;
}

export interface PartFigures {
  readonly part: string;
  readonly tried: number;
  readonly killed: number;
  /** Those that live as was said, or time out as was said: of the others 95 % have to be killed. */
  readonly equivalent: number;
  readonly timeoutOnly: number;
  /** The others that are not killed. */
  readonly unnamed: readonly string[];
  /** Those that were said to live, or to time out, and are killed. */
  readonly needless: readonly string[];
}

export function figuresOf(
  part: string,
  results: readonly { readonly id: string; readonly outcome: Outcome }[],
  survivors: Readonly<Record<string, Survivor>>,
): PartFigures {
  const alive = results.filter(({ outcome }) => outcome !== 'killed');
  const excuseOf = ({ id, outcome }: (typeof results)[number]): Survivor['kind'] | undefined => {
    const kind = survivors[id]?.kind;
    return (kind === 'timeout-only') === (outcome === 'timed out') ? kind : undefined;
  };
  return {
    part,
    tried: results.length,
    killed: results.length - alive.length,
    equivalent: alive.filter((one) => excuseOf(one) === 'equivalent').length,
    timeoutOnly: alive.filter((one) => excuseOf(one) === 'timeout-only').length,
    unnamed: alive.filter((one) => excuseOf(one) === undefined).map(({ id }) => id),
    needless: results.filter(({ id, outcome }) => outcome === 'killed' && survivors[id] !== undefined).map(({ id }) => id),
  };
}

/** Of those that tests could notice. */
export const shareKilled = ({ killed, unnamed }: PartFigures): number =>
  killed + unnamed.length === 0 ? 1 : killed / (killed + unnamed.length);

const FILE = join(REPOSITORY, 'test/mutants/README.md');

/** Replaces the rows of these parts. */
export function recordFigures(figures: readonly PartFigures[]): void {
  let text = readFileSync(FILE, 'utf8');
  for (const one of figures) {
    const { part, tried, killed, equivalent, timeoutOnly, unnamed } = one;
    const now = `${killed} of ${killed + unnamed.length} (${Math.floor(shareKilled(one) * 100)} %)`;
    const row = new RegExp(`^\\| ${part} *\\|.*\\|$`, 'm');
    const cells = `| ${[part, tried, equivalent, timeoutOnly, now].join(' | ')} |`;
    text = row.test(text) ? text.replace(row, () => cells) : `${text.trimEnd()}\n${cells}\n`;
  }
  writeFileSync(FILE, text);
}
