/** Reads schema-map.yaml: which tables hold which schemas, and which differences are intended. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const REASON = z.string().min(5, 'must give a reason');
const NAMES = z.array(z.string()).default([]);
const REASONS = z.record(z.string(), REASON).default({});

const MAP = z.strictObject({
  tables: z
    .record(
      z.string(),
      z.strictObject({
        /** Schemas of records that are read, that are created, and of patches (RFC 7396). */
        read: NAMES,
        create: NAMES,
        patch: NAMES,
        columns: z.record(z.string(), z.string()),
      }),
    )
    .default({}),
  differences: REASONS,
  'not in the contract': z
    .strictObject({ tables: REASONS, columns: REASONS, constraints: REASONS })
    .default({ tables: {}, columns: {}, constraints: {} }),
  'not in the database': z.strictObject({ schemas: REASONS, properties: REASONS }).default({ schemas: {}, properties: {} }),
});

export type SchemaMap = z.infer<typeof MAP>;

/** @throws Error with every key that is unknown or not valid. */
export function parseSchemaMap(file: string, text: string): SchemaMap {
  const read = MAP.safeParse(parse(text));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}

export const readSchemaMap = (file: string): SchemaMap => parseSchemaMap(file, readFileSync(file, 'utf8'));
