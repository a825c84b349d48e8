/** What happens around the development loop, not in a file: a port in use, Ctrl-C. Each is tried in a loop that is started for it. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DONE, startDev, type DevLoop } from '../projects/dev.ts';
import type { Project } from '../projects/project.ts';
import type { EditResult } from './try-edits.ts';

export interface Situation {
  readonly what: string;
  readonly run: (project: Project) => Promise<EditResult>;
}

const SILENT = { LOG_LEVEL: 'silent' };

/** The server waits for its port, says who has it, and starts when it is free. */
async function tryPortInUse(project: Project): Promise<EditResult> {
  const other = createServer();
  const { port } = await new Promise<AddressInfo>((resolve) => other.listen(0, '127.0.0.1', () => resolve(other.address() as AddressInfo)));
  const dev = startDev(project, [], { ...SILENT, PORT: String(port) });
  const { text, shownAfter } = await dev.afterSave(async () => undefined);
  const [, problem = '', next = ''] = /^server +(waits for port \d+; .*)\n[^]*^next +(.*)$/m.exec(text) ?? [];
  const command = `\`kill ${process.pid}\``;
  await dev.after(async () => other.close(), /^server +http:\S+ serves/m);
  await dev.interrupt(2);
  const isExpected = problem.startsWith(`waits for port ${port}; `) && next.includes(command);
  return {
    what: 'a port in use',
    red: 'server',
    problem: problem.split('; ')[0] ?? '',
    ms: Math.round(shownAfter.get('server') ?? NaN),
    next,
    ...(!isExpected && { mistake: `should wait for port ${port} and name ${command}:\n${text}` }),
  };
}

/** It ends with 0, leaves no PostgreSQL behind, and prints nothing of the processes that it stops. */
const tryInterrupt = (what: string, times: number) => async (project: Project) => {
  const dev: DevLoop = startDev(project, [], SILENT);
  await dev.after(async () => undefined, DONE);
  const from = dev.output().length;
  const began = performance.now();
  const code = await dev.interrupt(times);
  const ms = Math.round(performance.now() - began);
  const said = dev.output().slice(from).trim();
  const isRunning = existsSync(join(project.folder, '.data/postgres/postmaster.pid'));
  const isExpected = code === 0 && !isRunning && !/context canceled|Error/.test(said);
  return {
    what,
    red: 'end',
    problem: said.split('\n')[0] ?? '',
    ms,
    next: 'nothing to fix',
    ...(!isExpected && { mistake: `exit code ${String(code)}, PostgreSQL ${isRunning ? 'runs' : 'is stopped'}:\n${said}` }),
  };
};

export const SITUATIONS: readonly Situation[] = [
  { what: 'a port in use', run: tryPortInUse },
  { what: 'Ctrl-C', run: tryInterrupt('Ctrl-C', 1) },
  { what: 'Ctrl-C twice', run: tryInterrupt('Ctrl-C twice', 2) },
];
