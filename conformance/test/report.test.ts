/** The report: what is counted, drawn and linked. */
import { expect, test } from '@jest/globals';
import type { Case } from '../src/case.ts';
import { drawChart } from '../report/chart.ts';
import { findDisputes, reasonOf } from '../report/disputes.ts';
import { failuresPage } from '../report/failures-page.ts';
import { countsOf, recordOf, type Recorded } from '../report/recorded.ts';

const ID = 'parameters/query-integer/a number';
const CASE: Case = {
  id: ID,
  operationId: 'echoQueryInteger',
  request: 'GET /parameters/query-integer?color=7 HTTP/1.1\r\n\r\n',
  accepts: [{ kind: 'received', received: { query: { color: 7 } } }],
  source: { standard: 'OpenAPI 3.0.4', section: '4.7.12', sentence: 'A parameter has a *schema*.', from: 'a table' },
};
const results = (verdict: 'let through' | 'crashed' | 'kept'): Recorded => ({
  title: 'A server',
  date: '2026-11-27',
  seconds: 1,
  groups: [recordOf({ group: 'parameters', notApplicable: 3, results: [{ id: ID, verdict, reason: 'x'.repeat(300) }] })],
});
const judge = (name: string, verdict: Parameters<typeof results>[0], kind: 'document' | 'models' = 'document') => ({
  name,
  adapter: { kind },
  results: results(verdict),
});
const CASES = new Map([[ID, CASE]]);

test('records what was not kept, with the beginning of the answer', () => {
  const { groups } = results('crashed');
  expect(groups).toEqual([
    { group: 'parameters', cases: 1, notApplicable: 3, failures: [{ id: ID, verdict: 'crashed', reason: 'x'.repeat(200) }] },
  ]);
  expect(countsOf(groups)).toMatchObject({ kept: 0, crashed: 1 });
  expect(countsOf(results('kept').groups)).toMatchObject({ kept: 1, crashed: 0 });
});

test('records why a document is not served, without folders of the machine', () => {
  const notServed = 'File "/home/me/my/conformance/adapters/x/.venv/lib/site-packages/x.py", at file:///home/me/conformance/run.mjs:7';
  expect(recordOf({ group: 'http', results: [], notApplicable: 0, notServed }).notServed).toBe(
    'File "site-packages/x.py", at conformance/run.mjs:7',
  );
});

test('a page has the request, the answer, the expectation and the sentence of each failure', () => {
  const page = failuresPage(results('let through'), CASES);
  for (const part of [
    '# A server: cases that were not kept',
    '### parameters/query-integer/a number',
    String.raw`let through. OpenAPI 3.0.4, 4.7.12: A parameter has a \*schema\*. (from: a table)`,
    String.raw`sent      GET /parameters/query-integer?color=7 HTTP/1.1\r\n\r\n`,
    'expected  the handler receives {"query":{"color":7}}',
  ])
    expect(page).toContain(part);
  expect(failuresPage(results('kept'), CASES)).toContain('None.');
});

test('a dispute is a case that two others fail alike; a crash is no opinion, nor are our own servers and models judges', () => {
  const names = (servers: Parameters<typeof findDisputes>[0]) => findDisputes(servers, CASES).map(({ judges }) => judges);
  expect(names([judge('a', 'let through'), judge('b', 'let through')])).toEqual([['a', 'b']]);
  expect(names([judge('a', 'let through'), judge('b', 'crashed')])).toEqual([]);
  expect(names([judge('a', 'crashed'), judge('b', 'crashed')])).toEqual([]);
  expect(names([judge('a', 'let through'), judge('specwright', 'let through'), judge('m', 'let through', 'models')])).toEqual([]);
});

test('the reason of the longest beginning holds', () => {
  const reasons = { 'parameters/*': 'a', 'parameters/query-*': 'b', [ID]: 'c' };
  expect(['parameters/path/x', 'parameters/query-text/x', ID, 'other'].map((id) => reasonOf(reasons, id))).toEqual([
    'a',
    'b',
    'c',
    undefined,
  ]);
});

test('bars are as wide as their counts', () => {
  const counts = { kept: 75, refused: 0, 'let through': 0, altered: 0, outside: 0, crashed: 15 };
  const svg = drawChart([{ label: 'a < b', counts, absent: 10 }]);
  expect(svg).toContain('a &lt; b');
  expect(svg).toContain('75.0 %');
  expect([...svg.matchAll(/height="16" \S+><title>(\d+ [^<]+)/g)].map(([, title]) => title)).toEqual([
    '75 kept',
    '15 crashed',
    '10 not served',
  ]);
  expect(svg.match(/width="(\d+\.\d)" height="16"/)?.[1]).toBe(((860 - 250 - 50) * 0.75).toFixed(1));
});
