/** The table that a mock with a memory shows when it starts. */

/** @param rows operations, and what each does. */
export function formatMockTable(rows: readonly (readonly [operation: string, does: string])[]): string {
  const width = Math.max(0, ...rows.map(([operation]) => operation.length));
  return rows.map(([operation, does]) => `  ${operation.padEnd(width)}  ${does}\n`).join('');
}
