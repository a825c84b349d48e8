/** The bounds that the contract has and the tables lacked: what no response could say, no row can hold any more. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE inventory
      ADD CONSTRAINT inventory_quantity_check CHECK (quantity <= 9007199254740991);
    ALTER TABLE orders
      -- The id of a pet, though no foreign key: that is on open_pet_id, because the pet of a complete order may be gone.
      ADD CONSTRAINT orders_pet_id_check CHECK (pet_id BETWEEN 1 AND 9007199254740991);
    ALTER TABLE webhooks
      ADD CONSTRAINT webhooks_secret_check CHECK (char_length(secret) <= 100);
  `);
}
