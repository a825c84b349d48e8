/** The page with the generated client. */
import {
  createPartialClient,
  createPet,
  createPhoto,
  getPhoto,
  hasNextPage,
  isFailure,
  listen,
  listenToInventory,
  listPets,
  nextPage,
  orThrow,
  problemsByField,
  updatePet,
  urlOf,
  type ListPets200,
} from '../../../generated/client.ts';
import { newPetSchema, withTexts } from '../../../generated/schemas.ts';
import type { Page, PageOptions } from './page.ts';

const form = withTexts(newPetSchema, { minLength: 'Please fill this in', required: 'Please fill this in' });

export function createPage({ baseUrl, key, renew }: PageOptions): Page {
  let current = key;
  const options = {
    baseUrl,
    credentials: { bearerAuth: () => current },
    onUnauthorized: async () => {
      current = await renew();
      return true;
    },
  };
  const client = createPartialClient(options, { listPets, createPet, updatePet, listenToInventory, createPhoto, getPhoto });
  let page: ListPets200 | undefined;
  const pets: Page['pets'] = [];
  return {
    pets,
    more: async () => {
      page = page === undefined ? await orThrow(client.listPets({ query: { limit: 2 } })) : await nextPage(client, 'listPets', page);
      pets.push(...(page?.body ?? []));
      return page !== undefined && hasNextPage(page);
    },
    add: async (body) => {
      const { issues = [] } = form['~standard'].validate(body);
      if (issues.length > 0) return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), [message]]));
      try {
        pets.unshift((await orThrow(client.createPet({ body }))).body);
        return {};
      } catch (error) {
        if (isFailure(error, 'createPet') && error.reply.status === 400) return problemsByField(error.reply.body.errors);
        throw error;
      }
    },
    rename: async (pet, name, etag) => {
      const before = pet.name;
      pet.name = name;
      const reply = await client.updatePet({ path: { petId: pet.id }, headers: { 'If-Match': etag }, body: { name } });
      if (!reply.ok) pet.name = before;
      if (!reply.ok && reply.status !== 412) await orThrow(reply);
      return reply.ok;
    },
    watchStock: async (onEvent, onState, signal) => {
      const onChange = (state: 'open' | 'waiting') => onState(state === 'open');
      for await (const event of listen(client, 'listenToInventory', {}, { signal, onState: onChange })) onEvent(event);
    },
    upload: async (petId, photo, onUploadProgress) => {
      const { body } = await orThrow(client.createPhoto({ path: { petId }, body: { photo } }, { onUploadProgress }));
      return urlOf(client, 'getPhoto', { path: { petId, photoId: body.id } });
    },
  };
}
