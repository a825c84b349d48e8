/** Reads and transactions of the stores, and what a broken constraint of this schema means to a client. */
import { createStoreAccess, type Constraints } from '@specwright/postgres';
import type { ErrorCode } from '../errors.ts';

const CONSTRAINTS: Constraints<ErrorCode> = {
  onWrite: {
    pets_category: ['invalid_reference', 'body/categoryId refers to a category that does not exist'],
    orders_open_pet: ['invalid_reference', 'body/petId refers to a pet that does not exist'],
    orders_ship_date_range: ['invalid_request', 'body/shipDate must be in the years 0001 to 9999'],
  },
  onDelete: {
    pets_category: ['category_in_use', 'the category still has pets'],
    orders_open_pet: ['pet_in_use', 'the pet has open orders'],
  },
};

export const { read, transaction } = createStoreAccess(CONSTRAINTS);
