/** The contract walk of the operations that a save has changed, and what it says. */
import { join, relative } from 'node:path';
import { plural } from '@specwright/server/command';
import type { ProjectConfig } from '@specwright/cli/project';
import { findHandlers, locationOf } from '@specwright/create';
import type { ChangedOperations } from '../walk/changed-operations.ts';
import { fixFirst, type Screen } from './screen.ts';
import type { TestResult } from '../walk/test-globals.ts';
import type { Walker } from '../walk/walker.ts';

export interface WalkParts {
  readonly project: ProjectConfig;
  readonly screen: Screen;
  /** `undefined` where there is no walk, or no database for it. */
  readonly walker: Walker | undefined;
  readonly changed: ChangedOperations;
}

/** Above it a walk would take long: it is left to the tests of the project. */
const MAX_OPERATIONS = 12;

export async function reportWalk({ project, screen, walker, changed }: WalkParts, signal: AbortSignal): Promise<void> {
  const operations = [...changed.pending];
  if (walker === undefined || operations.length === 0) return;
  if (operations.length > MAX_OPERATIONS) {
    const command = `npm test -- ${project.contractTests}`;
    screen.section('walk', `not run: ${plural(operations.length, 'operation')} may have changed, and \`${command}\` walks them`);
    changed.clear(operations);
    return;
  }
  const began = performance.now();
  const response = await walker.walk(operations, signal);
  if (response === undefined) return;
  const { results, failure } = response;
  if (failure !== undefined) {
    screen.section('walk', 'could not be run', [failure], 'fix that and save: these operations are walked again');
    return;
  }
  const failed = results.filter((result) => result.error !== undefined);
  changed.clear(operations.filter((id) => !failed.some(({ block }) => block === id)));
  const took = `(${Math.round(performance.now() - began)} ms)`;
  const names = operations.join(', ');
  if (failed.length === 0) {
    screen.section('walk', `ok: ${names} ${operations.length === 1 ? 'answers' : 'answer'} as declared ${took}`);
    return;
  }
  const details = failed.map((result) => `${locate(project, result)} ${result.block} ${result.name}: ${result.error ?? ''}`);
  screen.section('walk', `${failed.length} of ${results.length} failed ${took}`, details, fixFirst(details));
}

/** Where it is to be fixed: where the message says, else at the handler. */
function locate({ root, handlers, contractTests }: ProjectConfig, { block, error = '' }: TestResult): string {
  // A scenario that is not written says where.
  if (error.includes('no scenario')) return `${contractTests}/scenarios.ts`;
  for (const { file, handlers: members } of findHandlers(join(root, handlers))) {
    const member = members.find(({ name }) => name === block);
    if (member === undefined) continue;
    const { line, column } = locationOf(file, member.node);
    return `${relative(root, file.fileName)}:${line}:${column}`;
  }
  return handlers;
}
