/** Names of properties that a schema allows without naming them. */
import type { Schema } from '@specwright/contract/document';
import type { BuildOptions } from './build-options.ts';
import { leafCandidates, nearbyValues } from './leaf-values.ts';
import { viewSchema, type SchemaView } from './schema-view.ts';

type Options = Pick<BuildOptions, 'document' | 'isValid'>;

/** Whether a property may have a name that is not declared. */
export const matchesName = ({ isValid }: Options, { names, patterns, isClosed }: SchemaView, name: string): boolean =>
  isValid(names, name) && (!isClosed || patterns.some(({ expression }) => expression.test(name)));

/** As many names as there can be, up to a count. @param key what they are called where any name will do. */
export function freeNames(options: Options, view: SchemaView, key: string, taken: readonly string[], count: number): string[] {
  const found: string[] = [];
  if (count <= 0) return found;
  for (const name of candidates(options, view, key, taken.length + count)) {
    if (found.length >= count) break;
    if (typeof name === 'string' && !taken.includes(name) && !found.includes(name) && matchesName(options, view, name)) found.push(name);
  }
  return found;
}

function* candidates({ document }: Options, view: SchemaView, key: string, count: number): Generator {
  yield key;
  for (let i = 2; i <= count; i++) yield `${key}${i}`;
  const named = view.names.length > 0 ? [view.names] : [];
  const matching = view.patterns.map(({ pattern }) => [{ value: { type: 'string', pattern } as Schema, pointer: '' }]);
  for (const schemas of [...named, ...matching]) {
    const names = viewSchema(document, schemas);
    for (const name of leafCandidates(names, key)) {
      yield name;
      yield* nearbyValues(name, names);
    }
  }
}
