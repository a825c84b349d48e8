/** The work of a verdict is bounded by the bytes that were sent: for each keyword, format, shape and location, on values that are made to be expensive. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { MAX_GROWTH } from '../support/growth.ts';
import { type Measured, measureInProcesses } from '../support/measure-in-processes.ts';
import { ROWS } from './rows.ts';

let results: Measured;

beforeAll(async () => {
  results = await measureInProcesses(fileURLToPath(new URL('measure-rows.ts', import.meta.url)));
}, 600_000);

test.each(ROWS.map(({ name }) => name))(`the time of %s grows at most ${MAX_GROWTH} times faster than the bytes`, (name) => {
  expect(results.get(name)).toEqual([]);
});
