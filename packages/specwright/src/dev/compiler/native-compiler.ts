/** The native TypeScript compiler as a long-running process that keeps what it has parsed, and checks file by file. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API, type Diagnostic, type Program, type Snapshot } from 'typescript-native/unstable/async';
import { temporaryFolder } from '../../files/write-files.ts';
import { type Compiler, type DiagnosticLevel, type TypeProblem, summarizeDiagnostic } from './compiler.ts';

/** @param config the absolute path of tsconfig.json. @throws Error if the compiler cannot be run here. */
export async function startNative(config: string): Promise<Compiler> {
  const api = await startApi(dirname(config));
  let snapshot = await api.updateSnapshot({ openProjects: [config] });
  let project = projectOf(snapshot, config);
  return {
    async update({ changed, created, deleted }) {
      const next = await api.updateSnapshot({ fileChanges: { changed: [...changed], created: [...created], deleted: [...deleted] } });
      await snapshot.dispose();
      snapshot = next;
      project = projectOf(snapshot, config);
      return project.rootFiles;
    },
    diagnose: (file) => diagnose(project.program, file),
    close: () => api.close(),
  };
}

function projectOf(snapshot: Snapshot, config: string) {
  const project = snapshot.getProject(config);
  if (project === undefined) throw new Error(`${config} is not a project`);
  return project;
}

async function diagnose(program: Program, file: string): Promise<TypeProblem[]> {
  const [syntactic, semantic] = await Promise.all([program.getSyntacticDiagnostics(file), program.getSemanticDiagnostics(file)]);
  const diagnostics = syntactic.length > 0 ? syntactic : semantic;
  if (diagnostics.length === 0) return [];
  const text = readFileSync(file, 'utf8');
  return diagnostics.map((diagnostic) => ({
    file,
    ...position(text, diagnostic.pos),
    message: summarizeDiagnostic(levels(diagnostic, 0)),
    isSyntax: syntactic.length > 0,
  }));
}

function levels({ text, messageChain = [] }: Diagnostic, depth: number): DiagnosticLevel[] {
  return [{ text, depth }, ...messageChain.flatMap((cause) => levels(cause, depth + 1))];
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Starts the native TypeScript compiler as a process that the Ctrl-C of a terminal does not reach. */
const POLL_INTERVAL_MS = 5;
const START_TIMEOUT_MS = 30_000;

/**
 * What the API starts itself is in the process group of the loop: a terminal sends Ctrl-C to all of it, and the compiler says
 * `context canceled`. This one has a group of its own; it ends with its connection, so also when the loop is killed.
 *
 * @throws Error if it does not start.
 */
async function startApi(cwd: string): Promise<API> {
  // A console of Windows has no groups to be left.
  if (process.platform === 'win32') return new API({ cwd });
  const folder = temporaryFolder('types-');
  const pipe = join(folder.path, 'api');
  const child = spawn(executable(), ['--api', '--async', '--cwd', cwd, '--pipe', pipe], {
    detached: true,
    // Its garbage collection takes as long as a check; with twice the memory it has to collect in one save of four, not of two.
    env: { GOGC: '200', ...process.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.unref();
  let ended: Error | undefined;
  child.once('error', (error) => (ended = error));
  child.once('exit', (code, signal) => (ended ??= new Error(`it ended with ${String(signal ?? code)}`)));
  const deadline = performance.now() + START_TIMEOUT_MS;
  try {
    for (;;) {
      const api = existsSync(pipe) ? await connectTo(pipe) : undefined;
      if (api instanceof API) return api;
      if (ended !== undefined) throw ended;
      if (performance.now() > deadline) throw api ?? new Error(`it does not listen after ${START_TIMEOUT_MS / 1000} s`);
      await sleep(POLL_INTERVAL_MS);
    }
  } catch (error) {
    // It would wait for a connection for ever, whatever it is told.
    child.kill('SIGKILL');
    throw error;
  } finally {
    // An open connection needs its file no longer.
    folder.remove();
  }
}

/** @returns the reason if nobody answers: the file is there a moment before the compiler listens. */
async function connectTo(pipe: string): Promise<API | Error> {
  const api = new API({ pipe });
  try {
    await api.updateSnapshot({});
    return api;
  } catch (error) {
    return error as Error;
  }
}

/** In the package of this platform, which is an optional dependency of the compiler's. */
function executable(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('typescript-native/package.json'));
  return resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`).replace(/package\.json$/, 'lib/tsc');
}
