/** What a first visitor finds: two kinds of animal, three pets, something in stock. */
import type { Database } from '@specwright/postgres';
import { createCategory } from '../categories.ts';
import { setInventory } from '../inventory.ts';
import { createPet } from '../pets.ts';

const CATEGORIES = [
  {
    name: 'Dogs',
    description: 'Loyal and loud.',
    pets: [
      { name: 'Rex', stock: 3 },
      { name: 'Bella', stock: 1 },
    ],
  },
  { name: 'Cats', description: 'Neither.', pets: [{ name: 'Misty', stock: 5 }] },
] as const;

/** Fills an account through the same functions that the handlers use. */
export async function seedDemo(db: Database, accountId: number): Promise<void> {
  for (const { name, description, pets } of CATEGORIES) {
    const category = await createCategory(db, accountId, { name, description });
    for (const { name: petName, stock } of pets) {
      const pet = await createPet(db, accountId, { name: petName, categoryId: category.record.id, status: 'available' });
      await setInventory(db, accountId, pet.record.id, { quantity: stock });
    }
  }
}
