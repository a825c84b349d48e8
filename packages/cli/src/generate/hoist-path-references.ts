/** Moves schemas that a `$ref` finds inside a path into components: openapi-typescript loses `properties` in such references. */
import { resolve, type Document } from '@specwright/server';

/** Changes the document in place, and returns it. Its meaning stays the same. */
export function hoistPathReferences(document: Document): Document {
  const names = new Map<string, string>();
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  const queue: unknown[] = [document];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && /^#\/paths\/.*\/schema\//.test($ref)) {
      let name = names.get($ref);
      if (name === undefined) {
        for (let n = names.size + 1; name === undefined || name in schemas; n++) name = `InPath${n}`;
        names.set($ref, name);
        // Before the reference is resolved: its target may be a reference that was renamed.
        Object.assign(document, { components: { ...document.components, schemas } });
        schemas[name] = structuredClone(resolve<object>(document, { $ref }));
        queue.push(schemas[name]);
      }
      (node as { $ref: string }).$ref = `#/components/schemas/${name}`;
    } else queue.push(...(Object.values(node) as unknown[]));
  }
  return document;
}
