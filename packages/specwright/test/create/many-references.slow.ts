/** `new` takes at most 20 s of CPU for 800 operations, whatever the shape of the references between their schemas. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { writeProject } from '../../src/new/new-project.ts';
import { manyReferences } from './fixtures/many-references.ts';

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
