/** Finds handlers and tests of operations that the spec no longer has, and what such an operation is called now. */
import { relative } from 'node:path';
import ts from 'typescript';
import type { HandlerSet } from './find-handlers.ts';
import type { SpecOperation } from './spec-operations.ts';
import { sourcesOf } from './contract-sources.ts';
import { membersOf, locationOf, walk, type Member } from './typescript-source.ts';
import type { ProjectConfig } from '../project-config.ts';
import { addCommitted, addGenerated, addTarget, isSame, type FormerOperations } from './former-operations.ts';
import { findConstant, scenariosFile } from './scenario-rows.ts';

/** Where an operation is mentioned. */
export interface Mention {
  /** `file:line:column`, from the project's root. */
  readonly location: string;
  readonly file: ts.SourceFile;
  readonly node: ts.Node;
}

export interface ObsoleteHandler {
  readonly id: string;
  /** The operation that has its method and path now. */
  readonly renamed: SpecOperation | undefined;
  /** Members of objects of handlers. */
  readonly handlers: readonly Mention[];
  /** The row of the table of contract tests, and strings in tests. */
  readonly tests: readonly Mention[];
}

/**
 * @param missing the operations without a handler: a removed one may be one of them under another name.
 * @param known what operations were called earlier, beside the committed and the generated table.
 */
export function findObsoleteHandlers(
  project: ProjectConfig,
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  missing: readonly SpecOperation[],
  known: FormerOperations,
): ObsoleteHandler[] {
  const { root } = project;
  const ids = new Set(operations.map(({ id }) => id));
  const handlers = new Map<string, Mention[]>();
  const former: FormerOperations = new Map(known);
  const mention = (mentions: Map<string, Mention[]>, id: string, file: ts.SourceFile, node: ts.Node) => {
    const { line, column } = locationOf(file, node);
    const location = `${relative(root, file.fileName)}:${line}:${column}`;
    mentions.set(id, [...(mentions.get(id) ?? []), { location, file, node }]);
  };
  for (const { file, handlers: members } of sets) {
    for (const member of members) {
      if (ids.has(member.name)) continue;
      mention(handlers, member.name, file, member.node);
      addCommented(former, file, member);
    }
  }
  if (handlers.size === 0) return [];

  const tests = new Map<string, Mention[]>();
  for (const file of sourcesOf(project, 'test')) {
    const rows = relative(root, file.fileName) === scenariosFile(project) ? findConstant(file, 'SCENARIOS') : undefined;
    const members = rows === undefined ? [] : membersOf(rows).filter(({ name }) => handlers.has(name));
    for (const { name, node } of members) mention(tests, name, file, node);
    walk(file, (node) => {
      if (!ts.isStringLiteralLike(node) || !handlers.has(node.text) || ts.isPropertyAssignment(node.parent)) return;
      // In a row that is reported it needs no further line.
      if (!members.some((row) => row.name === node.text && row.node.pos <= node.pos && node.end <= row.node.end))
        mention(tests, node.text, file, node);
    });
  }
  addCommitted(former, project);
  addGenerated(former, project);
  return [...handlers].map(([id, mentions]) => {
    const renamed = missing.find((operation) => former.get(id)?.some((target) => isSame(target, operation)));
    return { id, renamed, handlers: mentions, tests: tests.get(id) ?? [] };
  });
}

/** What the comment of a stub says: that it is of `POST /pets`. */
function addCommented(former: FormerOperations, { text }: ts.SourceFile, { name, node }: Member): void {
  for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
    const [, method, path] = /^\/\/ ([A-Z]+) (\/\S*): /.exec(text.slice(pos, end)) ?? [];
    if (method !== undefined && path !== undefined) addTarget(former, name, { method: method.toLowerCase(), path });
  }
}
