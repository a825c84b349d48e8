/**
 * What the comparison reports, against servers: 200 edits of parameters, headers, bodies of each kind, files, limits, security and answers. Requests that
 * the former server accepts are sent to the new one, and what that answers is judged by the former document.
 */
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { EDITS, HARMLESS, judgeEdits } from '../../support/edits/http-edits.ts';

const TIMEOUT_MS = 300_000;

test(
  'a request that is refused, and an answer that is new, is reported',
  async () => {
    const { missed, met } = await judgeEdits(EDITS);
    expect(missed).toEqual([]);
    expect(EDITS.length).toBeGreaterThanOrEqual(200);
    // The requests do not reach the others: a list that no style divides, a body that has no such part.
    expect(met).toBeGreaterThanOrEqual(165);
  },
  scaleTimeout(TIMEOUT_MS),
);

test(
  'the reverse, which breaks nobody, is not',
  async () => {
    expect(HARMLESS.length).toBeGreaterThanOrEqual(100);
    expect(await judgeEdits(HARMLESS)).toEqual({ missed: [], met: 0, reported: [] });
  },
  scaleTimeout(TIMEOUT_MS),
);
