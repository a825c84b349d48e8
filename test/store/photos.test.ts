/** Photos: what was uploaded is read, in whole and in part; the quota is exact; nothing is left of an upload that has failed. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { until, withDatabase } from 'specwright/testing';
import { deletePet } from '../../src/db/pets.ts';
import {
  deletePhoto,
  deleteUnfinishedPhotos,
  getPhoto,
  insertPhoto,
  listPhotos,
  readPhoto,
  type StoredPhoto,
} from '../../src/db/photos.ts';
import { inParts, PIXEL, pngOf } from '../support/service/images.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
const NOW = new Date('2026-11-21T09:00:00Z');
const MIB = 1024 * 1024;
const PAGE = { after: 0, limit: 100 };

type Pet = readonly [accountId: number, petId: number];
async function newPet(): Promise<Pet> {
  const { accountId, petIds } = await openShop(database.db, 0);
  return [accountId, petIds[0]];
}
const insert = ([accountId, petId]: Pet, source: AsyncIterable<Uint8Array>): Promise<StoredPhoto> =>
  insertPhoto(database.db, accountId, petId, {}, source, NOW);

async function bytesOf([accountId]: Pet, { record }: StoredPhoto, start = 0, end = record.size - 1): Promise<Buffer> {
  const chunks = [];
  for await (const chunk of readPhoto(database.db, accountId, record.id, { start, end })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What the account is charged, and what it has. */
async function usage([accountId]: Pet): Promise<{ used: number; photos: number; stored: number }> {
  const { rows } = await database.db.raw<{ rows: { used: number; photos: number; stored: number }[] }>(
    `SELECT coalesce((SELECT bytes FROM photo_usage WHERE account_id = :accountId), 0) AS used,
            (SELECT count(*) FROM photos WHERE account_id = :accountId) AS photos,
            (SELECT coalesce(sum(length(bytes)), 0) FROM photo_chunks WHERE account_id = :accountId) AS stored`,
    { accountId },
  );
  return rows[0] ?? { used: NaN, photos: NaN, stored: NaN };
}
const NOTHING = { used: 0, photos: 0, stored: 0 };

test.each([8, 262_143, 262_144, 262_145, 1_000_000])(
  'a photo of %d bytes is read as it was uploaded, in whole and in part',
  async (size) => {
    const pet = await newPet();
    const bytes = pngOf(size);
    const photo = await insert(pet, inParts(bytes));
    expect(photo.record).toMatchObject({ petId: pet[1], type: 'image/png', size, createdAt: NOW.toISOString() });
    expect(photo.version).toBe(createHash('sha256').update(bytes).digest('base64url'));
    expect((await bytesOf(pet, photo)).equals(bytes)).toBe(true);
    for (const [start, end] of [
      [0, 0],
      [size - 1, size - 1],
      [3, Math.min(size - 1, 300_000)],
      [Math.floor(size / 2), size - 1],
    ] as const)
      expect((await bytesOf(pet, photo, start, end)).equals(bytes.subarray(start, end + 1))).toBe(true);
    expect(await usage(pet)).toEqual({ used: size, photos: 1, stored: size });
  },
);

test.each([
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
  ['image/gif', Buffer.from('GIF89a\0\0')],
  ['image/gif', Buffer.from('GIF87a\0\0')],
  ['image/webp', Buffer.from('RIFF\n\r\0\0WEBPVP8 ')],
])('%s is found by its bytes, also if they come one at a time', async (type, bytes) => {
  expect((await insert(await newPet(), inParts(bytes, 1))).record.type).toBe(type);
});

