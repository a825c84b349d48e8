/** What the comparison reports, against servers: some of the edits of breaking-http.nightly.ts. */
import { expect, test } from '@jest/globals';
import { EDITS, HARMLESS, judgeEdits } from '../../support/edits/http-edits.ts';

const some = <T>(all: readonly T[]) => all.filter((_, i) => i % 25 === 5);

test('a request that is refused, and an answer that is new, is reported', async () => {
  const { missed, met } = await judgeEdits(some(EDITS));
  expect(missed).toEqual([]);
  expect(met).toBeGreaterThan(6);
});

test('the reverse, which breaks nobody, is not', async () => {
  expect(await judgeEdits(some(HARMLESS))).toEqual({ missed: [], met: 0, reported: [] });
});
