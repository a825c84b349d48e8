/** The text of stubs: a handler that answers 501, and a file of them. */
import { walk } from './typescript-source.ts';
import ts from 'typescript';
import { typeImports, type Composition } from './find-handlers.ts';
import { docComment, lineComment } from './comments.ts';
import { propertyName, quoted } from './names.ts';
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

/** A file that exports the handlers of one noun under a name, with the types that index.ts composes them by. */
export function newFile(value: string, operations: readonly SpecOperation[], index: ts.SourceFile, { type }: Composition): string {
  const [first] = operations;
  const noun = first?.tags[0] ?? first?.path ?? '';
  const names = new Set(['Database']);
  walk(type, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return [
    docComment(`${noun}.`),
    ...typeImports(index, [...names]),
    `import { notImplemented } from '${SERVER_PACKAGE}';`,
    '',
    `export const ${value} = (db: Database) => ({`,
    operations.map((operation) => stub(operation).join('\n')).join('\n\n'),
    `}) satisfies Partial<${type.getText()}>;`,
  ].join('\n');
}
