/** The text of stubs: a handler that answers 501, and a file of them. */
import { walk } from './typescript-source.ts';
import ts from 'typescript';
import { typeImports, type Composition } from './find-handlers.ts';
import { docComment, lineComment } from './comments.ts';
import { camel, propertyName, quoted, singular } from './names.ts';
import { formatOperation, type SpecOperation } from './spec-operations.ts';

/** The package that has `notImplemented`. */
export const SERVER_PACKAGE = '@specwright/server';

/** A handler that answers 501, as lines. */
export function stub(operation: SpecOperation): string[] {
  const { id, summary, statuses } = operation;
  return [
    lineComment(`${formatOperation(operation)}: ${summary === '' ? '' : `${summary.replace(/\.$/, '')}. `}Answers ${statuses.join(', ')}.`),
    `${propertyName(id)}: async () => notImplemented(${quoted(id)}),`,
  ];
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A file, named after its noun, that exports its handlers as `value`, with the types that index.ts composes them by. */
export function newFile(
  value: string,
  name: string,
  operations: readonly SpecOperation[],
  index: ts.SourceFile,
  { type }: Composition,
): string {
  const names = new Set(['Database']);
  walk(type, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return [
    docComment(`${capitalized(name.replaceAll('-', ' '))}.`),
    ...typeImports(index, [...names]),
    `import { notImplemented } from '${SERVER_PACKAGE}';`,
    '',
    `export const ${value} = (db: Database) => ({`,
    operations.map((operation) => stub(operation).join('\n')).join('\n\n'),
    `}) satisfies Partial<${type.getText()}>;`,
  ].join('\n');
}

/** Every name in a file. */
export function identifiers(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(file, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return names;
}

/** The name that a file exports: `photoHandlers` of `photos.ts`, unless it is taken. */
export function exportName(name: string, taken: Set<string>): string {
  const candidates = [singular(name), name, ...Array.from(taken, (_, i) => `${name}-${i + 2}`)].map((word) => `${camel(word)}Handlers`);
  const value = candidates.find((candidate) => !taken.has(candidate)) ?? name;
  taken.add(value);
  return value;
}
