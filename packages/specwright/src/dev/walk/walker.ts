/** The contract walk of the operations that a save has changed, and what it says. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { quotedPath } from '@specwright/contract/document';
import type ts from '../../libraries/typescript.ts';
import { forkSibling } from '../../node-arguments.ts';
import type { ProjectConfig } from '../../project-config.ts';
import { findHandlers, findScenarios } from '../../stubs/find-handlers.ts';
import { locationOf } from '../../stubs/typescript-source.ts';
import { type Screen, fixFirst } from '../report/screen.ts';
import type { ChangedOperations, EditHistory, EditedPart } from './changed-operations.ts';
import type { TestResult } from './test-globals.ts';
import type { WalkRequest, WalkResponse } from './walk-process.ts';

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
      const fix = `fix that and save, or run \`npm test -- ${quotedPath(`./${project.contractTests}`)}\`: these operations are walked again`;
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

/** A scenario is missing, or not written, or asked for since the operation is: a handler that fails is not meant. */
const NO_SCENARIO = /no scenario|status [1-4]\d\d: it is implemented, so /;

/** Where it is to be fixed: the scenario that is not written, what was edited since the walk passed, or else the handler. */
function locate(project: ProjectConfig, { block, error = '' }: TestResult, [latest]: readonly EditedPart[]): string {
  const { root, handlers, contractTests } = project;
  const format = (file: ts.SourceFile, node: ts.Node) => {
    const { line, column } = locationOf(file, node);
    return `${relative(root, file.fileName)}:${line}:${column}`;
  };
  if (NO_SCENARIO.test(error)) {
    const found = findScenarios(project).find(({ row }) => row.name === block);
    return found ? format(found.file, found.row.node) : `${contractTests}/scenarios.ts:1:1`;
  }
  if (latest !== undefined) return latest.location;
  for (const { file, handlers: members } of findHandlers(project)) {
    const member = members.find(({ name }) => name === block);
    if (member !== undefined) return format(file, member.node);
  }
  return `${handlers}/index.ts:1:1`;
}

type Walker = ReturnType<typeof createWalker>;

/** The time after which a walk is ended, in ms. */
const TIMEOUT_MS = 60_000;
/** The names that the file of the walk has in projects, and what it calls. */
const FILES = ['walk.test.ts', 'operations.test.ts'];
const IS_WALK = /\b(walkContract|testOperations)\s*\(/;

/** The file with the walk of a project, from its root, if it has one. */
export function findWalk({ root, contractTests }: ProjectConfig): string | undefined {
  return FILES.map((name) => `${contractTests}/${name}`).find((file) => {
    const path = join(root, file);
    return existsSync(path) && IS_WALK.test(readFileSync(path, 'utf8'));
  });
}

/**
 * Runs the contract walk of some operations, each time in a new process, which is prepared before it is needed.
 *
 * @param url of a PostgreSQL server in which databases may be created.
 */
export function createWalker(root: string, url: string) {
  let standby: ChildProcess | undefined;
  let running: ChildProcess | undefined;
  let closed = false;
  // What it logs is told by its failures.
  const start = () => forkSibling('walk-process', import.meta.url, 'ignore', root);
  return {
    /** @param file of the walk. @returns what the tests of these operations have said; `undefined` once the signal is aborted. */
    walk(file: string, operations: readonly string[], signal: AbortSignal): Promise<WalkResponse | undefined> {
      const child = standby?.connected === true ? standby : start();
      standby = undefined;
      running = child;
      return new Promise((resolve) => {
        const end = (response: WalkResponse | undefined) => {
          clearTimeout(timer);
          resolve(response);
        };
        const timer = setTimeout(() => {
          end({ results: [], failure: `it did not end within ${TIMEOUT_MS / 1000} s` });
          child.kill('SIGKILL');
        }, TIMEOUT_MS);
        // It goes on and removes its databases, and nobody listens.
        signal.addEventListener('abort', () => end(undefined), { once: true });
        child.once('message', (response: WalkResponse) => end(response));
        child.once('exit', (code, killedBy) => end({ results: [], failure: `its process ended with ${String(killedBy ?? code)}` }));
        child.send({ file, operations, url } satisfies WalkRequest);
      });
    },
    prepare(): void {
      if (standby?.connected !== true && !closed) standby = start();
    },
    close(): void {
      closed = true;
      for (const child of [standby, running]) child?.kill('SIGKILL');
    },
  };
}
