/** The processor time of PostgreSQL, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: a hundredth of a second on every platform that Linux runs on. */
const TICK_MS = 10;

interface ProcessStat {
  readonly parent: number;
  readonly ticks: number;
}

/** @param pid of the postmaster. @returns ms of processor time of all its processes, of ended ones too; NaN where there is no /proc. */
export function databaseCpu(pid: number): number {
  try {
    const stats = readdirSync('/proc').flatMap((name) => (Number(name) > 0 ? (readStat(Number(name)) ?? []) : []));
    const ticks = stats.filter(({ parent }) => parent === pid).reduce((total, child) => total + child.ticks, readStat(pid)?.ticks ?? NaN);
    return ticks * TICK_MS;
  } catch {
    return NaN;
  }
}

/** @returns the process that has started another one; 0 where there is no /proc. */
export const parentOf = (pid: number): number => readStat(pid)?.parent ?? 0;

/** proc_pid_stat(5): the name of the program, in parentheses, may contain anything. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { parent, ticks: fields.slice(11, 15).reduce((total, value) => total + value, 0) };
  } catch {
    // It has ended since.
    return undefined;
  }
}
