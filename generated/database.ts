/** Generated from the migrated schema by `npx specwright schema`. Do not edit: write a migration. */
import type { Knex } from 'knex';

/** A table in the form of Knex's `CompositeTableType`: `db<Tables['name']>('name')`. */
interface Table<Row, Insert> {
  base: Row;
  insert: Insert;
  /** With what the database computes, as well: `version: db.raw('version + 1')`. */
  update: { [Column in keyof Insert]?: Insert[Column] | Knex.Raw };
  upsert: Partial<Insert>;
}

/**
 * The tables of the database: what a row has, and what an insert may give.
 *
 * A row has the types that the pool of @specwright/postgres reads: `bigint` as a number, `date` as ISO 8601, `timestamptz` too, in UTC.
 * An insert leaves out what the database always makes, and may leave out what has a default.
 */
export interface Tables {
  accounts: Table<AccountsRow, AccountsInsert>;
  api_key_ban_changes: Table<ApiKeyBanChangesRow, ApiKeyBanChangesInsert>;
  api_key_bans: Table<ApiKeyBansRow, ApiKeyBansInsert>;
  api_keys: Table<ApiKeysRow, ApiKeysInsert>;
  categories: Table<CategoriesRow, CategoriesInsert>;
  event_log: Table<EventLogRow, EventLogInsert>;
  event_log_last_ids: Table<EventLogLastIdsRow, EventLogLastIdsInsert>;
  event_log_pending: Table<EventLogPendingRow, EventLogPendingInsert>;
  idempotency_keys: Table<IdempotencyKeysRow, IdempotencyKeysInsert>;
  messages: Table<MessagesRow, MessagesInsert>;
  orders: Table<OrdersRow, OrdersInsert>;
  pets: Table<PetsRow, PetsInsert>;
  photo_chunks: Table<PhotoChunksRow, PhotoChunksInsert>;
  photo_usage: Table<PhotoUsageRow, PhotoUsageInsert>;
  photos: Table<PhotosRow, PhotosInsert>;
  rate_limit_counters: Table<RateLimitCountersRow, RateLimitCountersInsert>;
  webhook_deliveries: Table<WebhookDeliveriesRow, WebhookDeliveriesInsert>;
  webhooks: Table<WebhooksRow, WebhooksInsert>;
}

interface AccountsRow {
  account_id: number;
  email: string;
  plan: "free" | "pro" | "business" | "enterprise";
  version: number;
  created_at: string;
  suspended_at: string | null;
  minute_limit: number | null;
  day_limit: number | null;
}

interface AccountsInsert {
  email: string;
  plan?: "free" | "pro" | "business" | "enterprise";
  version?: number;
  created_at: string | Date;
  suspended_at?: string | Date | null;
  minute_limit?: number | null;
  day_limit?: number | null;
}

interface ApiKeyBanChangesRow {
  only_row: boolean;
  changes: number;
}

interface ApiKeyBanChangesInsert {
  only_row?: boolean;
  changes?: number;
}

interface ApiKeyBansRow {
  account_id: number;
  key_id: number;
  refused_at: number;
  retry_at: number;
  strikes: number;
  strikes_end: number;
  bans: number;
  banned_until: number;
}

interface ApiKeyBansInsert {
  account_id: number;
  key_id: number;
  refused_at?: number;
  retry_at?: number;
  strikes?: number;
  strikes_end?: number;
  bans?: number;
  banned_until?: number;
}

interface ApiKeysRow {
  account_id: number;
  id: number;
  prefix: string;
  hash: Buffer;
  created_at: string;
  name: string;
  version: number;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  replaced_by: number | null;
  scopes: string[] | null;
}

interface ApiKeysInsert {
  account_id: number;
  prefix: string;
  hash: Buffer;
  created_at: string | Date;
  name?: string;
  version?: number;
  expires_at?: string | Date | null;
  revoked_at?: string | Date | null;
  last_used_at?: string | Date | null;
  replaced_by?: number | null;
  scopes?: string[] | null;
}

interface CategoriesRow {
  account_id: number;
  id: number;
  name: string;
  description: string | null;
  version: number;
}

interface CategoriesInsert {
  account_id: number;
  name: string;
  description?: string | null;
  version?: number;
}

interface EventLogRow {
  account_id: number;
  log: string;
  id: number;
  previous_id: number;
  event: unknown;
  created_at: string;
}

interface EventLogInsert {
  account_id: number;
  log: string;
  id: number;
  previous_id: number;
  event: unknown;
  created_at?: string | Date;
}

interface EventLogLastIdsRow {
  account_id: number;
  log: string;
  last_id: number;
}

