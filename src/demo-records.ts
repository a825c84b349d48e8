/** The first records of the demo account: two categories, three pets with stock, a photo of the first pet. */
import { Readable } from 'node:stream';
import type { Database } from '@specwright/postgres';
import { createCategory } from './db/categories.ts';
import { setInventory } from './db/inventory.ts';
import { createPet } from './db/pets.ts';
import { insertPhoto } from './db/photos.ts';

const CATEGORIES = [
  {
    name: 'Dogs',
    description: 'Loyal and loud.',
    pets: [
      // Enough for the orders of the README and of many tries at /docs.
      { name: 'Rex', stock: 100, photo: 'In the garden' },
      { name: 'Bella', stock: 1 },
    ],
  },
  { name: 'Cats', description: 'Neither.', pets: [{ name: 'Misty', stock: 5 }] },
] as const;

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Fills an account through the same functions that the handlers use. */
export async function seedDemo(db: Database, accountId: number): Promise<void> {
  for (const { name, description, pets } of CATEGORIES) {
    const category = await createCategory(db, accountId, { name, description });
    for (const { name: petName, stock, ...rest } of pets) {
      const pet = await createPet(db, accountId, { name: petName, categoryId: category.record.id, status: 'available' });
      await setInventory(db, accountId, pet.record.id, { quantity: stock });
      if ('photo' in rest)
        await insertPhoto(db, accountId, pet.record.id, { caption: rest.photo }, Readable.from([Buffer.from(PIXEL, 'base64')]), new Date());
    }
  }
}
