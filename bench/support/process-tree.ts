/** The processor time of a process and all that it has started, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: a hundredth of a second on every platform that Linux runs on. */
const TICK_MS = 10;

interface ProcessNode {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/** @returns ms of processor time, of ended children too; NaN where there is no /proc. */
export function processTreeCpu(root: number): number {
  const processes = readProcesses();
  if (processes === undefined) return NaN;
  const sum = (pid: number): number =>
    processes
      .filter(({ parent }) => parent === pid)
      .reduce((total, child) => total + sum(child.pid), processes.find((one) => one.pid === pid)?.ticks ?? 0);
  return sum(root) * TICK_MS;
}

/** @returns ms of processor time of each process that this one has started and that runs; none where there is no /proc. */
export function childrenCpu(pid: number): number[] {
  const children = readProcesses()?.filter(({ parent }) => parent === pid) ?? [];
  return children.sort((a, b) => a.pid - b.pid).map(({ ticks }) => ticks * TICK_MS);
}

/** @returns the process that has started another one; 0 where there is no /proc. */
export const parentOf = (pid: number): number => readStat(String(pid))?.parent ?? 0;

/** `undefined` where there is no /proc. */
function readProcesses(): ProcessNode[] | undefined {
  try {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((name) => readStat(name) ?? []);
  } catch {
    return undefined;
  }
}

/** proc_pid_stat(5): the name of the program, in parentheses, may contain anything. */
function readStat(pid: string): ProcessNode | undefined {
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
