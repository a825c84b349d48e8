/** A log that collects its lines. */
import type { Log } from '@specwright/server';

export interface LogLine extends Record<string, unknown> {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export function createTestLog(lines: LogLine[] = [], bindings: object = {}): Log {
  const write = (level: LogLine['level']) => (fields: object, message: string) =>
    void lines.push({ ...bindings, ...fields, level, message });
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => createTestLog(lines, { ...bindings, ...fields }),
  };
}
