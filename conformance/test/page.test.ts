/** The page and the picture are those of the recorded results, and of the cases as they are. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('docs/why/conformance.md is what the results say', () => {
  const args = ['--conditions=@specwright/source', '--import', 'tsx', 'conformance/report/report.ts', '--check'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
