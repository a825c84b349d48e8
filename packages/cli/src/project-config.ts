/** What the tools have to know of the project that they are run in: the field `specwright` of its package.json. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSchema } from '@specwright/postgres';
import { z } from 'zod';

const CONFIG = z.strictObject({
  /** The name of the service: of its database and of the embedded one. */
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores'),
  /** The contract, from the root of the project. */
  spec: z.string().default('spec/openapi.yaml'),
  /** The module that exports `schema`, a `DatabaseSchema`. */
  schema: z.string().default('src/db/migrations/index.ts'),
});

export type ProjectConfig = z.output<typeof CONFIG>;

/** @throws Error with every field that is wrong. */
export function readProjectConfig(root = process.cwd()): ProjectConfig {
  const file = join(root, 'package.json');
  const { specwright } = JSON.parse(readFileSync(file, 'utf8')) as { specwright?: unknown };
  const parsed = CONFIG.safeParse(specwright ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  specwright/${path.join('/')} ${message}`);
  throw new Error(`${file}: the field "specwright" cannot be used:\n${problems.join('\n')}`);
}

/** The migrations of the project. @throws Error if its module has no `schema`. */
export async function loadSchema({ schema: file }: ProjectConfig, root = process.cwd()): Promise<DatabaseSchema> {
  const { schema } = (await import(pathToFileURL(resolve(root, file)).href)) as { schema?: DatabaseSchema };
  if (schema === undefined) throw new Error(`${file} does not export \`schema\`: the migrations of the project, as a DatabaseSchema`);
  return schema;
}
