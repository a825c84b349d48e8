/** A document of many operations. */

/** Records in 50 groups, each of which has its schema, with prose as long as that of the pet store. */
export function largeDocument(count: number) {
  const prose = 'Answers with the newest first, and with those that the caller may read. '.repeat(6);
  const schemaOf = (number: number) => `Record${number % 50}`;
  const operation = (number: number) => ({
    operationId: `listRecords${number}`,
    summary: `List the records of shelf ${number}`,
    description: prose,
    tags: [`Shelves ${number % 50}`],
    parameters: [{ name: `shelf-${number}`, in: 'query', schema: { type: 'string' } }],
    responses: {
      200: { description: 'Records.', content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaOf(number)}` } } } },
    },
  });
  const numbers = Array.from({ length: count }, (_, number) => number);
  return {
    openapi: '3.1.1',
    info: { title: 'Shelves', version: '1' },
    paths: Object.fromEntries(numbers.map((number) => [`/shelves/${number}/records`, { get: operation(number) }])),
    components: {
      schemas: Object.fromEntries(
        numbers.slice(0, 50).map((number) => [schemaOf(number), { type: 'object', properties: { id: { type: 'integer' } } }]),
      ),
    },
  };
}
