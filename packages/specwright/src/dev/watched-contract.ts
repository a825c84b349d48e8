/** A contract of the loop: its spec is read, checked and generated from when a save has changed it. */
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import {
  ContractError,
  type Problem,
  type SourceDocument,
  type SourceFile,
  checkDocument,
  formatProblem,
  pointerKeys,
  readDocument,
} from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { generateUnchecked, generatedForm } from '../generate/generate.ts';
import { writeGenerated } from '../generate/generated-files.ts';
import { type LintProblem, formatLintLine } from '../lint/lint-problem.ts';
import { lintQuickly } from '../lint/lint-spec.ts';
import type { ProjectConfig } from '../project-config.ts';
import { type FormerOperations, addGenerated } from '../stubs/obsolete-handlers.ts';
import type { SpecCheck, SpecWorker } from './checks/spec-worker.ts';
import type { TypeChecker } from './compiler/type-checker.ts';
import { editedParts, editedRange } from './walk/changed-operations.ts';
import { withoutEdited } from './report/report-database.ts';
import type { HandlerParts } from './report/report-handlers.ts';
import type { WalkParts } from './walk/walker.ts';
import { type Screen, fixFirst, screenOf } from './report/screen.ts';

export interface ContractParts extends Pick<WalkParts, 'walk' | 'changed' | 'history'> {
  readonly project: ProjectConfig;
  /** Its spec, from the root. */
  readonly spec: string;
}

export interface WatchParts extends Pick<HandlerParts, 'stubs' | 'onWritten'> {
  readonly screen: Screen;
  readonly types: TypeChecker;
  readonly specWorker: SpecWorker;
  /** Is told which files a spec is written in (absolute paths), so that they are watched. */
  readonly onRead: (files: readonly string[]) => void;
}

export function watchContract(contract: ContractParts, parts: WatchParts) {
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

  /** Reads and checks the spec and writes what is generated from it. @returns whether it has no problems; `false` once aborted, too. */
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
      const made = await generateUnchecked(document, generatedForm(join(root, project.generated)));
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
    /** Names that its operations have had since the start, however often the generated table was written since. */
    former,
    lint: createLintReport({ project, screen, spec }),
    /** The spec when it last had no problem. */
    source: () => source,
    /** What that gives: path from the root -> content. */
    generated: () => generated,
    /** The slow checks of it, which begin when they are first asked for. */
    check: () => (check ??= specWorker.check(spec, project.contractName)),
    /** Whether the spec was changed, or has problems. */
    isPending: () => pending,
    /** The files that the spec is written in, absolute. */
    files: () => files,
    /** Records saved files. @param known those of all contracts: another file in the folder of the spec may be a new part of it. */
    touch(saved: ReadonlySet<string>, known: ReadonlySet<string>): void {
      const folder = resolve(root, dirname(spec)) + sep;
      pending ||= [...saved].some((file) => files.includes(file) || (file.startsWith(folder) && !known.has(file)));
    },
    read,
  };
}

/** One problem for a component that was renamed or removed, where it was, and not one for each reference to it. */
const UNRESOLVED = /^Can't resolve \$ref (\S+)/;

/**
 * The problems, with several references to one component as one problem.
 *
 * @param before the last spec without problems; @param text the present one, if it could be parsed.
 */
export function rankSpecProblems(problems: readonly Problem[], before: SourceDocument | undefined, text: string | undefined): Problem[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const target = UNRESOLVED.exec(problem.message)?.[1];
    const key = target ?? `${problem.line}:${problem.column}:${problem.message}`;
    groups.set(key, [...(groups.get(key) ?? []), problem]);
  }
  return [...groups].flatMap(([target, group]) => {
    const [first] = group;
    if (first === undefined || !UNRESOLVED.test(first.message) || first.file !== undefined) return group;
    const former = before === undefined || text === undefined ? undefined : formerLine(target, before, text);
    const references = group.length === 1 ? 'a reference' : `${group.length} references`;
    if (former !== undefined) {
      const message = `${target} is gone, and ${references} to it ${group.length === 1 ? 'is' : 'are'} left, first in line ${first.line ?? 1}: restore it, or change them`;
      return [{ ...former, message }];
    }
    return group.length === 1 ? group : [{ ...first, message: `${first.message}, in ${references}` }];
  });
}

