/** Categories, pets and orders; messages and photos. Accounts are those of `@specwright/accounts`, events those of `@specwright/postgres`. */
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
      -- The units that can still be ordered: what open orders hold is not among them. The status follows it, so both are in one row.
      quantity bigint NOT NULL DEFAULT 0,
      version bigint NOT NULL DEFAULT 1,
      PRIMARY KEY (account_id, id),
      CONSTRAINT pets_quantity_not_negative CHECK (quantity >= 0),
      CONSTRAINT pets_quantity_check CHECK (quantity <= 9007199254740991),
      CONSTRAINT pets_category FOREIGN KEY (account_id, category_id) REFERENCES categories (account_id, id)
    );
    CREATE INDEX pets_by_category ON pets (account_id, category_id, id);
    CREATE INDEX pets_by_status ON pets (account_id, status, id);

    CREATE TABLE orders (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      -- No foreign key: the pet of a complete order may be gone.
      pet_id bigint CHECK (pet_id BETWEEN 1 AND 9007199254740991),
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
    CREATE INDEX orders_by_complete ON orders (account_id, complete, id);
    -- With the id, so that the open orders of a pet are read in the order of their list.
    CREATE INDEX orders_by_open_pet ON orders (account_id, open_pet_id, id) WHERE open_pet_id IS NOT NULL;
  `);
  await createMessages(knex);
  await createPhotos(knex);
}

async function createMessages(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE messages (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id text NOT NULL CHECK (char_length(id) = 40),
      message text NOT NULL CHECK (char_length(message) BETWEEN 1 AND 4096),
      status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
      -- Deliveries that were tried and did not succeed.
      attempts integer NOT NULL DEFAULT 0,
      version bigint NOT NULL DEFAULT 1,
      -- By the clock that all servers share. A time in JSON has no microseconds.
      created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
      -- The retention counts from it.
      ended_at timestamptz,
      PRIMARY KEY (account_id, id)
    );
    CREATE INDEX messages_ended ON messages (ended_at) WHERE status <> 'queued';
  `);
}

/** Photos of pets: their bytes in chunks, and how many bytes an account has stored. */
async function createPhotos(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE photos (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991),
      pet_id bigint NOT NULL,
      type text NOT NULL CHECK (type IN ('image/jpeg', 'image/png', 'image/gif', 'image/webp')),
      -- Of the chunks that there are.
      size integer NOT NULL DEFAULT 0,
      caption text CHECK (char_length(caption) <= 200),
      -- SHA-256 in base64url, the ETag; NULL until the upload has ended.
      digest text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, id),
      CONSTRAINT photos_pet FOREIGN KEY (account_id, pet_id) REFERENCES pets (account_id, id) ON DELETE CASCADE,
      CONSTRAINT photos_size CHECK (size BETWEEN 0 AND 5242880)
    );
    CREATE INDEX photos_by_pet ON photos (account_id, pet_id, id);
    CREATE INDEX photos_unfinished ON photos (created_at) WHERE digest IS NULL;

    CREATE TABLE photo_chunks (
      account_id bigint NOT NULL,
      photo_id bigint NOT NULL,
      n integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (account_id, photo_id, n),
      CONSTRAINT photo_chunks_photo FOREIGN KEY (account_id, photo_id) REFERENCES photos (account_id, id) ON DELETE CASCADE
    );
    -- Images are compressed already.
    ALTER TABLE photo_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

    CREATE TABLE photo_usage (
      account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
      -- Of all photos of the account, those that are being uploaded too.
      bytes bigint NOT NULL,
      PRIMARY KEY (account_id),
      CONSTRAINT photo_usage_quota CHECK (bytes BETWEEN 0 AND 52428800)
    );
  `);
}
