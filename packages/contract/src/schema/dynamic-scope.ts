/** Follows `$dynamicRef`: its target depends on the schema resources that led to it (JSON Schema 2020-12, core, sections 7.1 and 8.2.3.2). */
import { pointerKeys, pointerTo, valueAt, type Document } from '../document/openapi.ts';
import { visitSchemas } from '../document/visit-schemas.ts';

/** The dynamic anchors that are in force: name -> pointer, those of the outermost resource first. */
export interface DynamicScope {
  readonly anchors: ReadonlyMap<string, string>;
  /** The same for the same anchors. */
  readonly key: string;
}

export type DynamicScopes = ReturnType<typeof createDynamicScopes>;

const NO_ANCHORS: DynamicScope = { anchors: new Map(), key: '' };

/** Most documents have no dynamic anchor: then every scope is the same one, and a `$dynamicRef` is a `$ref`. */
export function createDynamicScopes(document: Document) {
  const pointers = new Map<object, string>();
  let found: Map<string, Map<string, string>> | undefined;
  /** Looked for when something is first compiled: a start does not wait for it. */
  const anchorsByResource = () =>
    (found ??= /^3\.0/.test(document.openapi) ? new Map<string, Map<string, string>>() : findAnchors(document, pointers));
  /** The pointer that a `$dynamicRef` means. */
  const resolve = (scope: DynamicScope, reference: string): string => {
    const target = valueAt(document, pointerKeys(reference)) as Readonly<Record<string, unknown>> | undefined;
    const name = target?.['$dynamicAnchor'];
    return (typeof name === 'string' ? scope.anchors.get(name) : undefined) ?? reference;
  };
  const enterResource = (scope: DynamicScope, resource: string): DynamicScope => {
    const added = [...(anchorsByResource().get(resource) ?? [])].filter(([name]) => !scope.anchors.has(name));
    if (added.length === 0) return scope;
    const anchors = new Map([...scope.anchors, ...added]);
    return { anchors, key: JSON.stringify([...anchors].sort()) };
  };
  /** The scope within the schema at a pointer, entered from another scope. */
  const enter = (scope: DynamicScope, pointer: string): DynamicScope =>
    anchorsByResource().size === 0 ? scope : enterResource(scope, resourceOf(anchorsByResource(), pointer));
  /** The scope within a schema that is written where it applies. */
  const enterInline = (scope: DynamicScope, schema: object): DynamicScope => {
    const pointer = pointers.get(schema);
    return pointer === undefined ? scope : enterResource(scope, pointer);
  };
  return { outermost: NO_ANCHORS, enter, enterInline, resolve };
}

/**
 * The pointer of each schema resource -> its dynamic anchors; empty without any. `#` is the document.
 *
 * @param pointers gets those of the schemas with an `$id`.
 */
function findAnchors(document: Document, pointers: Map<object, string>): Map<string, Map<string, string>> {
  const resources = new Map<string, Map<string, string>>([['#', new Map()]]);
  visitSchemas(document, (schema, path) => {
    const pointer = pointerTo(...path);
    const { $id, $dynamicAnchor: anchor } = schema as { $id?: unknown; $dynamicAnchor?: unknown };
    if (typeof $id === 'string') {
      resources.set(pointer, new Map());
      pointers.set(schema, pointer);
    }
    if (typeof anchor !== 'string') return;
    resources.get(resourceOf(resources, pointer))?.set(anchor, pointer);
  });
  return [...resources.values()].some(({ size }) => size > 0) ? resources : new Map<string, Map<string, string>>();
}

function resourceOf(resources: ReadonlyMap<string, unknown>, pointer: string): string {
  for (let at = pointer; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) if (resources.has(at)) return at;
  return '#';
}
