/** Photos of pets: their bytes in chunks, and how many bytes an account has stored. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
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
