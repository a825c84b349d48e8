/** The page with the client of orval. */
import type { InventoryEvent } from '../../../../generated/client.ts';
import type { Page, PageOptions } from '../page.ts';
import { createPet, createPhoto, getGetPhotoUrl, getListenToInventoryUrl, listPets, updatePet } from './generated/orval.ts';
import { authorized, sender } from './orval-fetch.ts';

const TEXTS: Readonly<Record<string, string>> = { minLength: 'Please fill this in', required: 'Please fill this in' };

export function createPage({ baseUrl, key, renew }: PageOptions): Page {
  Object.assign(sender, { baseUrl, key, renew });
  let cursor: string | undefined;
  const pets: Page['pets'] = [];
  return {
    pets,
    more: async () => {
      const { data, status, headers } = await listPets({ limit: 2, ...(cursor !== undefined && { cursor }) });
      if (status !== 200) throw new Error(data.message);
      pets.push(...data);
      const next = /<([^>]*)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
      cursor = next === undefined ? undefined : (new URL(next, baseUrl).searchParams.get('cursor') ?? undefined);
      return cursor !== undefined;
    },
    add: async (body) => {
      const { data, status } = await createPet(body);
      if (status === 201) {
        pets.unshift(data);
        return {};
      }
      if (status !== 400) throw new Error(data.message);
      const problems = data.errors ?? [];
      return Object.fromEntries(
        problems.map(({ pointer, code, message }) => [pointer.slice(1).replaceAll('/', '.'), [TEXTS[code] ?? message]]),
      );
    },
    rename: async (pet, name, etag) => {
      const before = pet.name;
      pet.name = name;
      const { data, status } = await updatePet(pet.id, { name }, { headers: { 'If-Match': etag } });
      if (status === 200) return true;
      pet.name = before;
      if (status !== 412) throw new Error(data.message);
      return false;
    },
    watchStock: async (onEvent, onState, signal) => {
      let lastId: string | undefined;
      while (!signal.aborted) {
        const init = authorized({ signal, headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId } });
        const response = await fetch(baseUrl + getListenToInventoryUrl(), init).catch(() => undefined);
        if (response?.status === 401) {
          sender.key = await sender.renew();
          continue;
        }
        if (response?.body) {
          onState(true);
          let text = '';
          try {
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
            for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
              text += chunk.value;
              const blocks = text.split('\n\n');
              text = blocks.pop() ?? '';
              for (const block of blocks) {
                const fields = block
                  .split('\n')
                  .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
                const { id, event, data } = Object.fromEntries(fields) as Record<string, string | undefined>;
                lastId = id ?? lastId;
                if (data !== undefined) onEvent({ id, event, data: JSON.parse(data) } as InventoryEvent);
              }
            }
          } catch (error) {
            if (signal.aborted) throw error;
          }
        }
        onState(false);
        await new Promise((resolve) => setTimeout(resolve, 3000));
      }
    },
    upload: async (petId, photo, onProgress) => {
      onProgress(0, photo.size);
      const { data, status } = await createPhoto(petId, { photo });
      if (status !== 201) throw new Error(data.message);
      onProgress(photo.size, photo.size);
      return baseUrl + getGetPhotoUrl(petId, data.id);
    },
  };
}
