/**
 * Gives every schema that a reference finds inside another one a name in components, and drops what is beside a `$ref`:
 * openapi-typescript makes types of such references that do not compile, or mean something else.
 */
import { createDynamicScopes, isObject, pointerKeys, resolve, type Document, type DynamicScope } from '@specwright/contract/document';

type Json = Record<string, unknown>;

/** Changes the model of a document in place, and returns it. Its meaning stays the same, but `$dynamicRef`s and references to media types are gone. */
export function hoistReferences(document: Document): Document {
  const scopes = createDynamicScopes(document);
  const names = new Map<string, string>();
  const schemas: Json = { ...document.components?.schemas };
  const queue: [node: unknown, scope: DynamicScope][] = [];
  const nameOf = (pointer: string, scope: DynamicScope): string | undefined => {
    const key = `${pointer} ${scope.key}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    // Before the reference is resolved: its target may be a reference that was renamed.
    Object.assign(document, { components: { ...document.components, schemas } });
    const target = objectAt(document, pointer);
    if (target === undefined) return undefined;
    const keys = pointerKeys(pointer);
    let name = keys.at(-2) === '$defs' || !isInsideOfSchema(pointer) ? (keys.at(-1) ?? '') : `Inline${names.size + 1}`;
    while (name in schemas) name += '_';
    names.set(key, name);
    queue.push([(schemas[name] = structuredClone(target)), scope]);
    return name;
  };
  const follow = (node: Json, $ref: string, outer: DynamicScope): void => {
    if ($ref.startsWith('#/components/mediaTypes/')) {
      delete node['$ref'];
      queue.push([Object.assign(node, structuredClone(objectAt(document, $ref))), outer]);
      return;
    }
    // OpenAPI 3.0.3, section 4.7.23: properties beside a $ref are ignored. A description is only a comment.
    for (const key of Object.keys(node)) if (key !== '$ref' && key !== 'description') delete node[key];
    const scope = scopes.enter(outer, $ref);
    const isGeneric = scope.key !== scopes.enter(scopes.outermost, $ref).key;
    const name = isGeneric || isInsideOfSchema($ref) ? nameOf($ref, scope) : undefined;
    node['$ref'] = name === undefined ? $ref : `#/components/schemas/${encodeName(name)}`;
  };

  for (const [name, schema] of Object.entries(schemas))
    queue.push([schema, scopes.enter(scopes.outermost, `#/components/schemas/${encodeName(name)}`)]);
  queue.push([{ ...document, components: { ...document.components, schemas: undefined } }, scopes.outermost]);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [node, scope] = next;
    if (typeof node !== 'object' || node === null) continue;
    const { $ref, $dynamicRef } = node as Json;
    if (typeof $dynamicRef === 'string') resolveDynamic(node as Json, scopes.resolve(scope, $dynamicRef));
    if (typeof $ref === 'string') follow(node as Json, $ref, scope);
    else for (const child of Object.values(node)) queue.push([child, scope]);
  }
  return document;
}

const encodeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Makes a `$dynamicRef` a part of `allOf`, which other keywords may be beside. */
function resolveDynamic(node: Json, $ref: string): void {
  delete node['$dynamicRef'];
  node['allOf'] = [...((node['allOf'] as unknown[] | undefined) ?? []), { $ref }];
}

/** Whether a reference leads to a part of a named schema, or to a schema that has no name. */
function isInsideOfSchema(reference: string): boolean {
  if (!reference.startsWith('#/')) return false;
  const [root, section, , ...below] = pointerKeys(reference);
  return root === 'components' && section === 'schemas' ? below.length > 0 : below.includes('schema');
}

/** `undefined` for what is no reference, such as text in an example. */
function objectAt(document: Document, $ref: string): Json | undefined {
  try {
    const value = resolve<unknown>(document, { $ref });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
