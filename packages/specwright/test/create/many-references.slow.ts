/** What `new` does grows with a document's size, whatever the shape of the references between its schemas, and is bounded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { assertSchemasCompile, listUnsupported, parseSource } from '@specwright/contract/document';
import { writeProject } from '../../src/new/new-project.ts';
import { type ManyReferences, manyReferences } from './fixtures/many-references.ts';

const MAX_CPU_S = 20;

test('800 operations of 200 tags, with 200 schemas in a circle', async () => {
  const text = manyReferences({ schemas: 200, operations: 800, steps: [1], text: 300 });
  expect(text.length).toBeGreaterThan(550_000);
  const folder = mkdtempSync(join(tmpdir(), 'many-references-'));
  const before = process.cpuUsage();
  try {
    const source = parseSource('openapi.json', text);
    await writeProject(join(folder, 'project'), { source, name: 'circle', tarballs: [], accounts: false });
    const { user, system } = process.cpuUsage(before);
    // Processors that several processes share are slower: the bound is of a machine of its own.
    expect((user + system) / 1e6).toBeLessThan(2 * MAX_CPU_S);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 300_000);

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
