/** The state of one account in the model: what its requests have made, and which records have changed since the last observation. */

export type PetStatus = 'available' | 'pending' | 'sold';

/** @property touched whether it has changed since its ETag was read. */
interface Versioned {
  readonly id: number;
  readonly touched: boolean;
}

export interface Category extends Versioned {
  readonly name: string;
  readonly description: string | null;
}

/** A pet with its stock: one row, and one version. */
export interface Pet extends Versioned {
  readonly name: string;
  readonly categoryId: number;
  readonly status: PetStatus;
  readonly stock: number;
}

export interface Order extends Versioned {
  readonly petId: number | null;
  readonly quantity: number | null;
  readonly shipDate: string | null;
  readonly complete: boolean;
}

export interface Photo extends Versioned {
  readonly petId: number;
  readonly caption: string;
}

/** @property replaced whether it was rotated; it is listed until it is revoked. */
export interface ApiKey extends Versioned {
  readonly name: string;
  readonly replaced: boolean;
}

export interface Webhook {
  readonly url: string;
  readonly touched: boolean;
}

/** What an `Idempotency-Key` was used for, and the answer that its retries get. */
export interface StoredAnswer {
  readonly fingerprint: string;
  readonly answer: Answer;
}

export interface State {
  readonly categories: readonly Category[];
  readonly pets: readonly Pet[];
  readonly orders: readonly Order[];
  readonly photos: readonly Photo[];
  readonly apiKeys: readonly ApiKey[];
  /** Texts by the ids of messages. */
  readonly messages: Readonly<Record<string, string>>;
  readonly webhook: Webhook | null;
  /** Addresses that have accounts. */
  readonly emails: readonly string[];
  readonly idempotencyKeys: Readonly<Record<string, StoredAnswer>>;
}

export const EMPTY: State = {
  categories: [],
  pets: [],
  orders: [],
  photos: [],
  apiKeys: [],
  messages: {},
  webhook: null,
  emails: [],
  idempotencyKeys: {},
};

/** What the model expects of a response. Without a body any is right. */
export interface Answer {
  readonly status: number;
  /** Of an error. */
  readonly code?: string;
  readonly body?: unknown;
  readonly isReplay?: boolean;
}

/** A change of a pet's stock or status, as the feed tells it; nulls if the pet was deleted. */
export interface StockEvent {
  readonly petId: number;
  readonly quantity: number | null;
  readonly status: PetStatus | null;
}

export type Condition = 'current' | 'stale' | 'any' | undefined;

/** A request of the model: what was sent, with what the model has to know of it. */
export interface ModelRequest {
  readonly operation: string;
  /** The id in the path. */
  readonly id: number;
  readonly petId: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** `If-Match`: the ETag of the last observation, an older one, or `*`. */
  readonly ifMatch: Condition;
  readonly ifNoneMatch: Condition;
  readonly idempotencyKey: string | undefined;
  /** The same for requests that ask for the same. */
  readonly fingerprint: string;
  /** The id of the record that it creates, as the response or the observation has it. */
  readonly newId: number | string;
}

/** The state without what only the model has: for the comparison with what is stored. */
export function contentOf({ categories, pets, orders, photos, apiKeys, messages, webhook, emails }: State): object {
  const bare = (records: readonly Versioned[]) =>
    [...records].sort((a, b) => a.id - b.id).map((record) => ({ ...record, touched: undefined }));
  const texts = Object.entries(messages).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    categories: bare(categories),
    pets: bare(pets),
    orders: bare(orders),
    photos: bare(photos),
    apiKeys: bare(apiKeys),
    messages: texts,
    webhook: webhook?.url ?? null,
    emails: [...emails].sort(),
  };
}

/** The records that have changed, as `pets 7`. */
export function touchedOf({ categories, pets, orders, webhook }: State): string[] {
  const touched = (kind: string, records: readonly Versioned[]) =>
    records.filter((record) => record.touched).map(({ id }) => `${kind} ${id}`);
  return [
    ...touched('categories', categories),
    ...touched('pets', pets),
    ...touched('orders', orders),
    ...(webhook?.touched === true ? ['webhook 0'] : []),
  ].sort();
}

/** The same state as a batch finds it: nothing has changed since the ETags were read. */
export const untouched = (state: State): State => ({
  ...state,
  categories: state.categories.map((one) => ({ ...one, touched: false })),
  pets: state.pets.map((one) => ({ ...one, touched: false })),
  orders: state.orders.map((one) => ({ ...one, touched: false })),
  photos: state.photos.map((one) => ({ ...one, touched: false })),
  apiKeys: state.apiKeys.map((one) => ({ ...one, touched: false })),
  webhook: state.webhook && { ...state.webhook, touched: false },
});
