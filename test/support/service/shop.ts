/** An account with pets in stock, and the balance of their units. */
import { createCategory } from '../../../src/db/categories.ts';
import type { Database } from '@specwright/postgres';
import { setInventory } from '../../../src/db/inventory.ts';
import { createPet } from '../../../src/db/pets.ts';
import { newAccount } from './app.ts';

export interface Shop {
  readonly accountId: number;
  readonly key: string;
  readonly categoryId: number;
  /** In the order of the stocks that were asked for. */
  readonly petIds: readonly [number, ...number[]];
}

/** An account of its own with one category and a pet for each of `stocks`. */
export async function openShop(db: Database, ...stocks: number[]): Promise<Shop> {
  const { accountId, key } = await newAccount(db);
  const categoryId = (await createCategory(db, accountId, { name: 'Dogs' })).record.id;
  const petIds: number[] = [];
  for (const stock of stocks) {
    const { record } = await createPet(db, accountId, { name: `Pet ${petIds.length + 1}`, categoryId, status: 'available' });
    if (stock > 0) await setInventory(db, accountId, record.id, { quantity: stock });
    petIds.push(record.id);
  }
  return { accountId, key, categoryId, petIds: petIds as [number, ...number[]] };
}

export interface PetStock {
  readonly petId: number;
  readonly status: string;
  readonly stock: number;
  readonly reserved: number;
  readonly sold: number;
  readonly total: number;
}

/** For each pet of an account, as of one moment: `total = stock + reserved + sold`, which only setting the stock changes. */
export async function readStock(db: Database, accountId: number): Promise<PetStock[]> {
  const { rows } = await db.raw<{ rows: Omit<PetStock, 'total'>[] }>(
    `SELECT p.id AS "petId", p.status, p.quantity AS stock,
            coalesce(sum(o.quantity) FILTER (WHERE NOT o.complete), 0)::bigint AS reserved,
            coalesce(sum(o.quantity) FILTER (WHERE o.complete), 0)::bigint AS sold
       FROM pets p
       LEFT JOIN orders o ON (o.account_id, o.pet_id) = (p.account_id, p.id)
      WHERE p.account_id = ?
      GROUP BY p.id, p.status, p.quantity
      ORDER BY p.id`,
    [accountId],
  );
  return rows.map((row) => ({ ...row, total: row.stock + row.reserved + row.sold }));
}
