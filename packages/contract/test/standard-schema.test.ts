/** The named schemas as validators of Standard Schema. */
import { expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContract, type StandardSchema } from '../src/index.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/orders': { get: { operationId: 'listOrders', responses: { 204: { description: 'none' } } } } },
  components: {
    schemas: {
      NewOrder: {
        type: 'object',
        additionalProperties: false,
        required: ['lines'],
        properties: {
          id: { type: 'integer', readOnly: true },
          total: { type: 'integer', format: 'int64', 'x-int64': 'bigint' },
          express: { type: 'boolean', default: false },
          lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } },
        },
      },
      Line: { type: 'object', required: ['a/b'], properties: { 'a/b': { type: 'string' }, count: { type: 'integer', minimum: 1 } } },
    },
  },
};

async function schemaOf(name: string): Promise<StandardSchema> {
  const file = join(mkdtempSync(join(tmpdir(), 'standard-')), 'openapi.json');
  writeFileSync(file, JSON.stringify(DOCUMENT));
  const { schemas } = (await openContract(file)) as unknown as { readonly schemas: Readonly<Record<string, StandardSchema>> };
  return schemas[name] as StandardSchema;
}

test('returns a copy with defaults, without what is readOnly, and leaves the value as it was', async () => {
  const { '~standard': standard } = await schemaOf('NewOrder');
  const given = { id: 7, total: 3, lines: [{ 'a/b': 'x', count: 2 }] };
  expect(standard.validate(given)).toEqual({ value: { total: 3n, express: false, lines: [{ 'a/b': 'x', count: 2 }] } });
  expect(given).toEqual({ id: 7, total: 3, lines: [{ 'a/b': 'x', count: 2 }] });
  expect([standard.version, standard.vendor]).toEqual([1, 'specwright']);
});

test('names the path of each issue, items by their number and names unescaped', async () => {
  const { '~standard': standard } = await schemaOf('NewOrder');
  expect(standard.validate({ lines: [{ 'a/b': 'x' }, { count: 0 }], 'c~d': 1 })).toEqual({
    issues: [
      { message: 'is not declared', path: ['c~d'] },
      { message: 'is required', path: ['lines', 1, 'a/b'] },
      { message: 'must be >= 1', path: ['lines', 1, 'count'] },
    ],
  });
});

test('refuses what is no JSON value', async () => {
  const { '~standard': standard } = await schemaOf('NewOrder');
  expect(standard.validate({ lines: () => 1 })).toEqual({ issues: [{ message: 'must be a JSON value', path: [] }] });
});
