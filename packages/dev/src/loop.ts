/** The steps after a save: spec, generated code, handlers, types, lint, server, contract walk. A problem in one prevents those that depend on it. */
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { formatFatalError } from '@specwright/server';
import { checkDocument, ContractError, formatProblem, readDocument, type SourceDocument } from '@specwright/server/document';
import { plural } from '@specwright/server/command';
import { generateUnchecked, hasClient, writeGenerated } from '@specwright/cli';
import { addGenerated, type FormerOperations } from '@specwright/create';
import type { DevServer } from './server/dev-server.ts';
import { reportDatabase, type DatabaseParts } from './report/report-database.ts';
import { reportGenerated, withoutEdited } from './report/report-generated.ts';
import { reportHandlers, type HandlerParts } from './report/report-handlers.ts';
import { createLintReport } from './report/report-lint.ts';
import { rankSpecProblems } from './report/rank-spec-problems.ts';
import { createPackageReport } from './report/report-packages.ts';
import { reportTypes } from './report/report-types.ts';
import { reportWalk, type WalkParts } from './report/report-walk.ts';
import { fixFirst, formatTime } from './report/screen.ts';
import type { SpecCheck, SpecWorker } from './checks/spec-worker.ts';

export interface LoopParts extends HandlerParts, DatabaseParts, WalkParts {
  readonly specWorker: SpecWorker;
  readonly server: DevServer;
  /** Is told which files the spec is written in (absolute paths), so that they are watched. */
  readonly onRead: (files: readonly string[]) => void;
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
  const { project, spec, screen, types, specWorker, server, walker, changed, onWritten, onRead } = parts;
  const { root } = project;
  // What is still to be done, over several saves if one has problems.
  let specPending = true;
  let serverPending = true;
  let source: SourceDocument | undefined;
  let specFiles: readonly string[] = [];
  let specCheck: SpecCheck | undefined;
  // What the spec gives: path from the root -> content.
  let generatedFiles: ReadonlyMap<string, string> = new Map();
  let saved = formatTime(new Date());
  // Names that operations have had since the start, however often the generated table was written since.
  const former: FormerOperations = new Map();

  const lint = createLintReport(parts);
  const packages = createPackageReport(parts);

  let pending: Set<string> | undefined;
  let current = new AbortController();
  let running: Promise<void> | undefined;
  let ended = false;

  async function pass(signal: AbortSignal): Promise<void> {
    // A later save has replaced this one.
    const isReplaced = () => signal.aborted;
    if (specPending) await readSpec(signal);
    if (source === undefined || isReplaced()) return;
    // Begins at once, in the process of the compiler; what is said of it comes in its turn.
    void types.check('program', signal).catch(() => undefined);
    await reportGenerated(parts, generatedFiles);
    const safe = lint.begin(source);
    const usable = await reportDatabase(parts, source, signal);
    if (isReplaced()) return;
    const { complete, isObsolete } = await reportHandlers(parts, source, former);
    const sound = await reportTypes(parts, 'program', isObsolete, signal);
    if (isReplaced()) return;
    // Only now, so that the type check has the processors for itself.
    specCheck ??= specWorker.check(spec);
    const starting = usable && complete && sound && safe ? startServer(signal) : undefined;
    changed.update(source);
    await reportTypes(parts, 'rest', isObsolete, signal);
    if (isReplaced()) return;
    const problems = await unless(signal, specCheck.lint);
    if (problems !== undefined) lint.end(source, problems);
    await unless(signal, starting);
    if (isReplaced()) return;
    if (usable && complete && sound && safe && server.alive()) await reportWalk(parts, signal);
    if (isReplaced()) return;
    reportServer();
    screen.end();
    server.prepare();
    walker?.prepare();
  }

  /** Reads and checks the spec and writes what is generated from it. */
  async function readSpec(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    let text: string | undefined;
    try {
      const read = readDocument(spec);
      text = read.source;
      specFiles = read.files.map(({ file }) => resolve(root, file));
      onRead(specFiles);
      const problems = await checkDocument(read);
      if (problems.length > 0) throw new ContractError(spec, problems);
      if (signal.aborted) return;
      const generated = await generateUnchecked(read, { client: hasClient(join(root, project.generated)) });
      addGenerated(former, project);
      generatedFiles = new Map([...generated].map(([name, text]) => [posix.join(project.generated, name), text]));
      const written = writeGenerated(root, withoutEdited(project, generatedFiles));
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
      // A file that was not read for its error has to be watched too.
      onRead(error.problems.flatMap(({ file }) => (file === undefined ? [] : [resolve(root, file)])));
      const problems = rankSpecProblems(error.problems, source, text).map((problem) => formatProblem(spec, problem));
      const summary = `${plural(problems.length, 'problem')}, and nothing else is checked yet`;
      screen.section('spec', summary, problems, fixFirst(problems));
      throw new Halt();
    }
  }

  const fromRoot = (file: string) => relative(root, file).split(sep).join('/');

  /** Restarts the server, unless nothing has changed for it or a schema does not compile. */
  async function startServer(signal: AbortSignal): Promise<void> {
    if (!serverPending && server.alive()) return;
    const problems = (await unless(signal, specCheck?.compile)) ?? [];
    if (signal.aborted) return;
    if (problems.length > 0) {
      screen.section('spec', plural(problems.length, 'problem'), problems, fixFirst(problems));
      return;
    }
    serverPending = false;
    await server.restart(saved);
  }

  function reportServer(): void {
    const { summary, fix } = server.state();
    const isBehind = (specPending || serverPending) && server.alive();
    screen.section('server', isBehind ? `${summary}, until the spec, the handlers and the types are good` : summary, [], fix);
  }

  async function run(): Promise<void> {
    while (pending !== undefined) {
      const files = pending;
      pending = undefined;
      current = new AbortController();
      saved = formatTime(new Date());
      const within = (folder: string) => [...files].some((file) => file.startsWith(join(root, folder) + sep));
      if (within(dirname(spec)) || specFiles.some((file) => files.has(file))) specPending = true;
      if (within(dirname(project.main)) || within(project.generated)) serverPending = true;
      types.touch(files);
      parts.database.touch(files);
      parts.history.touch(files);
      screen.begin(files);
      packages.report(files);
      try {
        await pass(current.signal);
      } catch (error) {
        if (error instanceof Halt) reportServer();
        else screen.section('server', `this save could not be checked: ${formatFatalError(error)}`, [], 'save again');
        screen.end();
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
