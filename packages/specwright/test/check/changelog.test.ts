/** A changelog says each change once, what breaks with its impact and reason, and keeps each version once. */
import { describe, expect, test } from '@jest/globals';
import { formatRelease } from '@specwright/server/docs';
import { parseSource } from '@specwright/contract/document';
import { type PublishedChange, createChangelog } from 'openapi-compare';
import { addRelease, readReleases } from '../../src/changelog/write-changelog.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const compare = (base: string, working: string, records?: string) =>
  createChangelog(
    { file: 'base.yaml', spec: base },
    parseSource('spec.yaml', working),
    { file: 'records.yaml', base: undefined, working: records },
    NOW,
  );

const formatOf = (changes: readonly PublishedChange[]): string => formatRelease({ changes });
const DOCS_SCRIPT = new URL('../../../server/assets/changes.js', import.meta.url).href;

/** Two operations that answer with one schema. */
const shared = (properties: string, more = '') => `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: a, responses: { '200': { $ref: '#/components/responses/Word' } } } }
  /b: { get: { operationId: b, responses: { '200': { $ref: '#/components/responses/Word' } } } }
${more}
components:
  responses: { Word: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Word' } } } } }
  schemas:
    Word: { type: object, additionalProperties: false, properties: ${properties} }
`;
const RECORD = `- rule: property-removed
  at: '#/components/schemas/Word/properties/old'
  change: 'Word: removed property \`old\`.'
  reason: Everything that reads it has moved to \`text\`.
`;

test('a shared schema is said once, with its operations, and a break with its impact and recorded reason', async () => {
  const base = shared('{ text: { type: string }, old: { type: string } }');
  const working = shared('{ text: { type: string }, more: { type: string } }');
  const changes = await compare(base, working, RECORD);
  expect(formatOf(changes)).toBe(`2 changes, 1 of them breaking.

### Schema \`Word\`, in responses of 2 operations

- **Removed, breaking**: optional property \`old\` removed
  - Impact: a client that relies on it no longer gets it (\`property-removed\`)
  - Reason: Everything that reads it has moved to \`text\`.
- **Added**: optional property \`more\` added
`);
});

test('/docs says it in the same words', async () => {
  const { formatRelease: formatInPage } = (await import(DOCS_SCRIPT)) as {
    formatRelease: (release: { changes: readonly unknown[] }) => string;
  };
  const base = shared('{ text: { type: string }, old: { type: string } }');
  const working = shared('{ text: { type: string } }', '  /c: { get: { operationId: c, responses: { "204": { description: done } } } }');
  for (const changes of [await compare(base, working, RECORD), await compare(working, base), []])
    expect(formatInPage({ changes })).toBe(formatOf(changes));
});

test('documents that say the same have no changes, and that is said', async () => {
  expect(formatOf(await compare(shared('{}'), shared('{}')))).toBe('No changes that clients notice.\n');
});

test('a base that is not valid is an error with its location', async () => {
  const base = shared('{}').replace(
    "operationId: b, responses: { '200': { $ref: '#/components/responses/Word' } }",
    "operationId: b, responses: { '200': { $ref: '#/components/responses/No' } }",
  );
  await expect(compare(base, shared('{ text: { type: string } }'))).rejects.toThrow(/base\.yaml/);
});

describe('changelog.json', () => {
  const release = (version: string, date = '2026-02-01') => ({ version, date, changes: [] });

  test('has the newest version first, and no version twice', async () => {
    const changes = await compare(shared('{ old: { type: string } }'), shared('{}'), RECORD);
    const first = addRelease('changelog.json', undefined, { ...release('1.0.0', '2026-01-01'), changes });
    const second = addRelease('changelog.json', first, release('1.1.0'));
    expect(readReleases('changelog.json', second)).toEqual([release('1.1.0'), { ...release('1.0.0', '2026-01-01'), changes }]);
    expect(() => addRelease('changelog.json', second, release('1.0.0'))).toThrow(
      'changelog.json has version 1.0.0 of 2026-01-01: choose the next',
    );
  });

  test.each([
    ['no JSON', '[', /is not JSON/],
    ['a release without a day', '[{ "version": "1", "changes": [] }]', /0\/date/],
  ])('that is %s is an error', (_what, text, message) => {
    expect(() => addRelease('changelog.json', text, release('2'))).toThrow(message);
  });
});
