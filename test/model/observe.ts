/** What is stored of an account while nothing is under way, with the versions of its records. */
import type { Database } from '@specwright/postgres';
import { publishEvents } from '@specwright/postgres/events';
import { EMPTY, type ApiKey, type Category, type Order, type Pet, type Photo, type State, type StockEvent } from './state.ts';

export interface Observation {
  readonly state: State;
  /** Versions of rows by record, as `pets 7`. */
  readonly versions: ReadonlyMap<string, string>;
  /** ETags by record. */
  readonly etags: ReadonlyMap<string, string>;
  readonly events: ReadonlyMap<number, StockEvent>;
  readonly lastEventId: number;
  /** Bytes of photos that the quota counts, and that are there. */
  readonly photoBytes: readonly [used: number, stored: number];
}

/** A boolean, numbers and texts: `touched` is what the model adds. */
type Stored<T> = Omit<T, 'touched'>;

interface Rows {
  readonly categories: readonly (Stored<Category> & { version: number })[];
  readonly pets: readonly (Stored<Pet> & { version: number })[];
  readonly orders: readonly (Stored<Order> & { version: number })[];
  readonly photos: readonly Stored<Photo>[];
  readonly apiKeys: readonly Stored<ApiKey>[];
  readonly messages: Readonly<Record<string, string>>;
  readonly webhook: { readonly url: string; readonly version: number } | null;
  readonly emails: readonly string[];
  readonly lastEventId: number;
  readonly events: readonly { readonly id: number; readonly data: Pick<StockEvent, 'petId'> & Partial<StockEvent> }[];
  readonly used: number;
  readonly stored: number;
}

/** One statement, so that all is of one moment. */
const OBSERVE = `
  WITH account AS (SELECT CAST(:accountId AS bigint) AS id)
  SELECT json_build_object(
    'categories', (SELECT coalesce(json_agg(json_build_object('id', c.id, 'name', name, 'description', description, 'version', version)), '[]')
                     FROM categories c JOIN account ON account_id = account.id),
    'pets', (SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', name, 'categoryId', category_id, 'status', status, 'version', version,
                    'stock', quantity)), '[]')
               FROM pets p JOIN account ON account_id = account.id),
    'orders', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'petId', pet_id, 'quantity', quantity, 'complete', complete, 'version', version,
                      'shipDate', to_char(ship_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
                 FROM orders o JOIN account ON account_id = account.id),
    'photos', (SELECT coalesce(json_agg(json_build_object('id', f.id, 'petId', pet_id, 'caption', caption)), '[]')
                 FROM photos f JOIN account ON account_id = account.id WHERE digest IS NOT NULL),
    'apiKeys', (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', name, 'replaced', replaced_by IS NOT NULL)), '[]')
                  FROM api_keys k JOIN account ON account_id = account.id WHERE revoked_at IS NULL),
    'messages', (SELECT coalesce(json_object_agg(m.id, message), '{}') FROM messages m JOIN account ON account_id = account.id),
    'webhook', (SELECT json_build_object('url', url, 'version', version) FROM webhooks JOIN account ON account_id = account.id),
    'emails', (SELECT coalesce(json_agg(email ORDER BY email), '[]') FROM accounts WHERE email LIKE :emails),
    'lastEventId', (SELECT coalesce(max(last_id), 0) FROM event_log_last_ids JOIN account ON account_id = account.id),
    'events', (SELECT coalesce(json_agg(json_build_object('id', e.id, 'data', event->'data') ORDER BY e.id), '[]')
                 FROM event_log e JOIN account ON account_id = account.id WHERE e.id > :after),
    'used', (SELECT coalesce(sum(bytes), 0) FROM photo_usage JOIN account ON account_id = account.id),
    'stored', (SELECT coalesce(sum(size), 0) FROM photos JOIN account ON account_id = account.id)) AS all`;

export interface Observed {
  readonly accountId: number;
  /** A pattern of the addresses of accounts that the run makes. */
  readonly emails: string;
}

/** @param after the last event that was observed before. */
export async function observe(db: Database, { accountId, emails }: Observed, after: number): Promise<Observation> {
  await publishEvents(db);
  const { rows } = await db.raw<{ rows: { all: Rows }[] }>(OBSERVE, { accountId, emails, after });
  const { all } = rows[0] as { all: Rows };
  const versions = new Map<string, string>();
  const etags = new Map<string, string>();
  const record = (name: string, version: number) => {
    versions.set(name, String(version));
    etags.set(name, `"${version}"`);
  };
  const state: State = {
    ...EMPTY,
    categories: all.categories.map(({ version, ...category }) => {
      record(`categories ${category.id}`, version);
      return { ...category, touched: false };
    }),
    pets: all.pets.map(({ version, ...pet }) => {
      record(`pets ${pet.id}`, version);
      return { ...pet, touched: false };
    }),
    orders: all.orders.map(({ version, ...order }) => {
      record(`orders ${order.id}`, version);
      return { ...order, touched: false };
    }),
    photos: all.photos.map((photo) => ({ ...photo, touched: false })),
    apiKeys: all.apiKeys.map((key) => ({ ...key, touched: false })),
    messages: all.messages,
    webhook: all.webhook && { url: all.webhook.url, touched: false },
    emails: all.emails,
  };
  if (all.webhook !== null) record('webhook 0', all.webhook.version);
  const byId = <T extends { readonly id: number }>(records: readonly T[]) => [...records].sort((a, b) => a.id - b.id);
  return {
    state: {
      ...state,
      categories: byId(state.categories),
      pets: byId(state.pets),
      orders: byId(state.orders),
      photos: byId(state.photos),
      apiKeys: byId(state.apiKeys),
    },
    versions,
    etags,
    events: new Map(all.events.map(({ id, data: { petId, quantity = null, status = null } }) => [id, { petId, quantity, status }])),
    lastEventId: all.lastEventId,
    photoBytes: [all.used, all.stored],
  };
}
