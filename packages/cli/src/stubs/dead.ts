/** Handlers and tests of operations that the spec no longer has: where they stand, and what the operation is called now. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import type { HandlerSet } from './handlers.ts';
import type { SpecOperation } from './operations.ts';
import { membersOf, parse, placeOf, walk } from './source.ts';
import { constant, SCENARIOS } from './tests.ts';

export interface Dead {
  readonly id: string;
  /** The operation that has its method and path now. */
  readonly renamed: SpecOperation | undefined;
  /** `file:line:column`, from the project's root. */
  readonly handlers: readonly string[];
  readonly tests: readonly string[];
}

/** @param missing the operations without a handler: a removed one may be one of them under another name. */
export function findDead(
  root: string,
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  missing: readonly SpecOperation[],
): Dead[] {
  const ids = new Set(operations.map(({ id }) => id));
  const handlers = new Map<string, string[]>();
  const mention = (places: Map<string, string[]>, id: string, file: ts.SourceFile, node: ts.Node) => {
    const { line, column } = placeOf(file, node);
    places.set(id, [...(places.get(id) ?? []), `${relative(root, file.fileName)}:${line}:${column}`]);
  };
  for (const { file, handlers: members } of sets) {
    for (const { name, node } of members) if (!ids.has(name)) mention(handlers, name, file, node);
  }
  if (handlers.size === 0) return [];

  const tests = new Map<string, string[]>();
  for (const file of sourcesIn(join(root, 'test'))) {
    const rows = relative(root, file.fileName) === SCENARIOS ? constant(file, 'SCENARIOS') : undefined;
    for (const { name, node } of rows === undefined ? [] : membersOf(rows)) if (handlers.has(name)) mention(tests, name, file, node);
    walk(file, (node) => {
      if (ts.isStringLiteralLike(node) && handlers.has(node.text) && !ts.isPropertyAssignment(node.parent))
        mention(tests, node.text, file, node);
    });
  }
  const before = previousOperations(root);
  return [...handlers].map(([id, places]) => {
    const was = before.get(id);
    const renamed = missing.find(({ method, path }) => was?.method === method && was.path === path);
    return { id, renamed, handlers: places, tests: tests.get(id) ?? [] };
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

/** Method and path of the operations as they were generated before, or as they were committed. */
function previousOperations(root: string): Map<string, Target> {
  const file = 'generated/operations.ts';
  const committed = () =>
    execFileSync('git', ['show', `HEAD:./${file}`], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const found = new Map<string, Target>();
  for (const read of [committed, () => readFileSync(join(root, file), 'utf8')]) {
    try {
      const table = constant(parse(file, read()), 'operations');
      const rows = JSON.parse(table?.getText() ?? '{}') as Record<string, Target>;
      for (const [id, row] of Object.entries(rows)) found.set(id, row);
    } catch {
      // No repository, no commit, or nothing generated: then nobody can say what an operation was called.
    }
  }
  return found;
}
