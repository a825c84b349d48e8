/** Registers a resource in the files that list nouns: the handlers, the constraints of the stores, the demo data. */
import { type Document, type OperationObject, isObject } from '@specwright/contract/document';
import ts from '../../libraries/typescript.ts';
import { findConstant } from '../../stubs/find-handlers.ts';
import { type Change, appendMembers, membersOf, objectLiteral, walk } from '../../stubs/typescript-source.ts';
import type { ResourceConstraint } from '../resource-table.ts';
import { type Resource, type ResourceNames, givenOf, operationIds, wordsOf } from '../resource.ts';
import { exampleOf } from '../spec/resource-schemas.ts';

/** Adds an import of a value from another file, in the order of the imports there if they are sorted. */
export function importInOrder(file: ts.SourceFile, name: string, from: string): Change {
  const imports = file.statements.filter(ts.isImportDeclaration);
  const line = `import { ${name} } from '${from}';`;
  const siblings = imports.filter((one) => specifierOf(one).startsWith('./'));
  const specifiers = siblings.map(specifierOf);
  const isSorted = specifiers.every((one, i) => i === 0 || (specifiers[i - 1] ?? '') < one);
  const next = isSorted ? siblings.find((one) => specifierOf(one) > from) : undefined;
  if (next !== undefined) return { at: next.getStart(file), text: `${line}\n` };
  const last = siblings.at(-1) ?? imports.at(-1);
  return last === undefined ? { at: file.getStart(), text: `${line}\n` } : { at: last.getEnd(), text: `\n${line}` };
}

const specifierOf = ({ moduleSpecifier }: ts.ImportDeclaration): string =>
  ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';

/** The column that `recordTable` of store.ts gives to `createRecordTables`; `false` if the file has no `recordTable`. */
export function findOwner(store: ts.SourceFile): string | undefined | false {
  let found: string | undefined | false = false;
  walk(store, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText(store) !== 'recordTable' || !node.initializer) return;
    const owner = ts.isCallExpression(node.initializer) ? node.initializer.arguments[1] : undefined;
    found = owner !== undefined && ts.isStringLiteral(owner) ? owner.text : undefined;
  });
  return found;
}

/** The errors that a project has beside those of the framework. */
export interface ErrorCodes {
  readonly invalidReference: string;
  /** By the noun that is referred to, in the singular; `undefined` if there is none. */
  readonly inUse: (one: string) => string | undefined;
}

/** The entries of `CONSTRAINTS` in store.ts. @throws Error if it is not there, or a part of it. */
export function constraintEntries(
  store: ts.SourceFile,
  { names, owner }: Resource,
  constraints: readonly ResourceConstraint[],
  codes: ErrorCodes,
): Change[] {
  const table = findConstant(store, 'CONSTRAINTS');
  const part = (name: string) => {
    const member = table && membersOf(table).find((one) => one.name === name);
    return member && ts.isPropertyAssignment(member.node) ? objectLiteral(member.node.initializer) : undefined;
  };
  const [onWrite, onDelete] = [part('onWrite'), part('onDelete')];
  if (onWrite === undefined || onDelete === undefined) throw new Error('CONSTRAINTS with onWrite and onDelete is not there');
  const changes: Change[] = [];
  if (owner !== undefined) changes.push(...accountReference(store, onWrite, names.table));
  const problem = (name: string, code: string, message: string) =>
    `{ location: 'body', pointer: '/${name}', code: '${code}', message: '${message}' }`;
  const written = constraints.map(({ name, kind, property }) => {
    const missing = `refers to a ${wordsOf(property.reference?.names.one ?? '')} that does not exist`;
    return kind === 'reference'
      ? [`${name}: ['${codes.invalidReference}', ${problem(property.name, 'reference', missing)}],`]
      : [`${name}: ['invalid_request', ${problem(property.name, 'format', 'must be in the years 0001 to 9999')}],`];
  });
  if (written.length > 0) changes.push(...appendMembers(store, onWrite, written, ''));
  const deleted = constraints.flatMap(({ name, property: { reference } }) =>
    reference === undefined
      ? []
      : [[`${name}: ['${codes.inUse(reference.names.one) ?? ''}', 'the ${reference.names.word} still has ${names.words}'],`]],
  );
  if (deleted.length > 0) changes.push(...appendMembers(store, onDelete, deleted, ''));
  return changes;
}

