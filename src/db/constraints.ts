/** What a broken constraint of this schema means to a client, by the constraint's name. */
import type { ErrorCode } from '@specwright/server';

export type Meaning = readonly [code: ErrorCode, message: string];

/** A row that breaks a constraint as it is written. */
export const WRITTEN: Readonly<Record<string, Meaning>> = {
  accounts_email_key: ['email_taken', 'there is an account with this email address'],
  pets_category: ['invalid_reference', 'body/categoryId refers to a category that does not exist'],
  orders_open_pet: ['invalid_reference', 'body/petId refers to a pet that does not exist'],
  api_keys_expires_at_range: ['invalid_request', 'body/expiresAt must be in the years 0001 to 9999'],
  orders_ship_date_range: ['invalid_request', 'body/shipDate must be in the years 0001 to 9999'],
};

/** A row that others still refer to as it is deleted. */
export const DELETED: Readonly<Record<string, Meaning>> = {
  pets_category: ['category_in_use', 'the category still has pets'],
  orders_open_pet: ['pet_in_use', 'the pet has open orders'],
};
