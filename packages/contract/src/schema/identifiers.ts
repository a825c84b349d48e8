/** Finds schemas by their identifiers: `$id`, `$anchor`, `$dynamicAnchor` (JSON Schema 2020-12, core, section 8.2). */
import { decodePercent, pointerKeys, pointerTo, valueAt, type Document, type Schema } from '../document/openapi.ts';
import { visitDocument, type DocumentPath } from '../document/visit-schemas.ts';

/**
 * Turns a reference by identifier into a JSON pointer within the document.
 *
 * @param path of the schema that has the reference. @returns the reference as given, if nothing in the document has that identifier.
 */
type ToPointer = (reference: string, path: DocumentPath) => string;

/** That of a document without `$self`: no schema can refer to it by name. */
const DOCUMENT_URI = 'contract:/document';

/** @returns `undefined` for a document whose references are all JSON pointers from its root: nearly every one. */
export function findIdentifiers(document: Document): ToPointer | undefined {
  const self = (document as { $self?: unknown }).$self;
  const root = typeof self === 'string' ? resolveUri(self, DOCUMENT_URI) : DOCUMENT_URI;
  /** Pointer -> URI, of each schema resource. */
  const resources = new Map<string, string>([['#', root]]);
  /** URI, with the anchor as its fragment -> pointer. */
  const targets = new Map<string, string>([[root, '#']]);
  const found = { identifiers: 0 };
  const isPointer = (reference: unknown): boolean => typeof reference !== 'string' || /^#\/(?!(?:\$defs|definitions)\/)/.test(reference);
  const visitSchema = (schema: Schema, path: DocumentPath): void => {
    const { $id, $anchor, $dynamicAnchor, $dynamicRef } = schema as Readonly<Record<string, unknown>>;
    if (!isPointer($dynamicRef)) found.identifiers++;
    if ($id === undefined && $anchor === undefined && $dynamicAnchor === undefined) return;
    found.identifiers++;
    const pointer = pointerTo(...path);
    if (typeof $id === 'string') {
      const uri = withoutFragment(resolveUri($id, uriOf(resources, path)));
      resources.set(pointer, uri);
      targets.set(uri, pointer);
    }
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string') targets.set(`${uriOf(resources, path)}#${anchor}`, pointer);
  };
  visitDocument(document, {
    schema: visitSchema,
    reference: (target) => {
      if (!isPointer(target)) found.identifiers++;
    },
  });
  if (found.identifiers === 0) return undefined;
  const strict = (reference: string, path: DocumentPath): string => {
    const uri = resolveUri(reference, uriOf(resources, path));
    const resource = targets.get(withoutFragment(uri));
    const [, fragment = ''] = uri.split('#');
    if (fragment !== '' && !fragment.startsWith('/')) return targets.get(uri) ?? targets.get(decodePercent(uri)) ?? reference;
    return resource === undefined ? reference : pointerTo(...pointerKeys(resource), ...pointerKeys(`#${fragment}`));
  };
  return (reference, path) => {
    const pointer = strict(reference, path);
    return exists(document, pointerKeys(pointer)) ? pointer : (nearestPointer(document, reference, path) ?? pointer);
  };
}

const exists = (document: Document, keys: readonly string[]): boolean => keys.length === 0 || valueAt(document, keys) !== undefined;

/**
 * What was meant by a pointer that leads nowhere: generators write `#/$defs/Name` for what an enclosing schema defines, and a pointer from
 * the root of the document in a schema with an `$id`, from which it should begin.
 */
function nearestPointer(document: Document, reference: string, path: DocumentPath): string | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const keys = pointerKeys(reference);
  for (let length = path.length; length >= 0; length--) {
    const candidate = [...path.slice(0, length).map(String), ...keys];
    if (valueAt(document, candidate) !== undefined) return pointerTo(...candidate);
  }
  return undefined;
}

function uriOf(resources: ReadonlyMap<string, string>, path: DocumentPath): string {
  for (let length = path.length; length > 0; length--) {
    const uri = resources.get(pointerTo(...path.slice(0, length)));
    if (uri !== undefined) return uri;
  }
  return resources.get('#') ?? DOCUMENT_URI;
}

function resolveUri(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    // A base such as `urn:...` has no hierarchy.
    return reference.startsWith('#') ? withoutFragment(base) + reference : reference;
  }
}

const withoutFragment = (uri: string): string => uri.split('#')[0] ?? '';
