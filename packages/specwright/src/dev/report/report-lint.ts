/** Problems of lint: first, before the errors of types that follow from them, those in the lines that were edited; then all. */
import type { SourceDocument, SourceFile } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { lintQuickly } from '../../lint/lint-spec.ts';
import type { LintProblem } from '../../lint/lint-problem.ts';
import type { ProjectConfig } from '../../project-config.ts';
import { formatLintLine } from '../checks/lint-line.ts';
import { editedParts } from './edited-lines.ts';
import { fixFirst, type Screen } from './screen.ts';

export interface LintReport {
  /** Shows what the quick rules find in the lines that were edited. @returns whether a server may be started with the spec. */
  begin(source: SourceDocument): boolean;
  /** Shows all problems. @param lines of the linters, each with its location. */
  end(source: SourceDocument, lines: readonly string[]): void;
}

/** A request could stop a server with such a pattern: the last good server goes on. */
const BLOCKING_RULES = ['exponential-pattern'];

/** @param spec its path from the root. */
export function createLintReport({ project, screen, spec }: { project: ProjectConfig; screen: Screen; spec: string }): LintReport {
  // The spec when it last had no problem, or at the start.
  let baseline: readonly SourceFile[] | undefined;
  let latest: { readonly source: SourceDocument; readonly problems: readonly LintProblem[] } | undefined;
  let shown: readonly string[] = [];

  return {
    begin(source) {
      baseline ??= source.files;
      shown = [];
      if (latest?.source !== source) latest = { source, problems: lintNow(source, project) };
      const { problems } = latest;
      const isEdited = editedParts(baseline, source.files);
      const lines = problems.filter(({ file, line }) => isEdited(file, line)).map((problem) => formatLintLine(spec, problem));
      if (lines.length > 0) screen.section('lint', `${plural(lines.length, 'problem')} in what was edited`, lines, fixFirst(lines));
      shown = lines;
      return !problems.some(({ rule }) => BLOCKING_RULES.includes(rule));
    },
    end(source, lines) {
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
