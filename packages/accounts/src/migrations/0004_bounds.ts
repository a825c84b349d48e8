/** Bounds that the contract has and the tables lacked: a row that no response could contain is refused. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE api_keys
      ADD CONSTRAINT api_keys_prefix_check CHECK (char_length(prefix) <= 13),
      -- The id of a key, though no foreign key: the key may be gone.
      ADD CONSTRAINT api_keys_replaced_by_check CHECK (replaced_by BETWEEN 1 AND 9007199254740991);
  `);
}
