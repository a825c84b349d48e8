/** The folder of a new project, as a person names it, and npm in it. */
import { existsSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { spawn } from 'node:child_process';
import { entriesOf, rootOfArgument } from '../files/write-files.ts';
import { createProgress, print, printError } from '@specwright/server/command';

/** @throws Error if something is there: files other than a repository of git, or a link. */
export function requireEmpty(folder: string): void {
  rootOfArgument(folder, 'folder');
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new Error(`${near(folder)} is a file: name an empty folder, or one that does not exist yet`);
  if (entriesOf(folder).length > 0) throw new Error(`${near(folder)} is not empty: name an empty folder, or one that does not exist yet`);
}

/** As a person would type it from here. */
export function near(path: string): string {
  const short = relative(process.cwd(), path) || '.';
  return short.length < path.length ? short : path;
}

export interface Step {
  readonly title: string;
  readonly npm: readonly string[];
}

/** Runs npm step by step, and says how each goes. @returns the steps that remain: none, or the one that failed, whose output was printed, and those after it. */
export async function runSteps(folder: string, steps: readonly Step[]): Promise<readonly Step[]> {
  for (const [i, { title, npm }] of steps.entries()) {
    const began = Date.now();
    const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
    print(`${title}: npm ${npm.join(' ')}`);
    const progress = createProgress();
    progress.show('  still running');
    const { code, output } = await runNpm(folder, npm).finally(() => progress.clear());
    if (code !== 0) {
      printError(output.replaceAll('\r\n', '\n').replaceAll('\t', '    '));
      return steps.slice(i);
    }
    print(`  done in ${elapsed()}`);
  }
  return [];
}

function runNpm(folder: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  // What npm set for the project that this runs in is not for that one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(npm_(package|lifecycle)_|INIT_CWD$)/.test(key)));
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
