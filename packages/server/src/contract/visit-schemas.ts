/** Visits every schema of a document. */
import { METHODS, type Document, type Schema } from './openapi.ts';

/** Calls `visit` for every schema of the document, with its path. References are not followed: their targets are visited as such. */
export function walkSchemas(document: Document, visit: (schema: Schema, path: (string | number)[]) => void): void {
  const inSchema = (schema: unknown, path: (string | number)[]): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const node = schema as Schema;
    visit(node, path);
    for (const key of ['items', 'additionalProperties', 'not'] as const) inSchema(node[key], [...path, key]);
    for (const key of ['allOf', 'oneOf', 'anyOf'] as const) (node[key] ?? []).forEach((s, i) => inSchema(s, [...path, key, i]));
    for (const [name, property] of Object.entries(node.properties ?? {})) inSchema(property, [...path, 'properties', name]);
  };
  const outside = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      const here = [...path, Array.isArray(value) ? Number(name) : name];
      if (name === 'schema') inSchema(child, here);
      else if (path.at(-1) === 'schemas' && path.at(-2) === 'components') inSchema(child, here);
      else if (name !== 'example' && name !== 'examples') outside(child, here);
    }
  };
  outside(document.components ?? {}, ['components']);
  for (const [path, item] of Object.entries(document.paths)) {
    outside(item.parameters ?? [], ['paths', path, 'parameters']);
    for (const method of METHODS) outside(item[method] ?? {}, ['paths', path, method]);
  }
}
