/** The pets that every peer serves: constants, or a row of PostgreSQL read by its key if `DATABASE_URL` is set. */
import knex from 'knex';

const PET = { id: 7, name: 'Rex', categoryId: 1, status: 'available' };
const COLUMNS = { id: 'id', name: 'name', categoryId: 'category_id', status: 'status', version: 'version' };

const constantPets = {
  /** @returns the pet and its entity tag. */
  find: async () => ({ pet: PET, etag: '"1"' }),
  create: async (values) => ({ pet: { id: 7, status: 'available', ...values }, etag: '"1"' }),
};

/** The same statement as this project's own `getPet`, and like there a prepared one. */
function storedPets(url) {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 10 } });
  return {
    ...constantPets,
    find: async (id) => {
      const query = db('pets').where({ account_id: process.env.ACCOUNT_ID, id }).first(COLUMNS);
      const { version, ...pet } = await query.options({ name: 'pets.get' });
      // PostgreSQL's bigint arrives as text.
      return { pet: { ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId) }, etag: `"${version}"` };
    },
  };
}

export const pets = process.env.DATABASE_URL === undefined ? constantPets : storedPets(process.env.DATABASE_URL);
