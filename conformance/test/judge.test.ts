/** What is said of a response, for each kind of answer that a case accepts. */
import { expect, test } from '@jest/globals';
import type { Outcome } from '../src/case.ts';
import { judge } from '../src/judge.ts';

const response = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const verdict = (outcomes: readonly Outcome[], answer: ReturnType<typeof response> | Error) => judge({ accepts: outcomes }, answer).verdict;

const RECEIVED: Outcome = { kind: 'received', received: { query: { id: 7 } } };
const REFUSED: Outcome = { kind: 'refused', statuses: [400, 422] };

test.each([
  ['kept', { query: { id: 7 }, path: {} }],
  ['kept', '{"query":{"id":7.0}}'],
  ['altered', { query: { id: '7' } }],
  ['altered', { query: {} }],
  ['altered', { query: { id: 7, more: 1 } }],
  ['altered', 'no JSON'],
])('a valid request is %s: %j', (expected, body) => {
  expect(verdict([RECEIVED], response(200, body))).toBe(expected);
});

test.each([
  ['refused', [RECEIVED], response(400, {})],
  ['crashed', [RECEIVED], response(500, {})],
  ['outside', [RECEIVED], response(201, { query: { id: 7 } })],
  ['crashed', [RECEIVED], new Error('no response')],
  ['kept', [REFUSED], response(422, {})],
  ['outside', [REFUSED], response(404, {})],
  ['let through', [REFUSED], response(200, {})],
  ['crashed', [REFUSED], response(500, {})],
  ['kept', [RECEIVED, REFUSED], response(400, {})],
  ['altered', [RECEIVED, REFUSED], response(200, { query: { id: 8 } })],
] as const)('%s', (expected, outcomes, answer) => {
  expect(verdict(outcomes, answer)).toBe(expected);
});

const ANSWERED: Outcome = {
  kind: 'answered',
  statuses: [201],
  headers: { Location: '/7', ETag: '*', 'X-Gone': null },
  body: { json: { id: 7 } },
};
const HEADERS = { location: '/7', etag: '"1"' };

test.each([
  ['kept', 201, { id: 7 }, HEADERS],
  ['altered', 201, { id: 8 }, HEADERS],
  ['altered', 201, { id: 7 }, { etag: '"1"' }],
  ['altered', 201, { id: 7 }, { location: '/7' }],
  ['altered', 201, { id: 7 }, { ...HEADERS, 'x-gone': '1' }],
  ['outside', 200, { id: 7 }, HEADERS],
  ['crashed', 500, {}, {}],
])('an answer is %s: %i %j', (expected, status, body, headers) => {
  expect(verdict([ANSWERED], response(status, body, headers))).toBe(expected);
});

test('what a handler must not answer is outside the contract unless it is an error of the server', () => {
  const outcome: Outcome = { kind: 'answered', statuses: [500] };
  expect(verdict([outcome], response(500, {}))).toBe('kept');
  expect(verdict([outcome], response(200, { wrong: true }))).toBe('outside');
});

test('the names of header fields do not depend on case', () => {
  expect(verdict([{ kind: 'received', received: { header: { 'X-Id': 1 } } }], response(200, { header: { 'x-id': 1 } }))).toBe('kept');
});

test('the reason is the answer, cut', () => {
  expect(judge({ accepts: [REFUSED] }, response(200, 'x'.repeat(400), { 'content-type': 'text/plain' })).reason).toBe(
    `200 text/plain ${'x'.repeat(300)}...`,
  );
});
