/** The steps after a save: spec, generated code, handlers, types, lint, server. A problem in one prevents those that depend on it. */
import { dirname, join, relative, sep } from 'node:path';
import { checkDocument, ContractError, formatProblem, readDocument, type SourceDocument, formatFatalError } from '@specwright/server';
import { plural } from '../format.ts';
import { generateUnchecked } from '../generate/generate.ts';
import { writeGenerated } from '../generate/generated-files.ts';
import type { TypeProblem } from './compiler.ts';
import type { DevServer } from './dev-server.ts';
import { reportHandlers, type HandlerParts } from './report-handlers.ts';
import { formatTime } from './screen.ts';
import type { SpecCheck, SpecWorker } from './spec-worker.ts';

export interface LoopParts extends HandlerParts {
  readonly specWorker: SpecWorker;
  readonly server: DevServer;
}

export interface Loop {
  /** Checks after a save. One that comes during a check starts it again. */
  save(files: ReadonlySet<string>): void;
  /** Accepts no more saves, and resolves when no check is under way. */
  end(): Promise<void>;
}

/** A problem that has to be fixed before anything else can be checked. */
class Halt extends Error {}

export function createLoop(parts: LoopParts): Loop {
  const { project, spec, screen, types, specWorker, server, onWritten } = parts;
  const { root } = project;
  // What is still to be done, over several saves if one has problems.
  let specPending = true;
  let serverPending = true;
  let source: SourceDocument | undefined;
  let specCheck: SpecCheck | undefined;
  let saved = formatTime(new Date());

  let pending: Set<string> | undefined;
  let current = new AbortController();
  let running: Promise<void> | undefined;
  let ended = false;

  async function pass(signal: AbortSignal): Promise<void> {
    // A later save has replaced this one.
    const isReplaced = () => signal.aborted;
    if (specPending) await readSpec(signal);
    if (source === undefined || isReplaced()) return;
    const complete = await reportHandlers(parts, source);
    const sound = await checkTypes('program', signal);
    if (isReplaced()) return;
    // Only now, so that the type check has the processors for itself.
    specCheck ??= specWorker.check(spec);
    const starting = complete && sound ? startServer(signal) : undefined;
    await checkTypes('rest', signal);
    if (isReplaced()) return;
    const problems = await unless(signal, specCheck.lint);
    if (problems !== undefined)
      screen.section('lint', problems.length === 0 ? 'ok' : `${plural(problems.length, 'problem')} in the spec`, problems);
    await unless(signal, starting);
    if (!isReplaced()) reportServer();
  }

  /** Reads and checks the spec and writes what is generated from it. */
  async function readSpec(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    try {
      const read = readDocument(spec);
      const problems = await checkDocument(read);
      if (problems.length > 0) throw new ContractError(spec, problems);
      if (signal.aborted) return;
      const written = writeGenerated(join(root, project.generated), await generateUnchecked(read));
      onWritten(written);
      types.touch(written);
      source = read;
      specCheck = undefined;
      specPending = false;
      serverPending = true;
      const names = written.length === 0 ? `${project.generated}/ is up to date` : `wrote ${written.map(fromRoot).join(', ')}`;
      screen.section('spec', `ok; ${names} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      halt('spec', `${plural(error.problems.length, 'problem')}; nothing else is checked until the spec is fixed`, problemsOf(error));
    }
  }

  const problemsOf = ({ problems }: ContractError) => problems.map((problem) => formatProblem(spec, problem));
  const fromRoot = (file: string) => relative(root, file).split(sep).join('/');

  /** @returns whether there is no error in that part. */
  async function checkTypes(part: 'program' | 'rest', signal: AbortSignal): Promise<boolean> {
    const began = performance.now();
    const problems = await types.check(part, signal);
    if (signal.aborted) return false;
    const name = part === 'program' ? 'types' : 'tests';
    const took = `(${Math.round(performance.now() - began)} ms)`;
    screen.section(
      name,
      problems.length === 0 ? `ok ${took}` : `${plural(problems.length, 'error')} ${took}`,
      problems.map(formatTypeProblem),
    );
    return problems.length === 0;
  }

  const formatTypeProblem = ({ file, line, column, message }: TypeProblem) => `${fromRoot(file)}:${line}:${column} ${message}`;

  /** Restarts the server, unless nothing has changed for it or a schema does not compile. */
  async function startServer(signal: AbortSignal): Promise<void> {
    if (!serverPending && server.alive()) return;
    const problems = (await unless(signal, specCheck?.compile)) ?? [];
    if (signal.aborted) return;
    if (problems.length > 0) {
      screen.section('spec', plural(problems.length, 'problem'), problems);
      return;
    }
    serverPending = false;
    await server.restart(saved);
  }

  function reportServer(): void {
    const suffix = (specPending || serverPending) && server.alive() ? '; it is restarted when the above is fixed' : '';
    screen.section('server', server.formatState() + suffix);
  }

  function halt(section: 'spec', summary: string, details: readonly string[]): never {
    screen.section(section, summary, details);
    throw new Halt();
  }

  async function run(): Promise<void> {
    while (pending !== undefined) {
      const files = pending;
      pending = undefined;
      current = new AbortController();
      saved = formatTime(new Date());
      const within = (folder: string) => [...files].some((file) => file.startsWith(join(root, folder) + sep));
      if (within(dirname(spec))) specPending = true;
      if (within(dirname(project.main)) || within(project.generated)) serverPending = true;
      types.touch(files);
      screen.begin(files);
      try {
        await pass(current.signal);
      } catch (error) {
        if (error instanceof Halt) reportServer();
        else screen.section('server', `this save could not be checked: ${formatFatalError(error)}`);
      }
    }
    running = undefined;
  }

  return {
    save(files) {
      if (ended) return;
      pending = new Set([...(pending ?? []), ...files]);
      current.abort();
      running ??= run();
    },
    async end() {
      ended = true;
      pending = undefined;
      current.abort();
      await running;
    },
  };
}

/** The result of a promise, or `undefined` as soon as the signal is aborted. */
function unless<T>(signal: AbortSignal, promise: Promise<T> | undefined): Promise<T | undefined> {
  if (promise === undefined || signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    promise.then(resolve, reject);
  });
}
