/** A copy of the working tree in which a source file can be changed: the checkout is never touched. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scaleTimeout } from 'specwright/testing';

const TEST_TIMEOUT_MS = 20_000;

/** What `npm test` gives to Node and Jest, without its global set-up. */
const SETUP = './test/mutants/jest-setup.mjs';
const JEST = [
  ...['--conditions=@specwright/source', '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  ...[
    'node_modules/jest/bin/jest.js',
    '--globalSetup',
    SETUP,
    '--globalTeardown',
    SETUP,
    '--forceExit',
    // The tests of the embedded database are slow ones.
    '--testMatch=**/*.{test,slow}.ts',
    '--testEnvironment=./test/mutants/environment.mjs',
    '--testSequencer=./test/mutants/in-order.mjs',
    '--reporters=default',
    '--reporters=./test/mutants/reporter.mjs',
  ],
];

export interface TestRun {
  /** The last two: tests have failed, or something has not ended in its time, and nothing else was wrong. */
  readonly outcome: 'passed' | 'failed' | 'timed out';
  readonly output: string;
  /** From the folder of the run. */
  readonly failed: ReadonlySet<string>;
}

/** A test file that failed, as reporter.mjs has it. */
interface FailedFile {
  readonly file: string;
  readonly messages: readonly string[];
}

export interface TreeCopy {
  /** Writes a file of the copy, runs `work`, and restores the file. */
  withFile<T>(file: string, source: string, work: () => Promise<T>): Promise<T>;
  /** Runs test files until the first one fails. */
  test(files: readonly string[], timeoutMs: number): Promise<TestRun>;
  remove(): void;
}

/** Copies what git knows of, or would add, in `root`. Installed packages are links; those of the workspace are the copy's. */
export function copyTree(root: string): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(folder, file));
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    async withFile(file, source, work) {
      const path = join(folder, file);
      const before = readFileSync(path);
      writeFileSync(path, source);
      try {
        return await work();
      } finally {
        writeFileSync(path, before);
      }
    },
    test: (files, timeoutMs) => runTests(folder, files, { timeoutMs }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  };
}

/** Packages of npm are those of `from`; those of the workspace, which are links already, are the copy's. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (name === WORKSPACE) linkPackages(join(from, name), join(to, name));
    else symlinkSync(entry.isSymbolicLink() ? resolve(to, readlinkSync(join(from, name))) : join(from, name), join(to, name));
  }
}

/** The scope of the packages of the workspace; some of them have none. */
const WORKSPACE = '@specwright';

export interface RunOptions {
  readonly timeoutMs: number;
  readonly workers?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** The processes of the runs that go on: each leads a group. */
const leaders = new Set<ChildProcess>();
let isStopped = false;

/** Ends the runs that go on, with all that they have started: for a process that is about to end, as none of them is ever done. */
export function killRuns(): void {
  isStopped = true;
  for (const leader of leaders) killGroup(leader);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Runs test files of a folder, in this order, until the first one fails; with more than one worker all. */
export function runTests(cwd: string, files: readonly string[], { timeoutMs, workers = 1, env = {} }: RunOptions): Promise<TestRun> {
  const reportFile = join(mkdtempSync(join(tmpdir(), 'mutant-report-')), 'report.json');
  // What a test waits for may take as much longer as the machine is slower: one that says what it has waited for has noticed a mutant.
  const args = [
    ...JEST,
    `--testTimeout=${scaleTimeout(TEST_TIMEOUT_MS)}`,
    ...(workers === 1 ? ['--runInBand', '--bail'] : [`--maxWorkers=${workers}`]),
  ];
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [...args, '--runTestsByPath', ...files], {
      cwd,
      // A group of its processes, which end together: a mutant may keep the servers of its tests from stopping.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, MUTANT_REPORT: reportFile },
    });
    leaders.add(child);
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, timeoutMs);
    child.once('error', reject);
    // Its output may be held open by what it has left behind, which ends with it.
    child.once('exit', () => killGroup(child));
    child.once('close', (code) => {
      clearTimeout(timer);
      leaders.delete(child);
      const bad = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as FailedFile[]) : [];
      rmSync(dirname(reportFile), { recursive: true, force: true });
      // What was ended says nothing of its mutant.
      if (isStopped) return;
      const isSlow = bad.length > 0 && bad.every(isOnlySlow);
      done({
        outcome: isLate || isSlow ? 'timed out' : code === 0 ? 'passed' : 'failed',
        output,
        failed: new Set(bad.map(({ file }) => relative(cwd, file))),
      });
    });
  });
}

const isOnlySlow = ({ messages }: FailedFile): boolean => messages.every((text) => /Exceeded timeout of \d+ ms/.test(text));

/** The root of the repository. */
export const REPOSITORY = resolve(fileURLToPath(new URL('../..', import.meta.url)));
