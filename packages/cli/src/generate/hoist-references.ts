/**
 * Gives every schema that a `$ref` finds inside another one a name in components, and drops what stands beside a `$ref`:
 * openapi-typescript makes types of such references that do not compile, or mean something else.
 */
import { isObject, pointerKeys, resolve, type Document } from '@specwright/server/document';

/** Changes the document in place, and returns it. Its meaning stays the same. */
export function hoistReferences(document: Document): Document {
  const names = new Map<string, string>();
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  const nameOf = (pointer: string): string | undefined => {
    const known = names.get(pointer);
    if (known !== undefined) return known;
    // Before the reference is resolved: its target may be a reference that was renamed.
    Object.assign(document, { components: { ...document.components, schemas } });
    const target = schemaAt(document, pointer);
    if (target === undefined) return undefined;
    let name = `Inline${names.size + 1}`;
    while (name in schemas) name += '_';
    names.set(pointer, name);
    queue.push((schemas[name] = structuredClone(target)));
    return name;
  };
  const queue: unknown[] = [document];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { $ref, externalValue } = node as { $ref?: unknown; externalValue?: unknown };
    // openapi-typescript would fetch the example, and fail without a network.
    if (typeof externalValue === 'string') delete (node as { externalValue?: string }).externalValue;
    if (typeof $ref !== 'string') queue.push(...(Object.values(node) as unknown[]));
    else {
      // OpenAPI 3.0.3, section 4.7.23: properties beside a $ref are ignored. A description is only a comment.
      for (const key of Object.keys(node)) if (key !== '$ref' && key !== 'description') delete (node as Record<string, unknown>)[key];
      const name = isInsideOfSchema($ref) ? nameOf($ref) : undefined;
      if (name !== undefined) (node as { $ref: string }).$ref = `#/components/schemas/${name}`;
    }
  }
  return document;
}

/** Whether a reference leads to a part of a named schema, or to a schema that has no name. */
function isInsideOfSchema(reference: string): boolean {
  if (!reference.startsWith('#/')) return false;
  const [root, section, , ...below] = pointerKeys(reference);
  return root === 'components' && section === 'schemas' ? below.length > 0 : below.includes('schema');
}

/** `undefined` for what is no reference, such as text in an example. */
function schemaAt(document: Document, $ref: string): object | undefined {
  try {
    const schema = resolve<unknown>(document, { $ref });
    return isObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}
