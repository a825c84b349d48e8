/** Each recorded expression is judged again, without the record. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';

jest.setTimeout(scaleTimeout(900_000));

test('the record has each expression of the sources, and says which are linear', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/record-expressions.mjs', '--check']);
  const recorded = JSON.parse(readFileSync('.config/linear-expressions.json', 'utf8')) as Record<string, boolean>;
  expect(Object.keys(recorded).length).toBeGreaterThan(200);
  expect(JSON.parse(stdout)).toEqual(recorded);
});
