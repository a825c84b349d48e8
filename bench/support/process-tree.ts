/** The processor time of a process and all that it has started, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: a hundredth of a second on every platform that Linux runs on. */
const TICK_MS = 10;

/** @returns ms of processor time, of ended children too; NaN where there is no /proc. */
export function processTreeCpu(root: number): number {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      const stat = readStat(name);
      if (stat === undefined) continue;
      ticks.set(stat.pid, stat.ticks);
      children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat.pid]);
    }
  } catch {
    return NaN;
  }
  const sum = (pid: number): number => (ticks.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
  return sum(root) * TICK_MS;
}

/** proc_pid_stat(5): the name of the program, in parentheses, may contain anything. */
function readStat(pid: string): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    return { pid: Number(pid), parent, ticks: fields.slice(11, 15).reduce((total, value) => total + value, 0) };
  } catch {
    // It has ended since.
    return undefined;
  }
}
