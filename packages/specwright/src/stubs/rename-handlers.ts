/** Gives a renamed operation's handler, its row of tests and its types their new name. */
import ts from 'typescript';
import { propertyName, quoted } from './names.ts';
import type { Mention, ObsoleteHandler } from './obsolete-handlers.ts';
import { walk, type Change } from './typescript-source.ts';

/** A change, and the file that it is for. */
export interface Renaming {
  readonly file: ts.SourceFile;
  readonly changes: readonly Change[];
}

/**
 * Members are renamed with the strings in them, and types such as `Body<'addPet'>`; elsewhere a string with that text may be about
 * something else.
 *
 * @param sources the files of the program and its tests.
 */
export function renameHandler({ id, renamed, handlers, tests }: ObsoleteHandler, sources: readonly ts.SourceFile[]): Renaming[] {
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
