/** Rows as a table for a terminal, each column as wide as its widest cell; `-` for an absent value. */
export function formatTable<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const formatRow = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return cells.map((row) => formatRow(row).trimEnd()).join('\n');
}
