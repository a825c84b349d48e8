/** What `new` makes of a document grows with its size, whatever the shape of the references between its schemas. */
import { expect, test } from '@jest/globals';
import { assertSchemasCompile, listUnsupported, parseSource } from '@specwright/contract/document';
import { manyReferences, type ManyReferences } from './fixtures/many-references.ts';

/** CPU in ms, of the fastest of three. */
function timeOf(shape: ManyReferences): number {
  const source = parseSource('openapi.json', manyReferences(shape));
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage().user;
    listUnsupported(source);
    assertSchemasCompile(source);
    return (process.cpuUsage().user - before) / 1000;
  });
  return Math.min(...times);
}

// Five times the schemas and the operations, twenty-five times the pairs of them.
test.each([[[1]], [[1, 7]]])(
  'schemas that refer to those %j ahead compile in time that is linear in their number',
  (steps) => {
    timeOf({ schemas: 5, operations: 20, steps });
    const [few, many] = [40, 200].map((schemas) => timeOf({ schemas, operations: 4 * schemas, steps }));
    expect((many ?? 0) / (few ?? 1)).toBeLessThan(11);
  },
  60_000,
);
