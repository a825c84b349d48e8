/** Runs the command of a gate, and keeps what it printed. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Gate } from './gates-file.ts';

export interface GateResult {
  readonly gate: Gate;
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly seconds: number;
  /** Standard output and standard error. */
  readonly output: string;
}

/** @param args more arguments. @param log the file that its output goes to as well, while it runs. */
export async function runGate(gate: Gate, args: readonly string[], root: string, log: string): Promise<GateResult> {
  const began = performance.now();
  const [command = '', ...words] = gate.run.split(' ');
  const file = createWriteStream(log);
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(command, [...words, ...args], { cwd: root, stdio: [...stdio], shell: process.platform === 'win32' });
    let output = '';
    const add = (text: string) => {
      output += text;
      file.write(text);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', add);
    child.once('error', ({ message }) => {
      add(message);
      resolve({ code: 127, output });
    });
    child.once('close', (code) => resolve({ code, output }));
  });
  file.end();
  await finished(file);
  return { gate, code, seconds: Math.round((performance.now() - began) / 1000), output };
}
