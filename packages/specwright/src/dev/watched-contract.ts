/** A contract of the loop: its spec is read, checked and generated from when a save has changed it. */
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { checkDocument, ContractError, formatProblem, readDocument, type SourceDocument } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { generateUnchecked, hasClient } from '../generate/generate.ts';
import { writeGenerated } from '../generate/generated-files.ts';
import type { ProjectConfig } from '../project-config.ts';
import { addGenerated, type FormerOperations } from '../stubs/former-operations.ts';
import type { SpecCheck, SpecWorker } from './checks/spec-worker.ts';
import type { TypeChecker } from './compiler/type-checker.ts';
import { withoutEdited } from './report/report-generated.ts';
import type { HandlerParts } from './report/report-handlers.ts';
import { createLintReport, type LintReport } from './report/report-lint.ts';
import { rankSpecProblems } from './report/rank-spec-problems.ts';
import type { WalkParts } from './report/report-walk.ts';
import { fixFirst, screenOf, type Screen } from './report/screen.ts';

/** What the loop is told of a contract. */
export interface ContractParts extends Pick<WalkParts, 'walk' | 'changed' | 'history'> {
  readonly project: ProjectConfig;
  /** Its spec, from the root. */
  readonly spec: string;
}

/** What contracts have in common. */
export interface WatchParts extends Pick<HandlerParts, 'stubs' | 'onWritten'> {
  readonly screen: Screen;
  readonly types: TypeChecker;
  readonly specWorker: SpecWorker;
  /** Is told which files a spec is written in (absolute paths), so that they are watched. */
  readonly onRead: (files: readonly string[]) => void;
}

export interface WatchedContract extends ContractParts {
  /** Its lines on the screen. */
  readonly screen: Screen;
  readonly lint: LintReport;
  /** Names that its operations have had since the start, however often the generated table was written since. */
  readonly former: FormerOperations;
  /** The spec when it last had no problem. */
  source(): SourceDocument | undefined;
  /** What that gives: path from the root -> content. */
  generated(): ReadonlyMap<string, string>;
  /** The slow checks of it, which begin when they are first asked for. */
  check(): SpecCheck;
  /** Whether the spec was changed, or has problems. */
  isPending(): boolean;
  /** The files that the spec is written in, absolute. */
  files(): readonly string[];
  /** Records saved files. @param known those of all contracts: another file in the folder of the spec may be a new part of it. */
  touch(saved: ReadonlySet<string>, known: ReadonlySet<string>): void;
  /** Reads and checks the spec and writes what is generated from it. @returns whether it has no problems; `false` once aborted, too. */
  read(signal: AbortSignal): Promise<boolean>;
}

export function watchContract(contract: ContractParts, parts: WatchParts): WatchedContract {
  const { project, spec } = contract;
  const { types, specWorker, onWritten, onRead } = parts;
  const { root } = project;
  const screen = screenOf(parts.screen, project);
  const former: FormerOperations = new Map();
  // What is still to be done, over several saves if one has problems.
  let pending = true;
  let source: SourceDocument | undefined;
  let files: readonly string[] = [resolve(root, spec)];
  let check: SpecCheck | undefined;
  let generated: ReadonlyMap<string, string> = new Map();

  async function read(signal: AbortSignal): Promise<boolean> {
    const began = performance.now();
    let text: string | undefined;
    try {
      const document = readDocument(spec);
      text = document.source;
      files = document.files.map(({ file }) => resolve(root, file));
      onRead(files);
      const problems = await checkDocument(document);
      if (problems.length > 0) throw new ContractError(spec, problems);
      if (signal.aborted) return false;
      const made = await generateUnchecked(document, { client: hasClient(join(root, project.generated)) });
      addGenerated(former, project);
      generated = new Map([...made].map(([name, text]) => [posix.join(project.generated, name), text]));
      const written = writeGenerated(root, withoutEdited(project, generated));
      onWritten(written);
      types.touch(written);
      source = document;
      check = undefined;
      pending = false;
      const names = written.length === 0 ? `${project.generated}/ is up to date` : `wrote ${written.map(fromRoot).join(', ')}`;
      screen.section('spec', `ok; ${names} (${Math.round(performance.now() - began)} ms)`);
      return true;
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      // A file that was not read for its error has to be watched too.
      onRead(error.problems.flatMap(({ file }) => (file === undefined ? [] : [resolve(root, file)])));
      const problems = rankSpecProblems(error.problems, source, text).map((problem) => formatProblem(spec, problem));
      const summary = `${plural(problems.length, 'problem')}, and nothing else is checked yet`;
      screen.section('spec', summary, problems, fixFirst(problems));
      return false;
    }
  }

  const fromRoot = (file: string) => relative(root, file).split(sep).join('/');

  return {
    ...contract,
    screen,
    former,
    lint: createLintReport({ project, screen, spec }),
    source: () => source,
    generated: () => generated,
    check: () => (check ??= specWorker.check(spec, project.contractName)),
    isPending: () => pending,
    files: () => files,
    touch(saved, known) {
      const folder = resolve(root, dirname(spec)) + sep;
      pending ||= [...saved].some((file) => files.includes(file) || (file.startsWith(folder) && !known.has(file)));
    },
    read,
  };
}
