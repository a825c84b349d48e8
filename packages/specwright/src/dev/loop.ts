/** The steps after a save: spec, generated code, handlers, types, lint, server, contract walk. A problem in one prevents those that depend on it. */
import { dirname, join, relative, sep } from 'node:path';
import { formatFatalError } from '@specwright/server';
import { plural } from '@specwright/server/command';
import { generatedFolders } from '../generate/generated-files.ts';
import type { Project } from '../project-config.ts';
import type { SpecCheck } from './checks/spec-worker.ts';
import type { TypeProblem } from './compiler/compiler.ts';
import type { TypeChecker } from './compiler/type-checker.ts';
import { type DatabaseParts, createPackageReport, reportDatabase, reportGenerated } from './report/report-database.ts';
import { type HandlerReport, reportHandlers } from './report/report-handlers.ts';
import { type WalkParts, reportWalk } from './walk/walker.ts';
import { type Screen, fixFirst, formatTime } from './report/screen.ts';
import type { DevServer } from './server/dev-server.ts';
import { type ContractParts, type WatchParts, watchContract } from './watched-contract.ts';

export interface LoopParts extends WatchParts, Pick<DatabaseParts, 'project' | 'database'>, Pick<WalkParts, 'walker'> {
  readonly contracts: readonly ContractParts[];
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
  const { project, screen, types, server, walker } = parts;
  const { root } = project;
  const contracts = parts.contracts.map((contract) => watchContract(contract, parts));
  const generated = generatedFolders(project).map((folder) => folder.generated);
  // What is still to be done, over several saves if one has problems.
  let serverPending = true;
  let saved = formatTime(new Date());

  const packages = createPackageReport(parts);

  let pending: Set<string> | undefined;
  let current = new AbortController();
  let running: Promise<void> | undefined;
  let ended = false;

  async function pass(signal: AbortSignal): Promise<void> {
    // A later save has replaced this one.
    const isReplaced = () => signal.aborted;
    const read = await readSpecs(signal);
    if (isReplaced()) return;
    // Begins at once, in the process of the compiler; what is said of it comes in its turn.
    void types.check('program', signal).catch(() => undefined);
    await reportGenerated(parts, new Map(read.flatMap((contract) => [...contract.generated()])));
    const safe = read.map(({ lint, source }) => lint.begin(source)).every(Boolean);
    const usable = await reportDatabase(parts, read, signal);
    if (isReplaced()) return;
    const handlers: HandlerReport[] = [];
    for (const contract of read) handlers.push(await reportHandlers({ ...parts, ...contract }, contract.source, contract.former));
    const complete = handlers.every((report) => report.complete);
    const isObsolete: HandlerReport['isObsolete'] = (file, line) => handlers.some((report) => report.isObsolete(file, line));
    const sound = await reportTypes(parts, 'program', isObsolete, signal);
    if (isReplaced()) return;
    // Only now, so that the type check has the processors for itself.
    const checks = read.map((contract) => contract.check());
    const isGood = usable && complete && sound && safe;
    const starting = isGood ? startServer(checks, signal) : undefined;
    for (const { changed, source } of read) changed.update(source);
    await reportTypes(parts, 'rest', isObsolete, signal);
    if (isReplaced()) return;
    for (const contract of read) {
      const problems = await unless(signal, contract.check().lint);
      if (problems !== undefined) contract.lint.end(contract.source, problems);
    }
    await unless(signal, starting);
    if (isReplaced()) return;
    if (isGood && server.alive()) for (const contract of read) await reportWalk({ ...contract, walker }, signal);
    if (isReplaced()) return;
    reportServer();
    screen.end();
    server.prepare();
    walker?.prepare();
  }

  /** Reads each spec that has changed. @returns the contracts with their specs. @throws Halt if one has problems, after all were told. */
  async function readSpecs(signal: AbortSignal) {
    const isRead: boolean[] = [];
    for (const contract of contracts) {
      if (!contract.isPending()) continue;
      isRead.push(await contract.read(signal));
      if (signal.aborted) return [];
      serverPending ||= isRead.at(-1) === true;
    }
    if (isRead.includes(false)) throw new Halt();
    return contracts.flatMap((contract) => {
      const source = contract.source();
      return source === undefined ? [] : [{ ...contract, source }];
    });
  }

  /** Restarts the server, unless nothing has changed for it or a schema does not compile. */
  async function startServer(checks: readonly SpecCheck[], signal: AbortSignal): Promise<void> {
    if (!serverPending && server.alive()) return;
    const problems = (await unless(signal, Promise.all(checks.map(({ compile }) => compile))))?.flat() ?? [];
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
    const isBehind = (contracts.some((contract) => contract.isPending()) || serverPending) && server.alive();
    screen.section('server', isBehind ? `${summary}, until the spec, the handlers and the types are good` : summary, [], fix);
  }

  async function run(): Promise<void> {
    while (pending !== undefined) {
      const files = pending;
      pending = undefined;
      current = new AbortController();
      saved = formatTime(new Date());
      const within = (folder: string) => [...files].some((file) => file.startsWith(join(root, folder) + sep));
      const known = new Set(contracts.flatMap((contract) => contract.files()));
      for (const contract of contracts) contract.touch(files, known);
      if ([dirname(project.main), ...generated].some(within)) serverPending = true;
      types.touch(files);
      parts.database.touch(files);
      for (const { history } of contracts) history.touch(files);
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

/** The errors of types in one part of the project, without those that follow from a handler or a test without an operation. */
interface TypeParts {
  readonly project: Project;
  readonly screen: Screen;
  readonly types: TypeChecker;
}

/** @returns whether there is no error in that part. */
async function reportTypes(
  { project, screen, types }: TypeParts,
  part: 'program' | 'rest',
  isObsolete: HandlerReport['isObsolete'],
  signal: AbortSignal,
): Promise<boolean> {
  const began = performance.now();
  const all = await types.check(part, signal);
  if (signal.aborted) return false;
  const format = ({ file, line, column, message }: TypeProblem) =>
    `${relative(project.root, file).split(sep).join('/')}:${line}:${column} ${message}`;
  const problems = all.filter(({ file, line }) => !isObsolete(file, line)).map(format);
  const hidden = all.length > problems.length ? `, beside ${all.length - problems.length} in what has no operation` : '';
  const summary = problems.length === 0 ? 'ok' : plural(problems.length, 'error');
  const took = `(${Math.round(performance.now() - began)} ms)`;
  screen.section(part === 'program' ? 'types' : 'tests', `${summary}${hidden} ${took}`, problems, fixFirst(problems));
  return all.length === 0;
}
