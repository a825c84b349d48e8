/** Categories, pets, inventory and orders. Accounts are those of `@specwright/accounts`. */
import type { Knex } from 'knex';

/**
 * Every table's key begins with `account_id`, so that the same schema can be distributed by account.
 *
 * Identifiers end at 2^53 - 1, the largest integer that every JSON reader keeps exactly. `version` counts the changes of
 * a row: it is the row's ETag.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE categories (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
      description text CHECK (char_length(description) <= 1000),
      version bigint NOT NULL DEFAULT 1,
      PRIMARY KEY (account_id, id)
    );

    CREATE TABLE pets (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      category_id bigint NOT NULL,
      name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
      status text NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
      version bigint NOT NULL DEFAULT 1,
      PRIMARY KEY (account_id, id),
      CONSTRAINT pets_category FOREIGN KEY (account_id, category_id) REFERENCES categories (account_id, id)
    );
    CREATE INDEX pets_by_category ON pets (account_id, category_id, id);

    CREATE TABLE inventory (
      account_id bigint NOT NULL,
      pet_id bigint NOT NULL,
      -- The units that can still be ordered: what open orders hold is not among them.
      quantity bigint NOT NULL DEFAULT 0,
      version bigint NOT NULL DEFAULT 1,
      PRIMARY KEY (account_id, pet_id),
      CONSTRAINT inventory_pet FOREIGN KEY (account_id, pet_id) REFERENCES pets (account_id, id) ON DELETE CASCADE,
      CONSTRAINT inventory_not_negative CHECK (quantity >= 0)
    );

    CREATE TABLE orders (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      pet_id bigint,
      -- The pet whose units the order holds. The foreign key is on this column, so a pet with open orders cannot be
      -- deleted, while a complete order keeps the id of a pet that is gone.
      open_pet_id bigint GENERATED ALWAYS AS (CASE WHEN complete THEN NULL ELSE pet_id END) STORED,
      quantity integer CHECK (quantity BETWEEN 1 AND 1000000),
      ship_date timestamptz,
      complete boolean NOT NULL DEFAULT false,
      version bigint NOT NULL DEFAULT 1,
      PRIMARY KEY (account_id, id),
      CONSTRAINT orders_open_pet FOREIGN KEY (account_id, open_pet_id) REFERENCES pets (account_id, id),
      CONSTRAINT orders_quantity_of_pet CHECK (pet_id IS NULL OR quantity IS NOT NULL),
      -- What JSON's date-time can say: four digits of a year.
      CONSTRAINT orders_ship_date_range CHECK (ship_date >= '0001-01-01Z' AND ship_date < '10000-01-01Z')
    );
    CREATE INDEX orders_by_pet ON orders (account_id, pet_id, id);
    CREATE INDEX orders_by_open_pet ON orders (account_id, open_pet_id) WHERE open_pet_id IS NOT NULL;
  `);
}
