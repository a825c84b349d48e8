/** The steps after a save: spec, generated code, handlers, types, lint, server, contract walk. A problem in one prevents those that depend on it. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { SourceDocument } from '@specwright/contract/document';
import { formatFatalError } from '@specwright/server';
import { plural } from '@specwright/server/command';
import { findEdited, generatedFolders } from '../generate/generated-files.ts';
import type { SpecCheck } from './checks/spec-worker.ts';
import type { TypeProblem } from './compiler/compiler.ts';
import { type DatabaseParts, createPackageReport, reportDatabase, reportGenerated } from './report/report-database.ts';
import { type HandlerReport, reportHandlers } from './report/report-handlers.ts';
import { type WalkParts, reportWalk } from './walk/walker.ts';
import { fixFirst, formatTime } from './report/screen.ts';
import type { DevServer } from './server/dev-server.ts';
import { type ContractParts, type WatchParts, watchContract } from './watched-contract.ts';

export interface LoopParts extends WatchParts, Pick<DatabaseParts, 'project' | 'database'>, Pick<WalkParts, 'walker'> {
  readonly contracts: readonly ContractParts[];
  readonly server: Pick<DevServer, 'restart' | 'state' | 'prepare' | 'alive'>;
}

type WatchedContract = ReturnType<typeof watchContract>;
type ReadContract = Omit<WatchedContract, 'source'> & { readonly source: SourceDocument };
type PackageReport = ReturnType<typeof createPackageReport>;

interface ProgramCheck {
  readonly isGood: boolean;
  readonly isObsolete: HandlerReport['isObsolete'];
}

/** A problem that has to be fixed before anything else can be checked. */
class Halt extends Error {}

