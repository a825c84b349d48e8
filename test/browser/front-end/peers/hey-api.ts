/** The page with the client of hey-api. */
import type { InventoryEvent } from '../../../../generated/client.ts';
import type { Page, PageOptions } from '../page.ts';
import { createClient, createConfig } from './generated/hey-api/client/index.ts';
import { createPet, createPhoto, listenToInventory, listPets, updatePet } from './generated/hey-api/index.ts';

const TEXTS: Readonly<Record<string, string>> = { minLength: 'Please fill this in', required: 'Please fill this in' };

export function createPage({ baseUrl, key, renew }: PageOptions): Page {
  let current = key;
  const client = createClient(
    createConfig({
      baseUrl,
      auth: () => current,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const again = request.clone();
        const response = await fetch(request);
        if (response.status !== 401) return response;
        current = await renew();
        again.headers.set('Authorization', `Bearer ${current}`);
        return fetch(again);
      },
    }),
  );
  let cursor: string | undefined;
  const pets: Page['pets'] = [];
  return {
    pets,
    more: async () => {
      const query = { limit: 2, ...(cursor !== undefined && { cursor }) };
      const { data, response } = await listPets({ client, query, throwOnError: true });
      pets.push(...data);
      const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
      cursor = next === undefined ? undefined : (new URL(next, baseUrl).searchParams.get('cursor') ?? undefined);
      return cursor !== undefined;
    },
    add: async (body) => {
      const { data, error, response } = await createPet({ client, body });
      if (data !== undefined) {
        pets.unshift(data);
        return {};
      }
      if (response?.status !== 400) throw error;
      const problems = error.errors ?? [];
      return Object.fromEntries(
        problems.map(({ pointer, code, message }) => [pointer.slice(1).replaceAll('/', '.'), [TEXTS[code] ?? message]]),
      );
    },
    rename: async (pet, name, etag) => {
      const before = pet.name;
      pet.name = name;
      const { data, error, response } = await updatePet({ client, path: { petId: pet.id }, headers: { 'If-Match': etag }, body: { name } });
      if (data === undefined) pet.name = before;
      if (data === undefined && response?.status !== 412) throw error;
      return data !== undefined;
    },
    watchStock: async (onEvent, onState, signal) => {
      const { stream } = await listenToInventory({
        client,
        signal,
        onSseEvent: (event) => {
          onState(true);
          onEvent(event as InventoryEvent);
        },
        onSseError: () => onState(false),
      });
      // The items are the data without the event, so they are read above.
      for await (const item of stream) void item;
    },
    upload: async (petId, photo, onProgress) => {
      onProgress(0, photo.size);
      const { data } = await createPhoto({ client, path: { petId }, body: { photo }, throwOnError: true });
      onProgress(photo.size, photo.size);
      return client.buildUrl({ baseUrl, url: '/store/pets/{petId}/photos/{photoId}', path: { petId, photoId: data.id } });
    },
  };
}
