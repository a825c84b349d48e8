/** Visits a document: its schemas, and the objects that hold them, each with its path. */
import type { Document, Header, Link, MediaType, Parameter, Schema } from './openapi.ts';
import { FIELDS, kindOf, sectionOf, type ComponentSection, type Content, type Kind } from './object-kinds.ts';

/** The keys from the root of a document to a part of it. */
export type DocumentPath = readonly (string | number)[];

type Visit<T> = (value: T, path: DocumentPath) => void;

/** What to call for each object of a kind. */
export interface DocumentVisitor {
  readonly schema?: Visit<Schema>;
  readonly mediaType?: Visit<MediaType>;
  readonly parameter?: Visit<Parameter>;
  readonly header?: Visit<Header>;
  readonly link?: Visit<Link>;
  /** A `$ref`, and the section whose components may be used where it is. */
  readonly reference?: (target: string, path: DocumentPath, section: ComponentSection) => void;
}

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The objects in the fields of an object, in the order of the document. */
function* childrenOf(kind: Kind, value: Json): Generator<[keys: (string | number)[], kind: Kind, child: unknown]> {
  const fields: Readonly<Record<string, Content>> = FIELDS[kind];
  for (const key of Object.keys(value)) {
    const content = Object.hasOwn(fields, key) ? fields[key] : fields['*'];
    const given = value[key];
    if (content === undefined || given === null || given === undefined) continue;
    const childKind = kindOf(content);
    if (childKind === content) yield [[key], childKind, given];
    else if (isJson(given))
      for (const [name, child] of Object.entries(given)) yield [[key, Array.isArray(given) ? Number(name) : name], childKind, child];
  }
}

/** Calls `visit` for every schema of the document. */
export const visitSchemas = (document: Document, visit: Visit<Schema>): void => visitDocument(document, { schema: visit });

/**
 * Visits the objects of a document, parents before children. References are not followed, because their targets are
 * visited where they are defined; a document that is not quite OpenAPI is visited as far as it can be read.
 */
export function visitDocument(document: Document, visitor: DocumentVisitor): void {
  const visits = visitor as Partial<Record<Kind, Visit<unknown>>>;
  const isDraft = /^3\.0/.test(document.openapi);
  const visit = (value: unknown, kind: Kind, path: DocumentPath): void => {
    if (!isJson(value)) return;
    const section = sectionOf(kind);
    if (section !== undefined && typeof value['$ref'] === 'string') visitor.reference?.(value['$ref'], path, section);
    // From 3.1 on, the keywords beside the `$ref` of a schema apply too.
    if (section !== undefined && '$ref' in value && (kind !== 'schema' || isDraft || Object.keys(value).length === 1)) return;
    visits[kind]?.(value, path);
    for (const [keys, childKind, child] of childrenOf(kind, value)) visit(child, childKind, [...path, ...keys]);
  };
  visit(document, 'document', []);
}

/**
 * A document whose schemas are replaced, parents before children. What is not changed is shared with the given one.
 *
 * @param map gets each schema, references and booleans too. `key` is the keyword that it is below: of a schema, or of another object.
 */
export function mapSchemas<Context>(
  document: Document,
  initial: Context,
  map: (schema: unknown, context: Context, path: DocumentPath) => readonly [schema: unknown, within: (key: string) => Context],
): Document {
  const replace = (value: unknown, kind: Kind, context: Context, path: DocumentPath): unknown => {
    const [mapped, within] = kind === 'schema' ? map(value, context, path) : [value, () => initial];
    if (!isJson(mapped)) return mapped;
    let result = mapped;
    for (const [keys, childKind, child] of childrenOf(kind, mapped)) {
      // Booleans in a schema are up to what maps it: some keywords keep them.
      if (kind === 'schema' && typeof child === 'boolean') continue;
      const [key, name] = keys as [string, string | number | undefined];
      const replaced = replace(child, childKind, within(key), [...path, ...keys]);
      if (replaced === child) continue;
      if (result === mapped) result = { ...mapped };
      if (name === undefined) result[key] = replaced;
      else {
        if (result[key] === mapped[key])
          result[key] = Array.isArray(mapped[key]) ? [...(mapped[key] as unknown[])] : { ...(mapped[key] as Json) };
        (result[key] as Json)[name] = replaced;
      }
    }
    return result;
  };
  return replace(document, 'document', initial, []) as Document;
}
