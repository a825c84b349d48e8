/** The servers whose differences are the parts of a request: each has one part more than the one before it. */
import type { PetSource } from './find-pet.ts';

/** What a server has, beside routing, admission and the validation of requests. */
export interface Parts {
  readonly pet: PetSource;
  readonly validateResponses?: boolean;
  readonly apiKey?: boolean;
  readonly limits?: boolean;
  readonly log?: boolean;
}

export interface Variant {
  readonly id: string;
  /** What it has that the one before it has not. */
  readonly title: string;
  /** `node:http` alone; this server with these parts; or the pet store as it is started. */
  readonly server: 'bare' | 'parts' | 'service';
  readonly parts: Parts;
}

const bare = (id: string, title: string, pet: PetSource): Variant => ({ id, title, server: 'bare', parts: { pet } });
const own = (id: string, title: string, parts: Parts): Variant => ({ id, title, server: 'parts', parts });

/** For orientation: what is neither validated nor counted. */
export const REFERENCES: readonly Variant[] = [
  bare('bare', 'node:http, a constant', 'constant'),
  bare('bare-pg', 'node:http, one row read by pg alone', 'pg'),
  bare('bare-knex', 'node:http, one row read through Knex', 'knex'),
];

const VALIDATED = { validateResponses: true };
const STORED = { ...VALIDATED, pet: 'store' } as const;
const KEYED = { ...STORED, apiKey: true };
const LIMITED = { ...KEYED, limits: true };

export const LADDER: readonly Variant[] = [
  own('constant', 'reading, routing, admission, validation of the request, a constant sent', { pet: 'constant' }),
  own('validated', 'validation of the response', { ...VALIDATED, pet: 'constant' }),
  own('row', "one row, read by the pet store's function", STORED),
  own('key', 'API key', KEYED),
  own('limits', 'exact limits, their headers', LIMITED),
  own('log', 'log', { ...LIMITED, log: true }),
  { id: 'service', title: 'all else: the pet store as it is started', server: 'service', parts: { pet: 'store', log: true } },
];

export const VARIANTS: readonly Variant[] = [...REFERENCES, ...LADDER];
