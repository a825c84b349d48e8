/** Indexes for lists by status and of open orders: rare values are found without reading what is common. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX pets_by_status ON pets (account_id, status, id);
    CREATE INDEX orders_by_complete ON orders (account_id, complete, id);
    -- With the id, so that the open orders of a pet are read in the order of their list.
    DROP INDEX orders_by_open_pet;
    CREATE INDEX orders_by_open_pet ON orders (account_id, open_pet_id, id) WHERE open_pet_id IS NOT NULL;
  `);
}