export class Loop {
  readonly #parts: LoopParts;
  readonly #contracts: readonly WatchedContract[];
  readonly #packages: PackageReport;
  /** Whether the server is still to be restarted: over several saves, if one has problems. */
  #serverPending = true;
  #saved = formatTime(new Date());
  #pending: Set<string> | undefined;
  #current = new AbortController();
  #running: Promise<void> | undefined;
  #ended = false;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#contracts = parts.contracts.map((contract) => watchContract(contract, parts));
    this.#packages = createPackageReport(parts);
  }

  /** Checks after a save. One that comes during a check starts it again. */
  save(files: ReadonlySet<string>): void {
    if (this.#ended) return;
    this.#pending = new Set([...(this.#pending ?? []), ...files]);
    this.#current.abort();
    this.#running ??= this.#run();
  }

  /** Accepts no more saves, and resolves when no check is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#pending = undefined;
    this.#current.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { screen } = this.#parts;
    while (this.#pending !== undefined) {
      const files = this.#pending;
      this.#pending = undefined;
      this.#current = new AbortController();
      this.#saved = formatTime(new Date());
      this.#touch(files);
      screen.begin(files);
      this.#packages.report(files);
      try {
        await this.#pass(this.#current.signal);
      } catch (error) {
        if (error instanceof Halt) this.#reportServer();
        else screen.section('server', `this save could not be checked: ${formatFatalError(error)}`, [], 'save again');
        screen.end();
      }
    }
    this.#running = undefined;
  }

  /** Tells every part which files have changed. */
  #touch(files: ReadonlySet<string>): void {
    const { project, types, database } = this.#parts;
    const generated = generatedFolders(project);
    const folders = [dirname(project.main), ...generated.map((folder) => folder.generated)].map(
      (folder) => join(project.root, folder) + sep,
    );
    const known = new Set(this.#contracts.flatMap((contract) => contract.files()));
    for (const contract of this.#contracts) {
      const isGone = (file: string) => contract.generated().has(fromRoot(project, file)) && !existsSync(file);
      // What was generated and is deleted is written again, as after a save of the spec.
      contract.touch([...files].some(isGone) ? new Set([...files, ...contract.files()]) : files, known);
    }
    // What a generated file that was edited by hand says is not the contract's.
    const edited = generated.flatMap(findEdited).map(({ path }) => join(project.root, path));
    const isOfServer = (file: string) => folders.some((folder) => file.startsWith(folder)) && !edited.includes(file);
    if ([...files].some(isOfServer)) this.#serverPending = true;
    types.touch(files);
    database.touch(files);
    for (const { history } of this.#contracts) history.touch(files);
  }

  /** All checks of one save. A later save aborts the signal, and replaces them. */
  async #pass(signal: AbortSignal): Promise<void> {
    const { screen, types, server, walker } = this.#parts;
    const isReplaced = () => signal.aborted;
    const read = await this.#readSpecs(signal);
    if (isReplaced()) return;
    // Begins at once, in the process of the compiler; its result is reported in its turn.
    void types.check('program', signal).catch(() => undefined);
    const { isGood, isObsolete } = await this.#checkProgram(read, signal);
    if (isReplaced()) return;
    // Only now, so that the type check has the processors for itself.
    const checks = read.map((contract) => contract.check());
    const starting = isGood ? this.#startServer(checks, signal) : undefined;
    for (const { changed, source } of read) changed.update(source);
    await reportTypes(this.#parts, 'rest', isObsolete, signal);
    for (const contract of isReplaced() ? [] : read) {
      const problems = await unless(signal, contract.check().lint);
      if (problems !== undefined) contract.lint.end(contract.source, problems);
    }
    await unless(signal, starting);
    if (isReplaced()) return;
    if (isGood && server.alive()) for (const contract of read) await reportWalk({ ...contract, walker }, signal);
    if (isReplaced()) return;
    this.#reportServer();
    screen.end();
    server.prepare();
    walker?.prepare();
  }

  /** Reports everything that has to be good before a server is started. */
  async #checkProgram(read: readonly ReadContract[], signal: AbortSignal): Promise<ProgramCheck> {
    const parts = this.#parts;
    await reportGenerated(parts, new Map(read.flatMap((contract) => [...contract.generated()])));
    const safe = read.map(({ lint, source }) => lint.begin(source)).every(Boolean);
    const usable = await reportDatabase(parts, read, signal);
    const handlers: HandlerReport[] = [];
    const isObsolete: HandlerReport['isObsolete'] = (file, line) => handlers.some((report) => report.isObsolete(file, line));
    if (signal.aborted) return { isGood: false, isObsolete };
    for (const contract of read) handlers.push(await reportHandlers({ ...parts, ...contract }, contract.source, contract.former));
    const complete = handlers.every((report) => report.complete);
    const sound = await reportTypes(parts, 'program', isObsolete, signal);
    return { isGood: usable && complete && sound && safe, isObsolete };
  }

  /** Reads each spec that has changed. @returns the contracts with their specs. @throws Halt if one has problems, after all were reported. */
  async #readSpecs(signal: AbortSignal): Promise<ReadContract[]> {
    const isRead: boolean[] = [];
    for (const contract of this.#contracts) {
      if (!contract.isPending()) continue;
      isRead.push(await contract.read(signal));
      if (signal.aborted) return [];
      this.#serverPending ||= isRead.at(-1) === true;
    }
    if (isRead.includes(false)) throw new Halt();
    return this.#contracts.flatMap((contract) => {
      const source = contract.source();
      return source === undefined ? [] : [{ ...contract, source }];
    });
  }

  /** Restarts the server, unless nothing has changed for it or a schema does not compile. */
  async #startServer(checks: readonly SpecCheck[], signal: AbortSignal): Promise<void> {
    const { screen, server } = this.#parts;
    if (!this.#serverPending && server.alive()) return;
    const problems = (await unless(signal, Promise.all(checks.map(({ compile }) => compile))))?.flat() ?? [];
    if (signal.aborted) return;
    if (problems.length > 0) {
      screen.section('spec', plural(problems.length, 'problem'), problems, fixFirst(problems));
      return;
    }
    this.#serverPending = false;
    await server.restart(this.#saved);
  }

  #reportServer(): void {
    const { screen, server } = this.#parts;
    const { summary, fix } = server.state();
    const isBehind = (this.#contracts.some((contract) => contract.isPending()) || this.#serverPending) && server.alive();
    screen.section('server', isBehind ? `${summary}, until the spec, the handlers and the types are good` : summary, [], fix);
  }
}

const fromRoot = ({ root }: LoopParts['project'], file: string): string => relative(root, file).split(sep).join('/');

/** The result of a promise, or `undefined` as soon as the signal is aborted. */
function unless<T>(signal: AbortSignal, promise: Promise<T> | undefined): Promise<T | undefined> {
  if (promise === undefined || signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * Reports the errors of types in one part of the project, without those that follow from a handler or a test without an operation.
 *
 * @returns whether there is no error in that part.
 */
async function reportTypes(
  { project, screen, types }: LoopParts,
  part: 'program' | 'rest',
  isObsolete: HandlerReport['isObsolete'],
  signal: AbortSignal,
): Promise<boolean> {
  const began = performance.now();
  const all = await types.check(part, signal);
  if (signal.aborted) return false;
  const format = ({ file, line, column, message }: TypeProblem) => `${fromRoot(project, file)}:${line}:${column} ${message}`;
  const problems = all.filter(({ file, line }) => !isObsolete(file, line)).map(format);
  const hidden = all.length > problems.length ? `, beside ${all.length - problems.length} in what has no operation` : '';
  const summary = problems.length === 0 ? 'ok' : plural(problems.length, 'error');
  const took = `(${Math.round(performance.now() - began)} ms)`;
  screen.section(part === 'program' ? 'types' : 'tests', `${summary}${hidden} ${took}`, problems, fixFirst(problems));
  return all.length === 0;
}
