/** The report of a rehearsal says first what is wrong, and never that nothing was lost when something was. */
import { expect, test } from '@jest/globals';
import { formatReport, hasPassed, type Rehearsal } from '../../bench/chaos/support/report.ts';

const good: Rehearsal = {
  version: 'v1.2.3',
  date: '2026-01-01T10:00',
  machine: 'Node v20, 2 processors.',
  tests: [{ what: 'the contract walk', passed: 543, failed: [] }],
  rows: [
    { scenario: 'kill-9', measured: 'acknowledged orders that are lost', value: 0, max: 0, ok: true },
    { scenario: 'kill-9', measured: 'service after the kill', value: 812.4, unit: 'ms', ok: true },
    { scenario: 'kill-9', measured: 'slowest answer', value: 4000, unit: 'ms', ok: true },
  ],
  summaries: new Map([['kill-9', 'SIGKILL of the server']]),
  left: [],
};

test('says what was done, that nothing was lost, and how long it was away', () => {
  const report = formatReport(good);
  expect(report).toContain('Nothing was lost');
  expect(report).toContain('| kill-9: SIGKILL of the server | nothing | 812 ms (service after the kill) |');
  expect(report).not.toContain('## Not done');
  expect(hasPassed(good)).toBe(true);
});

test('a figure that is not allowed, an error, a failed test and a run without tests are failures', () => {
  const lost = { scenario: 'kill-9', measured: 'acknowledged orders that are lost', value: 2, max: 0, ok: false };
  const error = { scenario: 'freeze', measured: 'ended without an error', value: NaN, ok: false, error: 'not done after 60 s' };
  const bad = { ...good, rows: [...good.rows, lost, error], left: ['the upgrade'] };
  const report = formatReport(bad);
  expect(report).toContain('**2 things are not as they must be.**');
  expect(report).toContain('**acknowledged orders that are lost: 2**');
  expect(report).toContain('**ended without an error: not done after 60 s**');
  expect(report).toContain('## Not done\n\n- the upgrade');
  expect(hasPassed({ ...good, rows: [lost] })).toBe(false);
  expect(hasPassed({ ...good, tests: [{ what: 'faults', passed: 5, failed: ['crash'] }] })).toBe(false);
  expect(formatReport({ ...good, tests: [{ what: 'faults', passed: 0, failed: [] }] })).toContain('**1 things');
});

test('what a busy machine made unmeasurable is no failure, and is said', () => {
  const row = { scenario: 'kill-9', measured: 'p99', value: 9, ok: false, isUnmeasurable: true };
  expect(hasPassed({ ...good, rows: [row] })).toBe(true);
  expect(formatReport({ ...good, rows: [row] })).toContain('p99: not measurable, the machine was busy');
});
