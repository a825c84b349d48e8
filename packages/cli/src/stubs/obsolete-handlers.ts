/** Finds handlers and tests of operations that the spec no longer has, and what such an operation is called now. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import type { HandlerSet } from './find-handlers.ts';
import type { SpecOperation } from './spec-operations.ts';
import { membersOf, parse, locationOf, walk } from './typescript-source.ts';
import type { ProjectConfig } from '../project-config.ts';
import { findConstant, scenariosFile } from './scenario-rows.ts';

export interface ObsoleteHandler {
  readonly id: string;
  /** The operation that has its method and path now. */
  readonly renamed: SpecOperation | undefined;
  /** `file:line:column`, from the project's root. */
  readonly handlers: readonly string[];
  readonly tests: readonly string[];
}

/** @param missing the operations without a handler: a removed one may be one of them under another name. */
export function findObsoleteHandlers(
  project: ProjectConfig,
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  missing: readonly SpecOperation[],
): ObsoleteHandler[] {
  const { root } = project;
  const ids = new Set(operations.map(({ id }) => id));
  const handlers = new Map<string, string[]>();
  const mention = (locations: Map<string, string[]>, id: string, file: ts.SourceFile, node: ts.Node) => {
    const { line, column } = locationOf(file, node);
    locations.set(id, [...(locations.get(id) ?? []), `${relative(root, file.fileName)}:${line}:${column}`]);
  };
  for (const { file, handlers: members } of sets) {
    for (const { name, node } of members) if (!ids.has(name)) mention(handlers, name, file, node);
  }
  if (handlers.size === 0) return [];

  const tests = new Map<string, string[]>();
  for (const file of sourcesIn(join(root, 'test'))) {
    const rows = relative(root, file.fileName) === scenariosFile(project) ? findConstant(file, 'SCENARIOS') : undefined;
    for (const { name, node } of rows === undefined ? [] : membersOf(rows)) if (handlers.has(name)) mention(tests, name, file, node);
    walk(file, (node) => {
      if (ts.isStringLiteralLike(node) && handlers.has(node.text) && !ts.isPropertyAssignment(node.parent))
        mention(tests, node.text, file, node);
    });
  }
  const before = previousOperations(project);
  return [...handlers].map(([id, locations]) => {
    const target = before.get(id);
    const renamed = missing.find(({ method, path }) => target?.method === method && target.path === path);
    return { id, renamed, handlers: locations, tests: tests.get(id) ?? [] };
  });
}

function sourcesIn(folder: string): ts.SourceFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => parse(join(folder, path)));
}

type Target = Pick<SpecOperation, 'method' | 'path'>;

/** Method and path of each operation in the generated table before, and in the committed one. */
function previousOperations({ root, generated }: ProjectConfig): Map<string, Target> {
  const file = `${generated}/operations.ts`;
  const committed = () =>
    execFileSync('git', ['show', `HEAD:./${file}`], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const found = new Map<string, Target>();
  for (const read of [committed, () => readFileSync(join(root, file), 'utf8')]) {
    try {
      const table = findConstant(parse(file, read()), 'operations');
      const rows = JSON.parse(table?.getText() ?? '{}') as Record<string, Target>;
      for (const [id, row] of Object.entries(rows)) found.set(id, row);
    } catch {
      // No repository, no commit, or nothing generated: the former name is unknown.
    }
  }
  return found;
}
