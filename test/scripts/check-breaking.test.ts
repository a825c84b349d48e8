/** What breaks a client is found, by the rule that says why, and what breaks none is not. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Finding } from '../../scripts/breaking/change.ts';
import { compare } from '../../scripts/breaking/compare.ts';
import { OPERATIONS } from '../support/breaking-operations.ts';
import { SCHEMAS } from '../support/breaking-schemas.ts';
import { documentOf, pathOf } from '../support/breaking.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const CASES = [...OPERATIONS, ...SCHEMAS];

describe('a change', () => {
  let findings: Finding[];
  beforeAll(async () => {
    findings = await compare(documentOf(CASES, 'before'), documentOf(CASES, 'after'), NOW);
  });

  test.each(CASES.map(({ name, finds }, i) => ({ name, finds, i })))('$name: $finds', ({ finds, i }) => {
    const found = findings.filter(({ at }) => at.split('/')[2] === `~1${pathOf(i).slice(1)}`);
    expect(found.map(({ rule }) => rule)).toEqual(finds);
  });

  test('each finding says in words what has changed and why a client breaks', () => {
    for (const { change, why } of findings) {
      expect(change).toMatch(/^(GET|POST|PUT|DELETE|Word|\/case-)[^:]*: .+\.$/);
      expect(why.length).toBeGreaterThan(20);
    }
  });
});
