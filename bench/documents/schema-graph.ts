/** An OpenAPI document whose schemas refer to each other, as deep as no one writes it and as generators do. */
const OPERATIONS = 30;

/** @param schemas how many; each has the next one as a property, and every tenth is the body of an operation. @param closed whether the last has the first. */
export function createSchemaGraph(schemas: number, closed: boolean): object {
  const names = Array.from({ length: schemas }, (_, i) => `Part${i}`);
  const reference = (i: number) => ({ $ref: `#/components/schemas/${names[i % schemas]}` });
  const parts = names.map((name, i): [string, object] => {
    const next = i < schemas - 1 || closed ? { next: reference(i + 1) } : {};
    const own = { id: { type: 'integer', minimum: 1 }, name: { type: 'string', minLength: 1, maxLength: 100 + i } };
    return [name, { type: 'object', required: ['id'], properties: { ...own, ...next } }];
  });
  const paths = Array.from({ length: OPERATIONS }, (_, n): [string, object] => {
    const content = { 'application/json': { schema: reference(Math.floor((n * schemas) / OPERATIONS)) } };
    const responses = { '200': { description: 'Created.', content } };
    return [`/parts-${n}`, { post: { operationId: `createPart${n}`, requestBody: { required: true, content }, responses } }];
  });
  const info = { title: closed ? 'A cycle' : 'A chain', version: '1' };
  return { openapi: '3.0.3', info, paths: Object.fromEntries(paths), components: { schemas: Object.fromEntries(parts) } };
}
