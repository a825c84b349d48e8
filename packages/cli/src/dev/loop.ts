/** What happens at a save: spec, generated code, handlers, types, lint, server; it ends at the first that has to be mended. */
import { dirname, join, relative, sep } from 'node:path';
import { checkDocument, ContractError, formatProblem, readDocument, type SourceDocument, formatFatalError } from '@specwright/server';
import { emit } from '../generate.ts';
import { writeGenerated } from '../generated.ts';
import type { TypeProblem } from './compiler.ts';
import { lookAtHandlers, type HandlerParts } from './handlers.ts';
import type { Inspection, Inspector } from './inspection.ts';
import { time } from './screen.ts';
import type { DevServer } from './server.ts';
import { count } from '../words.ts';

export interface LoopParts extends HandlerParts {
  readonly inspector: Inspector;
  readonly server: DevServer;
}

export interface Loop {
  /** Takes up a save. One that comes while another is looked at starts over. */
  save(files: ReadonlySet<string>): void;
  /** Takes up nothing any more, and resolves when nothing is under way. */
  end(): Promise<void>;
}

/** Something has to be mended before it makes sense to look at more. */
class Halt extends Error {}

export function createLoop(parts: LoopParts): Loop {
  const { root, spec, screen, types, inspector, server, wrote } = parts;
  // What is still to be done, however many saves it takes until it can be.
  let specDue = true;
  let serverDue = true;
  let source: SourceDocument | undefined;
  let inspection: Inspection | undefined;
  let saved = time(new Date());

  let pending: Set<string> | undefined;
  let current = new AbortController();
  let running: Promise<void> | undefined;
  let ended = false;

  async function pass(signal: AbortSignal): Promise<void> {
    // A later save is looked at instead.
    const over = () => signal.aborted;
    if (specDue) await readSpec(signal);
    if (source === undefined || over()) return;
    const complete = await lookAtHandlers(parts, source);
    const sound = await checkTypes('program', signal);
    if (over()) return;
    // Only now: what a person waits for has the processors for itself.
    inspection ??= inspector.ask(spec);
    const starting = complete && sound ? startServer(signal) : undefined;
    await checkTypes('rest', signal);
    if (over()) return;
    const findings = await unless(signal, inspection.lint);
    if (findings !== undefined)
      screen.section('lint', findings.length === 0 ? 'ok' : `${count(findings.length, 'finding')} in the spec`, findings);
    await unless(signal, starting);
    if (!over()) sayServer();
  }

  /** Reads and checks the spec and writes what is generated from it. */
  async function readSpec(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    try {
      const read = readDocument(spec);
      const problems = await checkDocument(read);
      if (problems.length > 0) throw new ContractError(spec, problems);
      if (signal.aborted) return;
      const written = writeGenerated(join(root, 'generated'), await emit(read));
      wrote(written);
      types.touch(written);
      source = read;
      inspection = undefined;
      specDue = false;
      serverDue = true;
      const names = written.length === 0 ? 'generated/ is up to date' : `wrote ${written.map(fromRoot).join(', ')}`;
      screen.section('spec', `ok; ${names} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      halt('spec', `${count(error.problems.length, 'problem')}; nothing else is looked at until the spec is mended`, problemsOf(error));
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
      problems.length === 0 ? `ok ${took}` : `${count(problems.length, 'error')} ${took}`,
      problems.map(formatTypeProblem),
    );
    return problems.length === 0;
  }

  const formatTypeProblem = ({ file, line, column, message }: TypeProblem) => `${fromRoot(file)}:${line}:${column} ${message}`;

  /** Starts what is good, unless it runs already. A schema that does not compile is found here at last. */
  async function startServer(signal: AbortSignal): Promise<void> {
    if (!serverDue && server.alive()) return;
    const problems = (await unless(signal, inspection?.compile)) ?? [];
    if (signal.aborted) return;
    if (problems.length > 0) {
      screen.section('spec', count(problems.length, 'problem'), problems);
      return;
    }
    serverDue = false;
    await server.restart(saved);
  }

  function sayServer(): void {
    const behind = (specDue || serverDue) && server.alive() ? '; it is started again when the above is mended' : '';
    screen.section('server', server.state() + behind);
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
      saved = time(new Date());
      const within = (folder: string) => [...files].some((file) => file.startsWith(join(root, folder) + sep));
      if (within(dirname(spec))) specDue = true;
      if (within('src') || within('generated')) serverDue = true;
      types.touch(files);
      screen.begin(files);
      try {
        await pass(current.signal);
      } catch (error) {
        if (error instanceof Halt) sayServer();
        else screen.section('server', `this save could not be looked at: ${formatFatalError(error)}`);
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

/** What a promise gives, or nothing as soon as the signal says that nobody needs it. */
function unless<T>(signal: AbortSignal, promise: Promise<T> | undefined): Promise<T | undefined> {
  if (promise === undefined || signal.aborted) return Promise.resolve(undefined);
  return new Promise((settle, reject) => {
    signal.addEventListener('abort', () => settle(undefined), { once: true });
    promise.then(settle, reject);
  });
}
