/** Finds handlers and tests of operations that the spec no longer has, and what such an operation is called now. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from '../libraries/typescript.ts';
import { gitIn } from 'openapi-compare/checkout';
import type { ProjectConfig } from '../project-config.ts';
import { type HandlerSet, type SpecOperation, findConstant, findScenarios } from './find-handlers.ts';
import { propertyName, quoted, type Change, type Member, locationOf, parse, sourcesOf, walk } from './typescript-source.ts';

interface Mention {
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
  const rows = findScenarios(project);
  for (const file of sourcesOf(project, 'test')) {
    const members = rows.flatMap((one) => (one.file.fileName === file.fileName && handlers.has(one.row.name) ? [one.row] : []));
    for (const { name, node } of members) mention(tests, name, file, node);
    walk(file, (node) => {
      if (!ts.isStringLiteralLike(node) || !handlers.has(node.text) || ts.isPropertyAssignment(node.parent)) return;
      // In a row that is reported it needs no further line.
      if (!members.some((row) => row.name === node.text && row.node.pos <= node.pos && node.end <= row.node.end))
        mention(tests, node.text, file, node);
    });
  }
  // Without a repository, or a commit, those names are unknown.
  addTable(former, project, gitIn(root)('show', `HEAD:./${tableFile(project)}`) ?? '');
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

/** What operations were called before: their methods and paths, by the names that the spec may no longer have. */
type Target = Pick<SpecOperation, 'method' | 'path'>;

/** Names, with what each has stood for. */
export type FormerOperations = Map<string, Target[]>;

const tableFile = ({ generated }: ProjectConfig) => `${generated}/operations.ts`;

/** Adds the names of the generated operation table: to be called before it is written again. */
export function addGenerated(former: FormerOperations, project: ProjectConfig): void {
  const file = join(project.root, tableFile(project));
  if (existsSync(file)) addTable(former, project, readFileSync(file, 'utf8'));
}

function addTable(former: FormerOperations, project: ProjectConfig, text: string): void {
  try {
    const table = findConstant(parse(tableFile(project), text), 'operations');
    const rows = JSON.parse(table?.getText() ?? '{}') as Record<string, Target>;
    for (const [id, row] of Object.entries(rows)) addTarget(former, id, row);
  } catch {
    // It is not as it was generated: the former names are unknown.
  }
}

function addTarget(former: FormerOperations, id: string, { method, path }: Target): void {
  const targets = former.get(id) ?? [];
  if (!targets.some((target) => isSame(target, { method, path }))) former.set(id, [...targets, { method, path }]);
}

const isSame = (a: Target, b: Target): boolean => a.method === b.method && a.path === b.path;

/**
 * Members are renamed with the strings in them, and types such as `Body<'addPet'>`; elsewhere a string with that text may be about
 * something else.
 *
 * @param sources the files of the program and its tests.
 */
export function renameHandler({ id, renamed, handlers, tests }: ObsoleteHandler, sources: readonly ts.SourceFile[]) {
  if (renamed === undefined) return [];
  const members = [...handlers, ...tests].filter(isMember);
  const isInMember = (file: ts.SourceFile, { pos, end }: ts.Node) =>
    members.some(({ file: { fileName }, node }) => fileName === file.fileName && node.pos <= pos && end <= node.end);
  return [
    ...members.map(({ file, node }) => ({ file, changes: renameMember(file, node, id, renamed.id) })),
    ...sources.flatMap((file) => {
      const types: Change[] = [];
      walk(file, (node) => {
        if (isTypeOf(node, id) && !isInMember(file, node)) types.push(replace(file, node, quoted(renamed.id)));
      });
      return types.length === 0 ? [] : [{ file, changes: types }];
    }),
  ];
}

/** Whether it is a member of an object of handlers, or of the table of contract tests. */
export const isMember = (mention: Mention): mention is Mention & { readonly node: ts.ObjectLiteralElementLike } =>
  ts.isObjectLiteralElementLike(mention.node);

const isTypeOf = (node: ts.Node, id: string) => ts.isStringLiteralLike(node) && node.text === id && ts.isLiteralTypeNode(node.parent);

/** Whether a mention is renamed, and not only reported. */
export const isRenamable = (mention: Mention): boolean => isMember(mention) || ts.isLiteralTypeNode(mention.node.parent);

function renameMember(file: ts.SourceFile, member: ts.ObjectLiteralElementLike, from: string, to: string): Change[] {
  const { name } = member;
  if (name === undefined) return [];
  // `listPets` alone stands for the value of that name, which keeps it.
  if (ts.isShorthandPropertyAssignment(member)) return [{ at: name.getStart(file), text: `${propertyName(to)}: ` }];
  const changes: Change[] = [replace(file, name, propertyName(to))];
  walk(member, (node) => {
    if (node !== name && ts.isStringLiteralLike(node) && node.text === from) changes.push(replace(file, node, quoted(to)));
  });
  return changes;
}

function replace(file: ts.SourceFile, node: ts.Node, text: string): Change {
  const at = node.getStart(file);
  return { at, length: node.end - at, text };
}
