/** Photos of pets. */
import type { Database } from '@specwright/postgres';
import { createdResponse, etag, pageResponse, parsePage } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { getPet } from '../db/pets.ts';
import { deletePhoto, getPhoto, insertPhoto, listPhotos, readPhoto } from '../db/photos.ts';
import type { Caller } from '../security.ts';

export const photoHandlers = {
  listPhotos: async ({ path, query }, reply, { db, caller }) => {
    await getPet(db, caller.accountId, path.petId);
    const found = await listPhotos(db, caller.accountId, path.petId, parsePage(query));
    return reply(200, pageResponse(`/store/pets/${path.petId}/photos`, query, found));
  },

  createPhoto: async ({ path, body, files }, reply, { db, caller, now }) => {
    await getPet(db, caller.accountId, path.petId);
    const photo = await insertPhoto(db, caller.accountId, path.petId, body, bytesOf(files), now);
    return reply(201, createdResponse(`/store/pets/${path.petId}/photos/${photo.record.id}`, photo));
  },

  // Conditions and ranges are the framework's.
  getPhoto: async ({ path }, reply, { db, caller }) => {
    const photo = await getPhoto(db, caller.accountId, path.petId, path.photoId);
    const { size, type } = photo.record;
    return reply(200, {
      type,
      stream: (range = { start: 0, end: size - 1 }) => readPhoto(db, caller.accountId, path.photoId, range),
      length: size,
      filename: `photo-${path.photoId}.${type.replace('image/', '')}`,
      disposition: 'inline',
      headers: { ETag: etag(photo), 'Content-Security-Policy': "default-src 'none'; sandbox" },
    });
  },

  deletePhoto: async ({ path }, reply, { db, caller }) => {
    await deletePhoto(db, caller.accountId, path.petId, path.photoId);
    return reply(204);
  },
} satisfies Partial<Handlers<Caller, Database>>;

/** The bytes of the one file. What follows it is read too, so that nothing is stored of a body that is not valid. */
async function* bytesOf(files: AsyncIterable<{ readonly stream: AsyncIterable<Uint8Array> }>): AsyncGenerator<Uint8Array> {
  for await (const { stream } of files) yield* stream;
}
