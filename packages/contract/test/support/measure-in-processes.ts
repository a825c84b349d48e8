/** Runs a program that measures verdicts, in processes whose heap is limited to what the program needs before a verdict, and 64 MB. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Growth } from './growth.ts';

/** What a verdict may take. */
export const MAX_VERDICT_MB = 64;
/** Given to a program in the place of the first number: it prints a line `HeapLine`. */
export const HEAP = 'heap';

/** Megabytes of the heap before the first verdict: modules, and what was compiled. */
export interface HeapLine {
  readonly heapMb: number;
}

export interface MeasuredValue {
  readonly value: string;
  readonly growth: Growth;
}

/** A line of the program: before what it names is measured, and after, with the values whose time grows too fast. */
export interface MeasuredLine {
  readonly name: string;
  readonly isStarted?: true;
  readonly slow?: readonly MeasuredValue[];
}

/** By name, the values whose time grows too fast; or what ended the process. */
export type Measured = ReadonlyMap<string, string | readonly MeasuredValue[]>;

/** @returns what the process needs before a verdict. Of the program itself. */
export function heapLine(): HeapLine {
  globalThis.gc?.();
  return { heapMb: Math.ceil(process.memoryUsage().heapUsed / 2 ** 20) };
}

/**
 * @param program gets `HEAP` or the number of the first thing that it measures, and `args`. It is run again after the one that ended it.
 * @throws Error if it ends before it has measured anything.
 */
export async function measureInProcesses(program: string, args: readonly string[] = []): Promise<Measured> {
  const results = new Map<string, string | readonly MeasuredValue[]>();
  const lines: string[] = [];
  const { stderr } = await run(['--expose-gc', program, HEAP, ...args], (line) => lines.push(line));
  if (lines.length !== 1) throw new Error(stderr);
  const heapMb = (JSON.parse(lines[0] as string) as HeapLine).heapMb + MAX_VERDICT_MB;
  for (let isDone = false; !isDone;) {
    let running: string | undefined;
    const onLine = (line: string) => {
      const { name, isStarted, slow } = JSON.parse(line) as MeasuredLine;
      running = isStarted === true ? name : undefined;
      if (slow !== undefined) results.set(name, slow);
    };
    const ended = await run([`--max-old-space-size=${heapMb}`, program, String(results.size), ...args], onLine);
    if (running !== undefined) results.set(running, /heap/.test(ended.stderr) ? `takes more than ${MAX_VERDICT_MB} MB` : ended.stderr);
    else if (ended.code !== 0) throw new Error(ended.stderr);
    isDone = running === undefined;
  }
  return results;
}

async function run(args: readonly string[], onLine: (line: string) => void): Promise<{ code: number | null; stderr: string }> {
  const options = ['--conditions=@specwright/source', '--import', 'tsx'];
  const child = spawn(process.execPath, [...options, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  for await (const line of createInterface(child.stdout)) onLine(line);
  return { code: await exited, stderr };
}
