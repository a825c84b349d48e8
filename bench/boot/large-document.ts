/** An OpenAPI document with any number of operations, each of the size that real ones have: about 4 KiB. */
export function createLargeDocument(operations: number): object {
  const error = { description: 'An error.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  const pathItems = Array.from({ length: operations }, (_, i): [string, object] => {
    const fields = Array.from({ length: 20 }, (__, n): [string, object] => [
      `field${n}`,
      { type: 'string', maxLength: 100 + n, description: `Field ${n} of item ${i}.` },
    ]);
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1 },
        tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
        ...Object.fromEntries(fields),
      },
    };
    const content = { 'application/json': { schema } };
    const operation = {
      operationId: `createItem${i}`,
      description: `Creates item ${i}.`,
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      ],
      requestBody: { required: true, content },
      responses: { '200': { description: 'Created.', content }, '400': error, '404': error },
    };
    return [`/items-${i}/{id}`, { post: operation }];
  });
  const schemas = {
    Tag: { type: 'string', maxLength: 50 },
    Error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
    },
  };
  return { openapi: '3.0.3', info: { title: 'Boot', version: '1' }, paths: Object.fromEntries(pathItems), components: { schemas } };
}
