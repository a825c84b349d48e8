-- Distributes the tables by account with Citus, and restores the foreign keys: docs/how-to/scaling.md.
BEGIN;
SET LOCAL citus.multi_shard_modify_mode = 'sequential';
ALTER TABLE api_keys DROP CONSTRAINT api_keys_account_id_fkey;
ALTER TABLE api_key_bans DROP CONSTRAINT api_key_bans_key;
ALTER TABLE categories DROP CONSTRAINT categories_account_id_fkey;
ALTER TABLE pets DROP CONSTRAINT pets_account_id_fkey, DROP CONSTRAINT pets_category;
ALTER TABLE orders DROP CONSTRAINT orders_account_id_fkey, DROP CONSTRAINT orders_open_pet;
ALTER TABLE messages DROP CONSTRAINT messages_account_id_fkey;
ALTER TABLE photos DROP CONSTRAINT photos_account_id_fkey, DROP CONSTRAINT photos_pet;
ALTER TABLE photo_chunks DROP CONSTRAINT photo_chunks_photo;
ALTER TABLE photo_usage DROP CONSTRAINT photo_usage_account_id_fkey;
ALTER TABLE event_log DROP CONSTRAINT event_log_account_id_fkey;
ALTER TABLE event_log_last_ids DROP CONSTRAINT event_log_last_ids_account_id_fkey;
ALTER TABLE webhooks DROP CONSTRAINT webhooks_account_id_fkey;
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_account_id_fkey;

-- On every node, because every query joins them or looks a caller up.
SELECT create_reference_table('accounts');
SELECT create_reference_table('api_keys');
SELECT create_reference_table('api_key_bans');

-- Rows of one account are on one node.
SELECT create_distributed_table('categories', 'account_id');
SELECT create_distributed_table('pets', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('orders', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('messages', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('photos', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('photo_chunks', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('photo_usage', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('event_log', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('event_log_pending', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('event_log_last_ids', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('webhooks', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('webhook_deliveries', 'account_id', colocate_with => 'categories');
SELECT create_distributed_table('idempotency_keys', 'account_id', colocate_with => 'categories');

ALTER TABLE api_keys ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE api_key_bans ADD CONSTRAINT api_key_bans_key FOREIGN KEY (account_id, key_id) REFERENCES api_keys (account_id, id) ON DELETE CASCADE;
ALTER TABLE categories ADD CONSTRAINT categories_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE pets ADD CONSTRAINT pets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE pets ADD CONSTRAINT pets_category FOREIGN KEY (account_id, category_id) REFERENCES categories (account_id, id);
ALTER TABLE orders ADD CONSTRAINT orders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE orders ADD CONSTRAINT orders_open_pet FOREIGN KEY (account_id, open_pet_id) REFERENCES pets (account_id, id);
ALTER TABLE messages ADD CONSTRAINT messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE photos ADD CONSTRAINT photos_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE photos ADD CONSTRAINT photos_pet FOREIGN KEY (account_id, pet_id) REFERENCES pets (account_id, id) ON DELETE CASCADE;
ALTER TABLE photo_chunks ADD CONSTRAINT photo_chunks_photo FOREIGN KEY (account_id, photo_id) REFERENCES photos (account_id, id) ON DELETE CASCADE;
ALTER TABLE photo_usage ADD CONSTRAINT photo_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE event_log ADD CONSTRAINT event_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE event_log_last_ids ADD CONSTRAINT event_log_last_ids_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE;
COMMIT;
