/** Gives schemas that a `$ref` finds inside a path a name in components: openapi-typescript loses `properties` on the way there. */
import { resolve, type Document } from '@specwright/server';

/** Changes a document of the caller's own; what it means stays. */
export function hoistPathReferences(document: Document): Document {
  const names = new Map<string, string>();
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  const waiting: unknown[] = [document];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && /^#\/paths\/.*\/schema\//.test($ref)) {
      let name = names.get($ref);
      if (name === undefined) {
        for (let n = names.size + 1; name === undefined || name in schemas; n++) name = `InPath${n}`;
        names.set($ref, name);
        // Before anything is resolved: one reference may lead to another that has been renamed.
        Object.assign(document, { components: { ...document.components, schemas } });
        schemas[name] = structuredClone(resolve<object>(document, { $ref }));
        waiting.push(schemas[name]);
      }
      (node as { $ref: string }).$ref = `#/components/schemas/${name}`;
    } else waiting.push(...(Object.values(node) as unknown[]));
  }
  return document;
}
