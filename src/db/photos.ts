/** Photos of pets. Their bytes are in chunks, so that neither an upload nor a download has more than one of them in memory. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { returning, toRecord, type ColumnMap, type Database, type RecordOf, type RowOf, type Transaction } from '@specwright/postgres';
import type { Page } from '@specwright/server';
import type { Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError, bodyProblem } from '../errors.ts';
import { read, table, transaction } from './store.ts';

export type NewPhoto = Pick<Schemas['Photo'], 'caption'>;

const READABLE = {
  id: 'id',
  petId: 'pet_id',
  type: 'type',
  size: 'size',
  caption: 'caption',
  createdAt: 'created_at',
} as const satisfies ColumnMap<Tables['photos'], Schemas['Photo']>;
const RETURNING = returning(READABLE);
const STORED = { ...READABLE, digest: 'digest' } as const;

type Row = RowOf<Tables['photos'], typeof READABLE>;
export type Photo = RecordOf<Row>;
/** @property version the digest of its bytes, which never change. */
export type StoredPhoto = { readonly version: string; readonly record: Photo };

/** In bytes. All chunks of a photo but the last one have this size. */
const CHUNK_SIZE = 256 * 1024;

/** How the bytes of each type begin, as Latin-1. What a browser could run begins with none of them. */
const SIGNATURES: readonly (readonly [Row['type'], RegExp])[] = [
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/png', /^\x89PNG\r\n\x1A\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

const imageType = (bytes: Buffer): Row['type'] | undefined =>
  SIGNATURES.find(([, signature]) => signature.test(bytes.toString('latin1', 0, 12)))?.[0];

const notFound = (id: number) => new AppError('not_found', `there is no photo ${id}`);

/** The photos of a pet, oldest first. */
export async function listPhotos(db: Database, accountId: number, petId: number, { after, limit }: Page): Promise<Photo[]> {
  const query = table(db, 'photos').where({ account_id: accountId, pet_id: petId }).whereNotNull('digest').where('id', '>', after);
  const rows = await read(query.orderBy('id').limit(limit).select<Row[]>(READABLE));
  return rows.map((row) => toRecord(row));
}

/** @throws AppError not_found */
export async function getPhoto(db: Database, accountId: number, petId: number, id: number): Promise<StoredPhoto> {
  const query = table(db, 'photos').where({ account_id: accountId, pet_id: petId, id }).whereNotNull('digest');
  const row = await read(query.first<RowOf<Tables['photos'], typeof STORED> | undefined>(STORED));
  if (row === undefined) throw notFound(id);
  const { digest, ...record } = row;
  return { version: digest ?? '', record: toRecord(record) };
}

/** The bytes from `start` to `end`, both included, a chunk at a time. @throws Error if the photo is deleted meanwhile. */
export async function* readPhoto(
  db: Database,
  accountId: number,
  id: number,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  for (let n = Math.floor(start / CHUNK_SIZE); n * CHUNK_SIZE <= end; n++) {
    const row = await read(table(db, 'photo_chunks').where({ account_id: accountId, photo_id: id, n }).first('bytes'));
    if (row === undefined) throw new Error(`chunk ${n} of photo ${id} is gone`);
    yield row.bytes.subarray(Math.max(0, start - n * CHUNK_SIZE), end + 1 - n * CHUNK_SIZE);
  }
}

/**
 * Stores a photo as its bytes come. Nobody sees it before all have come, and a connection is used for a chunk at a time, however slow the
 * client is. Each chunk is counted with it, so uploads at the same time cannot exceed the quota of the account together.
 *
 * @throws AppError not_found, invalid_image, photo_quota, body_too_large; what `source` throws. Nothing is left then.
 */
export async function insertPhoto(
  db: Database,
  accountId: number,
  petId: number,
  values: NewPhoto,
  source: AsyncIterable<Uint8Array>,
  now: Date,
): Promise<StoredPhoto> {
  const hash = createHash('sha256');
  let id: number | undefined;
  let n = 0;
  try {
    for await (const chunk of chunksOf(source)) {
      id ??= await begin(db, accountId, petId, { ...values, type: imageType(chunk), now });
      hash.update(chunk);
      await addChunk(db, accountId, id, n++, chunk);
    }
    if (id === undefined) throw notAnImage();
    const version = hash.digest('base64url');
    const query = table(db, 'photos').where({ account_id: accountId, id }).update({ digest: version, created_at: now });
    const [row] = await read(query.returning<Row[]>(RETURNING));
    if (row === undefined) throw notFound(id);
    return { version, record: toRecord(row) };
  } catch (error) {
    // What cannot be deleted now is deleted as an upload that was never ended.
    if (id !== undefined) await abandon(db, accountId, id).catch(() => undefined);
    throw error;
  }
}

const abandon = (db: Database, accountId: number, id: number) =>
  transaction(db, async (trx) => remove(trx, table(trx, 'photos').where({ account_id: accountId, id })));

const notAnImage = () => new AppError('invalid_image', bodyProblem('photo', 'contentMediaType', 'must be a JPEG, PNG, GIF or WebP image'));

/** The photo without bytes, and the row that counts those of its account. */
async function begin(
  db: Database,
  accountId: number,
  petId: number,
  { type, caption, now }: NewPhoto & { type: Row['type'] | undefined; now: Date },
): Promise<number> {
  if (type === undefined) throw notAnImage();
  const row = { account_id: accountId, pet_id: petId, type, created_at: now, ...(caption !== undefined && { caption }) };
  return transaction(db, async (trx) => {
    const [created] = await table(trx, 'photos').insert(row).returning('id');
    await table(trx, 'photo_usage').insert({ account_id: accountId, bytes: 0 }).onConflict('account_id').ignore();
    return (created as { id: number }).id;
  });
}

/**
 * One statement, which also counts the bytes: an upload waits once for each chunk. The photo is locked before the account's usage, as when it is
 * deleted. Until the upload has ended, `created_at` says when its last chunk came.
 */
async function addChunk(db: Database, accountId: number, id: number, n: number, bytes: Buffer): Promise<void> {
  const { rowCount } = await read(
    db.raw<{ rowCount: number }>(
      `WITH photo AS (UPDATE photos SET size = size + :size, created_at = now()
                       WHERE account_id = :accountId AND id = :id AND digest IS NULL RETURNING account_id, id),
            used AS (UPDATE photo_usage SET bytes = bytes + :size FROM photo WHERE photo_usage.account_id = photo.account_id)
       INSERT INTO photo_chunks (account_id, photo_id, n, bytes) SELECT account_id, id, :n, :bytes FROM photo`,
      { accountId, id, n, bytes, size: bytes.length },
    ),
  );
  // With its pet.
  if (rowCount === 0) throw notFound(id);
}

/** The same bytes in chunks of one size. A chunk is overwritten by the next one. */
async function* chunksOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
  let filled = 0;
  for await (const part of source)
    for (let at = 0; at < part.length;) {
      const bytes = part.subarray(at, at + CHUNK_SIZE - filled);
      chunk.set(bytes, filled);
      at += bytes.length;
      filled += bytes.length;
      if (filled < CHUNK_SIZE) continue;
      yield chunk;
      filled = 0;
    }
  if (filled > 0) yield chunk.subarray(0, filled);
}