test.each([
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['HTML before an image', Buffer.concat([Buffer.from('<html>'), PIXEL])],
  ['a RIFF that is no WebP', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ['a part of a signature', PIXEL.subarray(0, 7)],
  ['nothing', Buffer.alloc(0)],
])('%s is refused, and nothing of it is stored', async (_, bytes) => {
  const pet = await newPet();
  await expect(insert(pet, inParts(bytes))).rejects.toMatchObject({ code: 'invalid_image' });
  expect(await usage(pet)).toEqual(NOTHING);
});

async function* failing(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* inParts(bytes) as AsyncIterable<Buffer>;
  throw new Error('the client went away');
}

test('of an upload that fails, is too large or belongs to a pet that is deleted meanwhile nothing is left', async () => {
  const pet = await newPet();
  await expect(insert(pet, failing(pngOf(600_000)))).rejects.toThrow('the client went away');
  await expect(insert(pet, inParts(pngOf(5 * MIB + 1)))).rejects.toMatchObject({ code: 'body_too_large' });
  await expect(insert([pet[0], pet[1] + 1000], inParts(PIXEL))).rejects.toMatchObject({ code: 'not_found' });
  expect(await usage(pet)).toEqual(NOTHING);
  async function* withDeletion(): AsyncGenerator<Buffer> {
    yield pngOf(300_000);
    await deletePet(database.db, ...pet);
    yield pngOf(300_000);
  }
  await expect(insert(pet, withDeletion())).rejects.toMatchObject({ code: 'not_found' });
  expect(await usage(pet)).toEqual(NOTHING);
});

test('a photo that is being uploaded is neither listed nor read nor deleted by a client', async () => {
  const pet = await newPet();
  async function* looked(): AsyncGenerator<Buffer> {
    yield pngOf(300_000);
    const { id } = await database.db('photos').where({ account_id: pet[0] }).first<{ id: number }>('id');
    expect(await listPhotos(database.db, ...pet, PAGE)).toEqual([]);
    await expect(getPhoto(database.db, ...pet, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deletePhoto(database.db, ...pet, id)).rejects.toMatchObject({ code: 'not_found' });
  }
  const { record } = await insert(pet, looked());
  expect(await listPhotos(database.db, ...pet, PAGE)).toEqual([record]);
});

test('of concurrent uploads those that fit into the quota are stored, and what is deleted makes room', async () => {
  const pet = await newPet();
  const uploads = await Promise.allSettled(Array.from({ length: 14 }, () => insert(pet, inParts(pngOf(5 * MIB), 500_000))));
  const stored = uploads.flatMap((upload) => (upload.status === 'fulfilled' ? [upload.value] : []));
  const refused = uploads.flatMap((upload) => (upload.status === 'rejected' ? [upload.reason as { code: string }] : []));
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'photo_quota'));
  expect(await usage(pet)).toEqual({ used: stored.length * 5 * MIB, photos: stored.length, stored: stored.length * 5 * MIB });
  // Uploads that fail together have had parts of the quota, which are free again.
  for (let i = stored.length; i < 10; i++) stored.push(await insert(pet, inParts(pngOf(5 * MIB), 500_000)));
  await expect(insert(pet, inParts(PIXEL))).rejects.toMatchObject({ code: 'photo_quota' });
  await deletePhoto(database.db, ...pet, stored[0]?.record.id ?? 0);
  await insert(pet, inParts(PIXEL));
  expect(await usage(pet)).toEqual({ used: 45 * MIB + PIXEL.length, photos: 10, stored: 45 * MIB + PIXEL.length });
  await deletePet(database.db, ...pet);
  expect(await usage(pet)).toEqual(NOTHING);
});

test('a photo is deleted once, and of its pet only', async () => {
  const [pet, other] = [await newPet(), await newPet()];
  const { record } = await insert(pet, inParts(PIXEL));
  // Of a pet with a higher id, and of one with a lower.
  for (const [petId, photo] of [[other[1], record] as const, [pet[1], (await insert(other, inParts(PIXEL))).record] as const])
    for (const accountId of [pet[0], other[0]])
      await expect(deletePhoto(database.db, accountId, petId, photo.id)).rejects.toMatchObject({ code: 'not_found' });
  await deletePhoto(database.db, ...pet, record.id);
  await expect(deletePhoto(database.db, ...pet, record.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(getPhoto(database.db, ...pet, record.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await usage(pet)).toEqual(NOTHING);
});

test('a photo that is deleted while it is read ends with an error', async () => {
  const pet = await newPet();
  const photo = await insert(pet, inParts(pngOf(600_000)));
  const reading = readPhoto(database.db, pet[0], photo.record.id, { start: 0, end: 599_999 });
  await reading.next();
  await deletePhoto(database.db, ...pet, photo.record.id);
  await expect(reading.next()).rejects.toThrow('is gone');
});

test('what a server that has died has left of uploads is deleted a quarter of an hour later', async () => {
  const pet = await newPet();
  const kept = await insert(pet, inParts(pngOf(300_000)));
  const dead = await insert(pet, inParts(pngOf(400_000)));
  const young = await insert(pet, inParts(pngOf(500_000)));
  await database.db('photos').whereIn('id', [dead.record.id, young.record.id]).update({ digest: null });
  await database
    .db('photos')
    .whereIn('id', [dead.record.id, kept.record.id])
    .update({ created_at: database.db.raw("now() - interval '16 minutes'") });
  await database
    .db('photos')
    .where({ id: young.record.id })
    .update({ created_at: database.db.raw("now() - interval '14 minutes'") });
  await deleteUnfinishedPhotos(database.db);
  expect(await usage(pet)).toEqual({ used: 800_000, photos: 2, stored: 800_000 });
});

test('an upload that goes on for longer than what is left of one is kept is not deleted under way', async () => {
  const pet = await newPet();
  const unfinished = () => database.db('photos').where({ account_id: pet[0], digest: null });
  async function* slow() {
    yield pngOf(300_000);
    await until(async () => (await unfinished().select('id')).length === 1);
    // The first chunk came long ago, and another one comes.
    await unfinished().update({ created_at: database.db.raw("now() - interval '1 hour'") });
    yield Buffer.alloc(300_000);
    await until(
      async () => (await unfinished().where('created_at', '>', database.db.raw("now() - interval '1 minute'")).select('id')).length === 1,
    );
    await deleteUnfinishedPhotos(database.db);
  }
  const { record } = await insert(pet, slow());
  expect(record).toMatchObject({ size: 600_000, createdAt: NOW.toISOString() });
});
