/** Visits a document: its schemas, and the objects that hold them, each with its path. */
import type { Document, Header, Link, MediaType, Parameter, Schema } from './openapi.ts';
import { fieldOf, sectionOf, type ComponentSection, type Kind } from './object-kinds.ts';

/** The keys from the root of a document to a part of it. */
export type DocumentPath = readonly (string | number)[];

type Visit<T> = (value: T, path: DocumentPath) => void;

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

/** Calls `visit` for each object in the fields of an object, in the order of the document. */
function forEachChild(kind: Kind, value: Json, path: DocumentPath, visit: (child: unknown, kind: Kind, path: DocumentPath) => void): void {
  for (const key of Object.keys(value)) {
    const field = fieldOf(kind, key);
    const given = value[key];
    if (field === undefined || !isJson(given)) continue;
    if (!field.isMany) visit(given, field.kind, [...path, key]);
    else if (Array.isArray(given)) (given as unknown[]).forEach((child, i) => visit(child, field.kind, [...path, key, i]));
    else for (const [name, child] of Object.entries(given)) visit(child, field.kind, [...path, key, name]);
  }
}

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
    forEachChild(kind, value, path, visit);
  };
  visit(document, 'document', []);
}

/**
 * A document whose schemas are replaced, parents before children. What is not changed is shared with the given one.
 *
 * @param map gets each schema, references and booleans too, but for booleans within a schema, of which some keywords keep them. `path` is
 *   only valid during the call. `within` gives the context of the schemas below a keyword.
 */
export function mapSchemas<Context>(
  document: Document,
  initial: Context,
  map: (schema: unknown, context: Context, path: DocumentPath) => readonly [schema: unknown, within: (key: string) => Context],
): Document {
  const path: (string | number)[] = [];
  const replace = (value: unknown, kind: Kind, context: Context): unknown => {
    const isSchema = kind === 'schema';
    const [mapped, within] = isSchema ? map(value, context, path) : [value, undefined];
    if (!isJson(mapped)) return mapped;
    let result = mapped;
    for (const key of Object.keys(mapped)) {
      const field = fieldOf(kind, key);
      const given = mapped[key];
      if (field === undefined || (!isJson(given) && (isSchema || field.kind !== 'schema'))) continue;
      const inner = within === undefined ? initial : within(key);
      path.push(key);
      const replaced = field.isMany ? replaceEach(given as Json, field.kind, inner, isSchema) : replace(given, field.kind, inner);
      path.pop();
      if (replaced === given) continue;
      if (result === mapped) result = { ...mapped };
      result[key] = replaced;
    }
    return result;
  };
  const replaceEach = (values: Json, kind: Kind, context: Context, isWithinSchema: boolean): Json => {
    let result = values;
    for (const key of Object.keys(values)) {
      const given = values[key];
      if (!isJson(given) && (isWithinSchema || kind !== 'schema')) continue;
      path.push(Array.isArray(values) ? Number(key) : key);
      const replaced = replace(given, kind, context);
      path.pop();
      if (replaced === given) continue;
      if (result === values) result = (Array.isArray(values) ? [...(values as unknown[])] : { ...values }) as Json;
      result[key] = replaced;
    }
    return result;
  };
  return replace(document, 'document', initial) as Document;
}