/** The table among the arguments of `accountReferences`, in their order if they are sorted. */
function accountReference(store: ts.SourceFile, onWrite: ts.ObjectLiteralExpression, table: string): Change[] {
  let call: ts.CallExpression | undefined;
  walk(onWrite, (node) => {
    if (ts.isCallExpression(node) && node.expression.getText(store) === 'accountReferences') call ??= node;
  });
  if (call === undefined) throw new Error('onWrite has no ...accountReferences(), which says what a deleted account is answered with');
  const tables = call.arguments.filter(ts.isStringLiteral);
  const isSorted = tables.every(({ text }, i) => i === 0 || (tables[i - 1]?.text ?? '') < text);
  const next = isSorted ? tables.find(({ text }) => text > table) : undefined;
  if (next !== undefined) return [{ at: next.getStart(store), text: `'${table}', ` }];
  const last = call.arguments.at(-1);
  return last === undefined ? [{ at: call.getEnd() - 1, text: `'${table}'` }] : [{ at: last.getEnd(), text: `, '${table}'` }];
}

/**
 * A record in the demo data, at the end of `seedDemo`.
 *
 * @returns nothing if it is not as expected, or a record refers to records of unknown stores.
 */
export function demoRecord(demo: ts.SourceFile, resource: Resource): Change[] {
  const { names, owner } = resource;
  let body: ts.Block | undefined;
  let parameters: string[] = [];
  walk(demo, (node) => {
    if (!ts.isFunctionDeclaration(node) || node.name?.text !== 'seedDemo' || node.body === undefined) return;
    body = node.body;
    parameters = node.parameters.map(({ name }) => name.getText(demo));
  });
  const given = givenOf(resource);
  if (body === undefined || parameters.length !== (owner === undefined ? 1 : 2)) return [];
  if (given.some(({ reference, required }) => reference !== undefined && required)) return [];
  const { create } = operationIds(names);
  const example = exampleOf(resource, 'new');
  for (const { reference, name } of given) if (reference !== undefined) delete example[name];
  return [
    importInOrder(demo, create, `../${names.noun}.ts`),
    { at: body.getEnd() - 1, text: `  await ${create}(${parameters.join(', ')}, ${JSON.stringify(example)});\n` },
  ];
}

/** @throws Error with what the nouns that are referred to lack: a code for it, and a status of their `DELETE`. */
export function assertReferable(document: Document, { names, properties }: Resource, codes: ErrorCodes, errorsFile: string): void {
  const referred = new Map(properties.flatMap(({ reference }) => (reference ? [[reference.names.noun, reference.names] as const] : [])));
  const lacking = [...referred.values()].flatMap((one) => missing(document, one, codes, errorsFile));
  if (lacking.length === 0) return;
  const nouns = [...referred.values()].map(({ words }) => words).join(' and ');
  throw new Error(
    [
      `${names.noun} cannot be added, nothing was changed: ${names.words} refer to ${nouns}, which cannot be deleted as long as they do. Add first:`,
      ...lacking.map((line) => `  ${line}`),
    ].join('\n'),
  );
}

function missing(document: Document, { noun, one, words }: ResourceNames, codes: ErrorCodes, errorsFile: string): string[] {
  const [path, item] = Object.entries(document.paths).find(([each]) => each.startsWith(`/${noun}/{`) && each.split('/').length === 3) ?? [];
  const operation = item?.delete;
  // A noun that cannot be deleted needs no response for one in use.
  if (path === undefined || !isObject(operation)) return [];
  const { responses } = operation as OperationObject;
  const lines: string[] = [];
  if (!['409', '4XX', 'default'].some((status) => status in responses))
    lines.push(`a response 409 to DELETE ${path} in the spec, and a call in the scenarios that gets it`);
  if (codes.inUse(one) === undefined)
    lines.push(`${one}_in_use: 409 in ${errorsFile}, and ${one}_in_use in the codes of the spec's errors, for ${words} in use`);
  return lines;
}
