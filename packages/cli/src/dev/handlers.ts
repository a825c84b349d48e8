/** Whether the handlers are those of the spec: says what is missing and what is dead, or writes the stubs if it may. */
import { join } from 'node:path';
import type { SourceDocument } from '@specwright/server';
import { label } from '../stubs/operations.ts';
import { sayStubs } from '../stubs/say.ts';
import { addStubs, findGaps } from '../stubs/stubs.ts';
import type { Screen } from './screen.ts';
import type { TypeChecker } from './types.ts';
import { count } from '../words.ts';

export interface HandlerParts {
  readonly root: string;
  /** The spec, from the root. */
  readonly spec: string;
  /** Whether stubs are made without asking. */
  readonly stubs: boolean;
  readonly screen: Screen;
  readonly types: TypeChecker;
  /** Is told of files that the loop writes. */
  readonly wrote: (files: readonly string[]) => void;
}

/** @returns whether every operation has a handler, and every handler an operation. */
export async function lookAtHandlers({ root, spec, stubs, screen, types, wrote }: HandlerParts, read: SourceDocument): Promise<boolean> {
  const { unwritten, dead } = findGaps(root, read);
  if (stubs && unwritten.length > 0) {
    const report = await addStubs({ root, spec: read });
    const places = [...report.handlers, ...report.tests].map(({ place }) => place.replace(/:\d+:\d+$/, ''));
    const files = [...new Set(['src/handlers/index.ts', ...places])].map((file) => join(root, file));
    wrote(files);
    types.touch(files);
    screen.section('handlers', `${count(report.handlers.length, 'stub')} written`, sayStubs(report));
    return dead.length === 0;
  }
  const missing = unwritten.map((operation) => {
    const { line, column } = read.locate(['paths', operation.path, operation.method]);
    return `${spec}:${line}:${column} ${operation.id} (${label(operation)}) has no handler`;
  });
  if (missing.length + dead.length === 0) return true;
  const next = missing.length === 0 ? '' : '; `npm run add-operation` writes a stub for each that is missing';
  const details = dead.length === 0 ? missing : [...missing, ...sayStubs({ handlers: [], tests: [], dead })];
  screen.section('handlers', `${missing.length} missing, ${dead.length} without an operation${next}`, details);
  return false;
}