interface EventLogLastIdsInsert {
  account_id: number;
  log: string;
  last_id: number;
}

interface EventLogPendingRow {
  account_id: number;
  position: number;
  log: string;
  event: unknown;
  created_at: string;
}

interface EventLogPendingInsert {
  account_id: number;
  log: string;
  event: unknown;
  created_at?: string | Date;
}

interface IdempotencyKeysRow {
  account_id: number;
  id: Buffer;
  fingerprint: Buffer;
  response: Buffer | null;
  created_at: string;
  expires_at: string;
}

interface IdempotencyKeysInsert {
  account_id: number;
  id: Buffer;
  fingerprint: Buffer;
  response?: Buffer | null;
  created_at: string | Date;
  expires_at: string | Date;
}

interface MessagesRow {
  account_id: number;
  id: string;
  message: string;
  status: "queued" | "sent" | "failed";
  attempts: number;
  version: number;
  created_at: string;
  ended_at: string | null;
}

interface MessagesInsert {
  account_id: number;
  id: string;
  message: string;
  status?: "queued" | "sent" | "failed";
  attempts?: number;
  version?: number;
  created_at?: string | Date;
  ended_at?: string | Date | null;
}

interface OrdersRow {
  account_id: number;
  id: number;
  pet_id: number | null;
  open_pet_id: number | null;
  quantity: number | null;
  ship_date: string | null;
  complete: boolean;
  version: number;
}

interface OrdersInsert {
  account_id: number;
  pet_id?: number | null;
  quantity?: number | null;
  ship_date?: string | Date | null;
  complete?: boolean;
  version?: number;
}

interface PetsRow {
  account_id: number;
  id: number;
  category_id: number;
  name: string;
  status: "available" | "pending" | "sold";
  quantity: number;
  version: number;
}

interface PetsInsert {
  account_id: number;
  category_id: number;
  name: string;
  status: "available" | "pending" | "sold";
  quantity?: number;
  version?: number;
}

interface PhotoChunksRow {
  account_id: number;
  photo_id: number;
  n: number;
  bytes: Buffer;
}

interface PhotoChunksInsert {
  account_id: number;
  photo_id: number;
  n: number;
  bytes: Buffer;
}

interface PhotoUsageRow {
  account_id: number;
  bytes: number;
}

interface PhotoUsageInsert {
  account_id: number;
  bytes: number;
}

interface PhotosRow {
  account_id: number;
  id: number;
  pet_id: number;
  type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
  size: number;
  caption: string | null;
  digest: string | null;
  created_at: string;
}

interface PhotosInsert {
  account_id: number;
  pet_id: number;
  type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
  size?: number;
  caption?: string | null;
  digest?: string | null;
  created_at: string | Date;
}

interface RateLimitCountersRow {
  bucket: string;
  minute_used: number;
  minute_ends: number;
  day_used: number;
  day_ends: number;
  asked_at: number;
  asked_cost: number;
  asked_count: number;
  minute_limit: number;
  day_limit: number;
  granted: number;
}

interface RateLimitCountersInsert {
  bucket: string;
  minute_used: number;
  minute_ends: number;
  day_used: number;
  day_ends: number;
  asked_at: number;
  asked_cost: number;
  asked_count: number;
  minute_limit: number;
  day_limit: number;
  granted: number;
}

interface WebhookDeliveriesRow {
  account_id: number;
  id: string;
  name: string;
  body: string;
  url: string | null;
  secret: string | null;
  status: "queued" | "sent" | "failed";
  attempts: number;
  answer: number | null;
  is_declared: boolean | null;
  created_at: string;
  ended_at: string | null;
  webhook_deleted: boolean;
  traceparent: string | null;
  lane: "first" | "retries";
  due_at: string;
  leased_by: string | null;
  leased_until: string | null;
}

interface WebhookDeliveriesInsert {
  account_id: number;
  id: string;
  name: string;
  body: string;
  url?: string | null;
  secret?: string | null;
  status?: "queued" | "sent" | "failed";
  attempts?: number;
  answer?: number | null;
  is_declared?: boolean | null;
  created_at: string | Date;
  ended_at?: string | Date | null;
  webhook_deleted?: boolean;
  traceparent?: string | null;
  lane?: "first" | "retries";
  due_at?: string | Date;
  leased_by?: string | null;
  leased_until?: string | Date | null;
}

interface WebhooksRow {
  account_id: number;
  url: string;
  secret: string;
  version: number;
  created_at: string;
  failures: number;
  paused_until: string | null;
}

interface WebhooksInsert {
  account_id: number;
  url: string;
  secret: string;
  created_at: string | Date;
  failures?: number;
  paused_until?: string | Date | null;
}
