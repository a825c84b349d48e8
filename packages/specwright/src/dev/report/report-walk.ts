/** The contract walk of the operations that a save has changed, and what it says. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type ts from 'typescript';
import type { ProjectConfig } from '../../project-config.ts';
import { findConstant } from '../../stubs/scenario-rows.ts';
import { findHandlers } from '../../stubs/find-handlers.ts';
import { locationOf, membersOf, parse } from '../../stubs/typescript-source.ts';
import type { ChangedOperations } from '../walk/changed-operations.ts';
import type { EditedPart, EditHistory } from '../walk/edit-history.ts';
import { fixFirst, type Screen } from './screen.ts';
import type { TestResult } from '../walk/test-globals.ts';
import type { Walker } from '../walk/walker.ts';

export interface WalkParts {
  readonly project: ProjectConfig;
  readonly screen: Screen;
  /** The file of the walk; `undefined` where there is none. */
  readonly walk: string | undefined;
  /** `undefined` where there is no walk, or no database for it. */
  readonly walker: Walker | undefined;
  readonly changed: ChangedOperations;
  readonly history: EditHistory;
}

/** How many operations are walked by one process: a save interrupts a batch, and those that are left are walked after it. */
const BATCH = 12;

export async function reportWalk({ project, screen, walk, walker, changed, history }: WalkParts, signal: AbortSignal): Promise<void> {
  const operations = [...changed.pending];
  if (operations.length === 0) history.accept();
  if (walk === undefined || walker === undefined || operations.length === 0) return;
  const began = performance.now();
  const many = operations.length > BATCH;
  if (many)
    screen.section('walk', `${operations.length} operations may have changed: walking them in batches of ${BATCH}; a save interrupts`);
  const results: TestResult[] = [];
  for (let at = 0; at < operations.length; at += BATCH) {
    const batch = operations.slice(at, at + BATCH);
    const response = await walker.walk(walk, batch, signal);
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
    history.accept();
    const names = many ? `${operations.length} operations` : operations.join(', ');
    screen.section('walk', `ok: ${names} ${operations.length === 1 ? 'answers' : 'answer'} as declared ${took}`);
    return;
  }
  const edited = history.edited();
  const ranked = nearestFirst(failed, edited);
  const details = ranked.map((result) => `${locate(project, result, edited)} ${result.block} ${result.name}: ${result.error ?? ''}`);
  screen.section('walk', `${failed.length} of ${results.length} failed ${took}`, details, fixFirst(details));
}

/** First the operation that is named last before an edited line: its handler, or its function in the store. */
function nearestFirst(failed: readonly TestResult[], edited: readonly EditedPart[]): TestResult[] {
  const at = (block: string) => Math.max(-1, ...edited.map(({ before }) => before.lastIndexOf(block)));
  return [...failed].sort((a, b) => at(b.block) - at(a.block));
}

/** Where it is to be fixed: the scenario that is not written, what was edited since the walk passed, or else the handler. */
function locate(project: ProjectConfig, { block, error = '' }: TestResult, [latest]: readonly EditedPart[]): string {
  const { root, handlers, contractTests } = project;
  const format = (file: ts.SourceFile, node: ts.Node) => {
    const { line, column } = locationOf(file, node);
    return `${relative(root, file.fileName)}:${line}:${column}`;
  };
  if (error.includes('no scenario')) {
    const path = join(root, contractTests, 'scenarios.ts');
    const file = existsSync(path) ? parse(path) : undefined;
    const table = file && findConstant(file, 'SCENARIOS');
    const row = table && membersOf(table).find(({ name }) => name === block);
    return file && row ? format(file, row.node) : `${contractTests}/scenarios.ts:1:1`;
  }
  if (latest !== undefined) return latest.location;
  for (const { file, handlers: members } of findHandlers(project)) {
    const member = members.find(({ name }) => name === block);
    if (member !== undefined) return format(file, member.node);
  }
  return `${handlers}/index.ts:1:1`;
}
