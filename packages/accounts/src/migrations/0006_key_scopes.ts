/** Scopes of keys: a key may be restricted to some. */
import type { Knex } from 'knex';

/** A key without a list may do everything, as every key could before: existing keys keep working. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE api_keys
      ADD COLUMN scopes text[] CHECK (cardinality(scopes) <= 100 AND array_position(scopes, NULL) IS NULL);
  `);
}

/** Servers without this migration read no scopes, and their contracts require none. */
export const compatible = true;
