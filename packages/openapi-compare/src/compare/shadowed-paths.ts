/** New paths that take over requests of a template: a literal path is matched before it (OpenAPI 3.0.3, section 4.7.8.1). */
import { createSchemaCompiler, type Document, type Parameter, pointerTo, resolveAt } from '@specwright/contract/document';
import { childPointer } from './part.ts';
import type { NamedOperation } from './operation-part.ts';

/** Of a path, whatever its parameters are called. */
export const shapeOf = (path: string) => path.replace(/\{[^{}]*\}/g, '{}');

/** A former operation, and the new path that takes over some of its requests. */
export interface ShadowedOperation {
  readonly placed: NamedOperation;
  readonly path: string;
}

/** @param old the former operations, @param current those of now. */
export function shadowedOperations(
  before: Document,
  old: readonly NamedOperation[],
  current: readonly NamedOperation[],
): ShadowedOperation[] {
  const [former, kept] = [old, current].map((list) => new Set(list.map(({ path }) => shapeOf(path)))) as [Set<string>, Set<string>];
  const added = [...new Set(current.flatMap(({ path, isIncoming }) => (isIncoming && !former.has(shapeOf(path)) ? [path] : [])))];
  if (added.length === 0) return [];
  const compile = createSchemaCompiler(before, 'request');
  return old.flatMap((placed) => {
    if (!placed.isIncoming || !placed.path.includes('{') || !kept.has(shapeOf(placed.path))) return [];
    const accepts = (name: string, text: string) => {
      const pointer = schemaPointer(before, placed, name);
      return pointer === undefined || valuesOf(text).some((value) => compile(pointer)(value));
    };
    return added.flatMap((path) => (takesOver(path, placed.path, accepts) ? [{ placed, path }] : []));
  });
}

/** The schema of a path parameter; `undefined` if it has a media type. */
function schemaPointer(document: Document, { item, itemKeys, operation, keys }: NamedOperation, name: string): string | undefined {
  const lists = [[operation.parameters, keys] as const, [item.parameters, itemKeys] as const];
  const found = lists.flatMap(([parameters = [], parent]) =>
    parameters.map((one, i) => resolveAt<Parameter>(document, one, pointerTo(...parent, 'parameters', i))),
  );
  const parameter = found.find(({ value }) => value.in === 'path' && value.name === name);
  return parameter?.value.schema === undefined ? undefined : childPointer(parameter.pointer, 'schema');
}

/** What a text of a path may stand for. */
const valuesOf = (text: string): unknown[] => [
  text,
  ...(/^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : []),
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  text.split(','),
];

/** Whether a path matches requests that a template matched, and is preferred to it: where they first differ it is the more literal one. */
function takesOver(path: string, template: string, accepts: (name: string, text: string) => boolean): boolean {
  const [own, other] = [path, template].map((one) => one.split('/')) as [string[], string[]];
  if (own.length !== other.length) return false;
  const first = own.findIndex((segment, i) => rankOf(segment) !== rankOf(other[i] ?? ''));
  if (first < 0 || rankOf(own[first] ?? '') > rankOf(other[first] ?? '')) return false;
  return own.every((segment, i) => segment.includes('{') || isMatched(segment, other[i] ?? '', accepts));
}

/** Literal, with a parameter in it, or a parameter alone. */
const rankOf = (segment: string): number => (!segment.includes('{') ? 0 : /^\{[^{}]*\}$/.test(segment) ? 2 : 1);

function isMatched(text: string, template: string, accepts: (name: string, text: string) => boolean): boolean {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const literals = template.split(/\{[^{}]*\}/).map((one) => one.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const found = new RegExp(`^${literals.join('(.+)')}$`).exec(text);
  return found !== null && names.every((name, i) => accepts(name, found[i + 1] ?? ''));
}
