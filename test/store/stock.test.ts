/** The rules of a pet's stock, without a database; and that the statement of an open order decides as they do. */
import { describe, expect, test } from '@jest/globals';
import { withDatabase } from 'specwright/testing';
import { getInventory } from '../../src/db/inventory.ts';
import { createOrder } from '../../src/db/orders.ts';
import { updatePet } from '../../src/db/pets.ts';
import { moveUnits, setUnits, type Stock, type StockChange } from '../../src/db/stock.ts';
import { openShop } from '../support/service/shop.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;

const stock = (quantity: number, status: Stock['status']): Stock => ({ id: 7, quantity, status });

const MOVES: [what: string, before: Stock, change: StockChange, after: Stock][] = [
  ['taking some units leaves the status', stock(3, 'available'), { units: -1 }, stock(2, 'available')],
  ['taking the last unit makes the pet pending', stock(2, 'available'), { units: -2 }, stock(0, 'pending')],
  ['giving the first unit back makes it available', stock(0, 'pending'), { units: 1 }, stock(1, 'available')],
  ['giving a unit of a sold pet back makes it available', stock(0, 'sold'), { units: 1 }, stock(1, 'available')],
  ['giving more units back leaves the status', stock(1, 'sold'), { units: 2 }, stock(3, 'sold')],
  ['moving nothing leaves both', stock(0, 'available'), { units: 0 }, stock(0, 'available')],
  ['completing the last order at 0 makes it sold', stock(0, 'pending'), { units: 0, completesLast: true }, stock(0, 'sold')],
  ['taking and completing the last unit makes it sold', stock(1, 'available'), { units: -1, completesLast: true }, stock(0, 'sold')],
  [
    'completing the last order with units left leaves the status',
    stock(1, 'available'),
    { units: 0, completesLast: true },
    stock(1, 'available'),
  ],
  [
    'completing the last order with fewer units makes it available',
    stock(0, 'pending'),
    { units: 1, completesLast: true },
    stock(1, 'available'),
  ],
];

describe('moveUnits', () => {
  test.each(MOVES)('%s', (_, before, change, after) => {
    expect(moveUnits(before, change)).toEqual(after);
  });

  test('refuses more units than there are, and says how many', () => {
    const error = { code: 'out_of_stock', message: 'pet 7 has 2 in stock, 3 more would be needed' };
    expect(() => moveUnits(stock(2, 'available'), { units: -3 })).toThrow(expect.objectContaining(error));
  });

  test('refuses any unit of a sold pet, enough or not, but gives units back and completes', () => {
    const error = { code: 'pet_sold', message: 'pet 7 is sold' };
    for (const units of [-1, -9]) expect(() => moveUnits(stock(5, 'sold'), { units })).toThrow(expect.objectContaining(error));
    for (const units of [0, 1]) expect(moveUnits(stock(5, 'sold'), { units, completesLast: true })).toEqual(stock(5 + units, 'sold'));
  });
});

test('setUnits makes a pet available with its first units, and leaves every other status', () => {
  for (const status of STATUSES) {
    expect(setUnits(stock(0, status), 2)).toEqual(stock(2, 'available'));
    for (const [before, after] of [
      [2, 0],
      [0, 0],
      [1, 2],
    ] as const)
      expect(setUnits(stock(before, status), after)).toEqual(stock(after, status));
  }
});

const database = withDatabase();

test('an open order is accepted or refused, and leaves its pet, as moveUnits decides', async () => {
  for (const quantity of [0, 1, 2])
    for (const status of STATUSES)
      for (const taken of [1, 2]) {
        const { accountId, petIds } = await openShop(database.db, quantity);
        const [petId] = petIds;
        await updatePet(database.db, accountId, petId, { status });
        const decide = async () => moveUnits({ id: petId, quantity, status }, { units: -taken });
        const order = async () => {
          await createOrder(database.db, accountId, { petId, quantity: taken });
          const { record } = await getInventory(database.db, accountId, petId);
          return { id: petId, quantity: record.quantity, status: record.status };
        };
        const outcome = (run: () => Promise<unknown>) => run().catch((error: unknown) => [(error as { code: string }).code, String(error)]);
        expect(await outcome(order)).toEqual(await outcome(decide));
      }
});
