/** What becomes of one document: a project, its types, lint and tests, its server, and calls of it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { resolve, join } from 'node:path';
import { callServers } from './call-servers.ts';

const STEP_TIMEOUT_MS = 15 * 60_000;
const STEPS = {
  types: ['npm', 'run', 'typecheck'],
  lint: ['npm', 'run', 'lint'],
  'spec lint': ['npx', 'specwright', 'lint'],
  'own tests': ['npm', 'test'],
} as const;

export interface DocumentResult {
  readonly operations: number;
  /** `green`, or the step that failed. */
  readonly verdict: string;
  /** What the step said. */
  readonly output: string;
  /** Operations that no request can reach. */
  readonly unreached: number;
  /** Lines of docs/not-served.md. */
  readonly notServed: number;
  readonly calls: number;
  readonly seconds: number;
}

/** @param modules a folder `node_modules` with everything that a new project installs. */
export async function tryDocument(file: string, project: string, modules: string): Promise<DocumentResult> {
  const start = performance.now();
  let [verdict, output, calls] = ['green', '', 0];
  const made = await run(process.execPath, [
    resolve('packages/specwright/bin/specwright.mjs'),
    'new',
    project,
    '--spec',
    file,
    '--no-install',
  ]);
  if (made.code === 0) {
    symlinkSync(modules, join(project, 'node_modules'));
    for (const [step, [command, ...args]] of Object.entries(STEPS)) {
      const { code, output: said } = await run(command, args, project);
      if (code !== 0) [verdict, output] = [step, said];
      if (code !== 0) break;
    }
    if (verdict === 'green') {
      const { sent, problems } = await callServers(project, unreachedOf(project));
      calls = sent;
      if (problems.length > 0) [verdict, output] = ['calls', problems.join('\n')];
    }
  } else [verdict, output] = ['new', made.output];
  const seconds = Math.round((performance.now() - start) / 1000);
  return { verdict, output, calls, seconds, unreached: unreachedOf(project).length, ...countsOf(project) };
}

const read = (project: string, path: string): string => (existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : '');

const unreachedOf = (project: string): string[] =>
  Object.keys(JSON.parse(read(project, 'test/contract/exemptions.json') || '{}') as object).filter(
    (key) => !/^(webhook|callback) /.test(key),
  );

const countsOf = (project: string) => ({
  operations: [...read(project, 'generated/operations.ts').matchAll(/^ {2}\S+: \{$/gm)].length,
  notServed: [...read(project, 'docs/not-served.md').matchAll(/^- /gm)].length,
});

function run(command: string, args: readonly string[], cwd = '.'): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const env = { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) };
  return new Promise((done) => {
    execFile(command, args, { cwd, env, maxBuffer: 2 ** 28, timeout: STEP_TIMEOUT_MS }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1) || 1, output: `${stdout}${stderr}` });
    });
  });
}
