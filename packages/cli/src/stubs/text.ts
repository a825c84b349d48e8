/** The text of stubs: a handler that answers 501, and a file of them. */
import { propertyName, quoted } from './names.ts';
import { label, type SpecOperation } from './operations.ts';

/** A handler that answers 501, as lines. */
export function stub(operation: SpecOperation): string[] {
  const { id, summary, statuses } = operation;
  return [
    `// ${label(operation)}: ${summary === '' ? '' : `${summary.replace(/\.$/, '')}. `}Answers ${statuses.join(', ')}.`,
    `${propertyName(id)}: async () => notImplemented(${quoted(id)}),`,
  ];
}

/** A file that exports the handlers of one noun under a name. */
export function newFile(value: string, operations: readonly SpecOperation[]): string {
  const [first] = operations;
  const noun = first?.tags[0] ?? first?.path ?? '';
  return [
    `/** ${noun.replace(/\s+/g, ' ').replaceAll('*/', '* /')}. */`,
    `import type { Handlers } from '../contract/types.ts';`,
    `import type { Database } from '../db/connect.ts';`,
    `import { notImplemented } from '../errors.ts';`,
    '',
    `export const ${value} = (db: Database) => ({`,
    operations.map((operation) => stub(operation).join('\n')).join('\n\n'),
    '}) satisfies Partial<Handlers>;',
  ].join('\n');
}
