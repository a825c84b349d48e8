/** The rules of a pet's stock: what a change of it leaves, decided without a database. */
import type { Schemas } from '../../generated/contract.ts';
import { AppError } from '../errors.ts';

/** Of one pet: the units that can still be ordered, and the status that follows them. */
export interface Stock {
  readonly id: number;
  readonly quantity: number;
  readonly status: Schemas['PetStatus'];
}

export interface StockChange {
  /** Units that an order gives back; negative if it takes them. */
  readonly units: number;
  /** Whether the change completes an order, and the pet has no open one left. */
  readonly completesLast?: boolean;
}

/**
 * The stock after an order has taken units or given them back: the last unit taken makes the pet `pending`, the first one given back `available`,
 * and the last order completed at 0 `sold`.
 *
 * @throws AppError pet_sold if units of a sold pet are taken; out_of_stock if there are too few
 */
export function moveUnits(stock: Stock, { units, completesLast = false }: StockChange): Stock {
  const quantity = stock.quantity + units;
  if (units < 0 && stock.status === 'sold') throw new AppError('pet_sold', `pet ${stock.id} is sold`);
  if (quantity < 0) throw new AppError('out_of_stock', `pet ${stock.id} has ${stock.quantity} in stock, ${-units} more would be needed`);
  if (quantity === 0 && completesLast) return { ...stock, quantity, status: 'sold' };
  if (quantity === 0 && units < 0) return { ...stock, quantity, status: 'pending' };
  return setUnits(stock, quantity);
}

/** The stock after the shop has counted: the first units make the pet `available`; at 0 the status stays. */
export const setUnits = (stock: Stock, quantity: number): Stock => ({
  ...stock,
  quantity,
  status: stock.quantity === 0 && quantity > 0 ? 'available' : stock.status,
});
