/** The text of stubs: a handler that answers 501, and a file of them. */
import ts from '../libraries/typescript.ts';
import { type HandlerSet, type SpecOperation, formatOperation, typeImports } from './find-handlers.ts';
import { camel, docComment, kebab, lineComment, propertyName, quoted, singular, walk } from './typescript-source.ts';

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
export function newFile(value: string, name: string, operations: readonly SpecOperation[], { file, type }: HandlerSet): string {
  return [
    docComment(`${capitalized(name.replaceAll('-', ' '))}.`),
    ...typeImports(file, [...identifiers(type)]),
    `import { notImplemented } from '${SERVER_PACKAGE}';`,
    '',
    `export const ${value} = {`,
    operations.map((operation) => stub(operation).join('\n')).join('\n\n'),
    `} satisfies Partial<${type.getText()}>;`,
  ].join('\n');
}

export function identifiers(node: ts.Node): Set<string> {
  const names = new Set<string>();
  walk(node, (inner) => {
    if (ts.isIdentifier(inner)) names.add(inner.text);
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

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
const isParameter = (segment: string | undefined): boolean => segment?.includes('{') ?? false;

/**
 * How many segments two paths have in common, if one belongs to the other: `/users` and `/users/{userId}/photos` do;
 * `/shop/carts` and `/shop/vouchers` are siblings, which do not share a file.
 */
function relatedness(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < a.length && common < b.length && (a[common] === b[common] || (isParameter(a[common]) && isParameter(b[common]))))
    common++;
  const shared = a.slice(0, common);
  if (!shared.some((segment) => !isParameter(segment))) return 0;
  const apart = common < a.length && common < b.length && !isParameter(a[common]) && !isParameter(b[common]);
  return apart && !shared.some(isParameter) ? 0 : common;
}

/** Whether the first tags tell operations apart: each has one that can name a file, and they are not all the same. */
function areTagged(operations: readonly SpecOperation[]): boolean {
  const names = new Set(operations.map(({ tags: [tag = ''] }) => kebab(tag)));
  return names.size > 1 && !names.has('');
}

/**
 * Chooses the file for the handler of an operation. Where first tags tell operations apart, it is that of the handlers of its tag, the closest
 * by path if there are several, else a new one, named after the tag. Otherwise it is that of the handlers that are closest by path, among
 * equals those of the same first tag, else a new one, named after the noun of its path, else after its tag.
 *
 * @param taken whether a file of that name has no handlers.
 * @returns says the set of handlers, or the name of the new file without extension, that an operation belongs to.
 */
export function createFileChooser(
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  taken: (name: string) => boolean,
): (operation: SpecOperation) => HandlerSet | string {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const paths = operations.map(({ path }) => segmentsOf(path));
  const isByTag = areTagged(operations);
  const candidates: { readonly place: HandlerSet | string; readonly operation: SpecOperation }[] = sets.flatMap((place) =>
    place.handlers.flatMap(({ name }) => {
      const operation = byId.get(name);
      return operation === undefined ? [] : [{ place, operation }];
    }),
  );
  return (operation) => {
    const segments = segmentsOf(operation.path);
    const [tag] = operation.tags;
    let best: { place: HandlerSet | string; score: number } | undefined;
    for (const { place, operation: other } of candidates) {
      const common = relatedness(segments, segmentsOf(other.path));
      const isOfTag = other.tags[0] === tag;
      const belongs = isByTag ? isOfTag : common > 0;
      const score = belongs ? common + (isOfTag ? 0.5 : 0) : 0;
      if (score > (best?.score ?? 0)) best = { place, score };
    }
    const place = best?.place ?? fileName(isByTag ? undefined : nounOf(segments, paths), tag, taken);
    if (best === undefined) candidates.push({ place, operation });
    return place;
  };
}

/** `vouchers` of `/store/vouchers`, `pets` of `/pets/search` where there is a `/pets/{petId}`: what a parameter is one of, else the last word. */
function nounOf(segments: readonly string[], paths: readonly (readonly string[])[]): string | undefined {
  const first = segments.findIndex(isParameter);
  const words = first === -1 ? segments : segments.slice(0, first);
  const isCollection = (length: number) =>
    paths.some((path) => isParameter(path[length]) && words.slice(0, length).every((word, i) => word === path[i]));
  for (let length = words.length; length > 0; length--) if (isCollection(length)) return words[length - 1];
  return words.at(-1) ?? segments.find((segment) => !isParameter(segment));
}

function fileName(noun: string | undefined, tag: string | undefined, taken: (name: string) => boolean): string {
  const name = kebab(noun ?? '') || kebab(tag ?? '') || 'operations';
  return taken(name) ? `${name}-operations` : name;
}