/** Where a part of the document was that is gone; `undefined` if it was not there before either. */
function formerLine(target: string, before: SourceDocument, text: string): Pick<Problem, 'file' | 'line' | 'column'> | undefined {
  if (!target.startsWith('#/')) return undefined;
  const keys = pointerKeys(target);
  const at = before.locate(keys);
  const parent = before.locate(keys.slice(0, -1));
  // What is not found is located at its parent.
  if (at.line === parent.line && at.column === parent.column) return undefined;
  if (at.file !== undefined) return at;
  const { first, last } = editedRange(before.source, text);
  return { line: at.line < first ? at.line : Math.max(first, Math.min(at.line, last)), column: at.column };
}

/** A request could stop a server with such a pattern: the last good server goes on. */
const BLOCKING_RULES = ['exponential-pattern'];

/**
 * Reported wherever the edit was: a schema means something else than is written, and what differs in the database and the types follows from it;
 * or a handler gets 500 whatever it answers.
 */
const MEANING_RULES = ['no-nullable', 'satisfiable-response'];

export type LintReport = ReturnType<typeof createLintReport>;

/** Problems of lint: first, before the errors of types that follow from them, those in the lines that were edited; then all. */
export function createLintReport({ project, screen, spec }: Pick<HandlerParts, 'project' | 'screen' | 'spec'>) {
  // The spec when it last had no problem, or at the start.
  let baseline: readonly SourceFile[] | undefined;
  let latest: { readonly source: SourceDocument; readonly problems: readonly LintProblem[] } | undefined;
  let shown: readonly string[] = [];

  return {
    /** Shows what the quick rules find in the lines that were edited, and what changes the meaning of schemas elsewhere. @returns whether a server may be started with the spec. */
    begin(source: SourceDocument): boolean {
      baseline ??= source.files;
      shown = [];
      if (latest?.source !== source) latest = { source, problems: lintNow(source, project) };
      const { problems } = latest;
      const isEdited = editedParts(baseline, source.files);
      const edited = problems.filter(({ file, line }) => isEdited(file, line));
      const others = problems.filter((problem) => MEANING_RULES.includes(problem.rule) && !edited.includes(problem));
      const lines = [...edited, ...others].map((problem) => formatLintLine(spec, problem));
      const where = others.length === 0 ? 'in what was edited' : 'that other problems may follow from';
      if (lines.length > 0) screen.section('lint', `${plural(lines.length, 'problem')} ${where}`, lines, fixFirst(lines));
      shown = lines;
      return !problems.some(({ rule }) => BLOCKING_RULES.includes(rule));
    },
    /** Shows all problems. @param lines of the linters, each with its location. */
    end(source: SourceDocument, lines: readonly string[]): void {
      const isEdited = editedParts(baseline ?? source.files, source.files);
      if (lines.length === 0) baseline = source.files;
      const isAtEdit = (text: string) => {
        const [, file, line] = /^(.*?):(\d+):\d+ /.exec(text) ?? [];
        return isEdited(file, Number(line));
      };
      const ranked = [...lines].sort((a, b) => Number(isAtEdit(b)) - Number(isAtEdit(a)));
      if (ranked.length > 0 && ranked.every((line) => shown.includes(line)))
        screen.section('lint', `${plural(lines.length, 'problem')}, shown above`);
      else screen.section('lint', lines.length === 0 ? 'ok' : plural(lines.length, 'problem'), ranked, fixFirst(ranked));
    },
  };
}

function lintNow(source: SourceDocument, project: ProjectConfig): readonly LintProblem[] {
  try {
    return lintQuickly(source, project);
  } catch {
    // Settings that are not valid are reported by the complete lint.
    return [];
  }
}
