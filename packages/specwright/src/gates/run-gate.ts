/** Runs the command of a gate, and keeps what it printed. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Gate } from './gates-file.ts';
import { parseTimes, timed } from './processor-time.ts';

export interface GateResult {
  readonly gate: Gate;
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly seconds: number;
  /** Of it and all that it started; `undefined` on Windows. */
  readonly cpuSeconds: number | undefined;
  /** Standard output and standard error. */
  readonly output: string;
}

/** @param args more arguments. @param log the file that its output goes to as well, while it runs. */
export async function runGate(gate: Gate, args: readonly string[], root: string, log: string): Promise<GateResult> {
  const began = performance.now();
  const [command = '', ...words] = gate.run.split(' ');
  const file = createWriteStream(log);
  const isWindows = process.platform === 'win32';
  const [program, all] = isWindows ? [command, [...words, ...args]] : timed([command, ...words, ...args]);
  const { code, output, times } = await new Promise<{ code: number | null; output: string; times: string }>((resolve) => {
    const child = spawn(program, all, { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], shell: isWindows });
    let [output, times] = ['', ''];
    const add = (text: string) => {
      output += text;
      file.write(text);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', add);
    child.stdio[3]?.on('data', (data: Buffer) => (times += data.toString()));
    child.once('error', ({ message }) => {
      add(message);
      resolve({ code: 127, output, times });
    });
    child.once('close', (code) => resolve({ code, output, times }));
  });
  file.end();
  await finished(file);
  return { gate, code, seconds: Math.round((performance.now() - began) / 1000), cpuSeconds: parseTimes(times), output };
}
