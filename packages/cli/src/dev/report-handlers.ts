/** Compares the handlers with the spec: reports what is missing and what is obsolete, or writes the stubs if it may. */
import { join } from 'node:path';
import type { SourceDocument } from '@specwright/server';
import { plural } from '../format.ts';
import type { ProjectConfig } from '../project-config.ts';
import { addStubs, findGaps } from '../stubs/add-stubs.ts';
import { formatObsolete, formatStubs } from '../stubs/format-stubs.ts';
import { formatOperation } from '../stubs/spec-operations.ts';
import type { Screen } from './screen.ts';
import type { TypeChecker } from './type-checker.ts';

export interface HandlerParts {
  readonly project: ProjectConfig;
  /** The spec, from the root. */
  readonly spec: string;
  /** Whether stubs are written at each save. */
  readonly stubs: boolean;
  readonly screen: Screen;
  readonly types: TypeChecker;
  /** Gets the files that the loop writes. */
  readonly onWritten: (files: readonly string[]) => void;
}

/** @returns whether every operation has a handler, and every handler an operation. */
export async function reportHandlers(
  { project, spec, stubs, screen, types, onWritten }: HandlerParts,
  source: SourceDocument,
): Promise<boolean> {
  const { unwritten, obsolete } = findGaps(project, source);
  if (stubs && unwritten.length > 0) {
    const report = await addStubs({ project, spec: source });
    const changed = [...report.handlers, ...report.tests].map(({ location }) => location.replace(/:\d+:\d+$/, ''));
    const files = [...new Set([`${project.handlers}/index.ts`, ...changed])].map((file) => join(project.root, file));
    onWritten(files);
    types.touch(files);
    screen.section('handlers', `${plural(report.handlers.length, 'stub')} written`, formatStubs(report));
    return obsolete.length === 0;
  }
  const missing = unwritten.map((operation) => {
    const { line, column } = source.locate(['paths', operation.path, operation.method]);
    return `${spec}:${line}:${column} ${operation.id} (${formatOperation(operation)}) has no handler`;
  });
  if (missing.length + obsolete.length === 0) return true;
  const fix = missing.length === 0 ? '' : '; `npm run add-operation` writes a stub for each that is missing';
  const summary = `${missing.length} missing, ${obsolete.length} without an operation${fix}`;
  screen.section('handlers', summary, [...missing, ...obsolete.flatMap(formatObsolete)]);
  return false;
}
