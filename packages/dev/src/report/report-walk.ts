/** The contract walk of the operations that a save has changed, and what it says. */
import { join, relative } from 'node:path';
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

/** How many operations are walked by one process: a save interrupts a batch, and those that are left are walked after it. */
const BATCH = 12;

export async function reportWalk({ project, screen, walker, changed }: WalkParts, signal: AbortSignal): Promise<void> {
  const operations = [...changed.pending];
  if (walker === undefined || operations.length === 0) return;
  const began = performance.now();
  const many = operations.length > BATCH;
  if (many)
    screen.section('walk', `${operations.length} operations may have changed: walking them in batches of ${BATCH}; a save interrupts`);
  const results: TestResult[] = [];
  for (let at = 0; at < operations.length; at += BATCH) {
    const batch = operations.slice(at, at + BATCH);
    const response = await walker.walk(batch, signal);
    if (response === undefined) return;
    const { failure } = response;
    if (failure !== undefined) {
      const fix = `fix that and save, or run \`npm test -- ${project.contractTests}\`: these operations are walked again`;
      screen.section('walk', 'could not be run', [failure], fix);
      return;
    }
    results.push(...response.results);
    changed.clear(batch.filter((id) => !response.results.some(({ block, error }) => block === id && error !== undefined)));
  }
  const failed = results.filter((result) => result.error !== undefined);
  const took = `(${Math.round(performance.now() - began)} ms)`;
  if (failed.length === 0) {
    const names = many ? `${operations.length} operations` : operations.join(', ');
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
