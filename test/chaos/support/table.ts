/** The table that `npm run ts -- test/chaos/run.ts` prints, and the file that keeps its rows. */
import type { Figure } from './scenario.ts';
import type { Row } from './runner.ts';

const TITLES = ['scenario', 'measured', 'value', 'allowed', ''] as const;

/** @param before rows of an earlier run, shown beside the others. */
export function formatTable(rows: readonly Row[], before: readonly Row[] = []): string {
  const titles = before.length > 0 ? [...TITLES.slice(0, 2), 'before', ...TITLES.slice(2)] : [...TITLES];
  const cells = rows.map((row) => {
    const old = before.find(({ scenario, measured }) => scenario === row.scenario && measured === row.measured);
    const first = [row.scenario, row.measured];
    const last = [formatValue(row), formatAllowed(row), formatOutcome(row)];
    return before.length > 0 ? [...first, old === undefined ? '' : formatValue(old), ...last] : [...first, ...last];
  });
  const widths = titles.map((title, i) => Math.max(title.length, ...cells.map((line) => line[i]?.length ?? 0)));
  return [titles, ...cells]
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function formatOutcome({ ok, isUnmeasurable = false, othersShare = 0 }: Row): string {
  if (ok) return 'ok';
  return isUnmeasurable ? `not measurable at this load: others used ${Math.round(othersShare * 100)} % of the processors` : 'FAILED';
}

function formatValue({ value, unit, error }: Row): string {
  return error ?? formatNumber(value, unit);
}

function formatAllowed({ max, min, unit }: Figure): string {
  if (max !== undefined && max === min) return formatNumber(max, unit);
  const bounds = [min === undefined ? '' : `>= ${formatNumber(min, unit)}`, max === undefined ? '' : `<= ${formatNumber(max, unit)}`];
  return bounds.filter((bound) => bound !== '').join(', ');
}

function formatNumber(value: number, unit?: string): string {
  const digits = Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) >= 10 ? 0 : 2);
  return unit === undefined ? digits : `${digits} ${unit}`;
}