/** @throws AppError not_found */
export const deletePhoto = (db: Database, accountId: number, petId: number, id: number): Promise<void> =>
  transaction(db, async (trx) => {
    const photo = table(trx, 'photos').where({ account_id: accountId, pet_id: petId, id }).whereNotNull('digest');
    if ((await remove(trx, photo)) === 0) throw notFound(id);
  });

/** As a step of the deletion of a pet. */
export const deletePhotosOf = (trx: Transaction, accountId: number, petId: number) =>
  remove(trx, table(trx, 'photos').where({ account_id: accountId, pet_id: petId }));

/** Deletes what is left of uploads that were never ended, because the server was: those of which nothing has come for a quarter of an hour. */
export const deleteUnfinishedPhotos = (db: Database) =>
  transaction(db, async (trx) =>
    remove(trx, table(trx, 'photos').whereNull('digest').where('created_at', '<', trx.raw(`now() - interval '15 minutes'`))),
  );

/** Deletes photos, and what they use of the quota. @returns how many. */
async function remove(trx: Transaction, photos: Knex.QueryBuilder): Promise<number> {
  const deleted = await photos.delete().returning<{ account_id: number; size: number }[]>(['account_id', 'size']);
  const freed = new Map<number, number>();
  for (const { account_id, size } of deleted) freed.set(account_id, (freed.get(account_id) ?? 0) + size);
  // In one order, as another transaction may free what the same accounts use.
  for (const [account_id, bytes] of [...freed].sort(([a], [b]) => a - b))
    await table(trx, 'photo_usage').where({ account_id }).decrement('bytes', bytes);
  return deleted.length;
}
