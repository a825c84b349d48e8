/** The programs of this project as processes, started as a person starts them. */
import { fileURLToPath } from 'node:url';
import { startProcess as start, type TestProcess } from 'specwright/testing';

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A copy of the project; this one if it is not given. */
  readonly cwd?: string;
  readonly program?: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts `src/main.ts`, or another program, on a free port. Those of this project are built once, as `npm start` does it. */
export function startProcess({ env = {}, args = [], cwd = ROOT, program = 'src/main.ts' }: StartOptions): TestProcess {
  if (cwd === ROOT && program.startsWith('src/'))
    return start({
      program: 'packages/specwright/bin/specwright.mjs',
      args: ['run', program, ...args],
      cwd,
      env: { PORT: '0', HOST: '127.0.0.1', ...env },
    });
  const nodeArgs = ['--conditions=@specwright/source', '--import', 'tsx'];
  return start({ program, args, cwd, nodeArgs, env: { PORT: '0', HOST: '127.0.0.1', ...env } });
}
