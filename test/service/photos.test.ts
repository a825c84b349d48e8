/** Photos over HTTP: parts of them, copies that clients have, and nothing that a browser would run. */
import { describe, expect, test } from '@jest/globals';
import { until, withApp, withDatabase, withFixture } from 'specwright/testing';
import { insertPhoto } from '../../src/db/photos.ts';
import { startApp } from '../support/service/app.ts';
import { inParts, PIXEL, pngOf } from '../support/service/images.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

const SIZE = 600_000;
const database = withDatabase();
const app = withApp(() => startApp(database.db));
const photo = withFixture(
  async () => {
    const shop = await openShop(database.db, 0);
    const bytes = pngOf(SIZE);
    const { record, version } = await insertPhoto(database.db, shop.accountId, shop.petIds[0], {}, inParts(bytes), new Date());
    return { key: shop.key, etag: `"${version}"`, bytes, path: `/store/pets/${shop.petIds[0]}/photos/${record.id}` };
  },
  () => undefined,
);

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(app.url + photo.path, { method, headers: { authorization: `Bearer ${photo.key}`, ...headers } });

test('a photo is an image of the type that was found, and a browser runs nothing of it', async () => {
  const response = await get();
  expect(Buffer.from(await response.arrayBuffer()).equals(photo.bytes)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(SIZE),
    'content-disposition': expect.stringMatching(/^inline; filename="?photo-\d+\.png"?$/),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'x-stability': 'experimental',
    etag: photo.etag,
  });
});

test.each([
  ['bytes=0-9', 0, 9],
  ['bytes=262140-524300', 262_140, 524_300],
  ['bytes=-10', SIZE - 10, SIZE - 1],
  [`bytes=-${SIZE + 1}`, 0, SIZE - 1],
])('%s is a part of it', async (range, start, end) => {
  const response = await get({ Range: range, 'If-Range': photo.etag });
  expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${SIZE}`]);
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(Buffer.from(await response.arrayBuffer()).equals(photo.bytes.subarray(start, end + 1))).toBe(true);
});

test('a client that has it gets 304, and one that wants more than there is 416', async () => {
  const fresh = await get({ 'If-None-Match': photo.etag });
  expect([fresh.status, fresh.headers.get('etag'), await fresh.text()]).toEqual([304, photo.etag, '']);
  const beyond = await get({ Range: `bytes=${SIZE}-` });
  expect([beyond.status, beyond.headers.get('content-range'), await beyond.json()]).toEqual([
    416,
    `bytes */${SIZE}`,
    expect.objectContaining({ code: 'range_not_satisfiable' }),
  ]);
  const head = await get({}, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(SIZE)]);
});

test('a range whose end is before its start is ignored, and so is that of HEAD', async () => {
  for (const [method, range] of [
    ['GET', 'bytes=9-1'],
    ['HEAD', 'bytes=0-9'],
  ] as const) {
    const { status, headers } = await get({ Range: range }, method);
    expect([status, headers.get('content-length'), headers.get('content-range')]).toEqual([200, String(SIZE), null]);
  }
});

test('a client that wants another one gets 412, without a field of the photo', async () => {
  expect((await get({ 'If-Match': photo.etag })).status).toBe(200);
  const { status, headers } = await get({ 'If-Match': '"other"', Range: 'bytes=0-9' });
  expect([status, headers.get('content-type'), headers.get('x-stability')]).toEqual([412, 'application/json', 'experimental']);
  for (const name of ['etag', 'accept-ranges', 'content-range', 'content-disposition']) expect(headers.get(name)).toBeNull();
});

describe('an upload', () => {
  type Parts = readonly (readonly [name: string, value: string | Blob, filename?: string])[];
  const file = (bytes: Uint8Array | string = PIXEL, type = 'image/png') => new Blob([bytes], { type });

  async function upload(parts: Parts, shop?: Shop): Promise<{ shop: Shop; response: Response; body: Record<string, unknown> }> {
    const owner = shop ?? (await openShop(database.db, 0));
    const form = new FormData();
    for (const [name, value, filename] of parts) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, filename);
    }
    const response = await fetch(`${app.url}/store/pets/${owner.petIds[0]}/photos`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${owner.key}` },
    });
    return { shop: owner, response, body: (await response.json()) as Record<string, unknown> };
  }

  const rowsOf = ({ accountId }: Shop) => database.db('photos').where({ account_id: accountId }).pluck<number[]>('id');

  test('is stored with its caption, and is what is downloaded, whatever it is called', async () => {
    const bytes = pngOf(SIZE);
    const { shop, response, body } = await upload([
      ['caption', 'Ré 🐕'],
      ['photo', file(bytes, 'image/gif'), '../../evil.html'],
    ]);
    expect([response.status, body]).toEqual([
      201,
      { id: expect.any(Number), petId: shop.petIds[0], type: 'image/png', size: SIZE, caption: 'Ré 🐕', createdAt: expect.any(String) },
    ]);
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`/store/pets/${shop.petIds[0]}/photos/${String(body['id'])}`);
    const read = await fetch(app.url + location, { headers: { authorization: `Bearer ${shop.key}` } });
    expect([read.headers.get('content-type'), read.headers.get('etag')]).toEqual(['image/png', response.headers.get('etag')]);
    expect(read.headers.get('content-disposition')).not.toContain('evil');
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each<[name: string, status: number, code: string, parts: Parts]>([
    ['HTML that says it is an image', 400, 'invalid_image', [['photo', file('<script>alert(1)</script>'), 'a.png']]],
    ['an image that says it is HTML', 400, 'invalid_request', [['photo', file(PIXEL, 'text/html'), 'a.png']]],
    ['no file', 400, 'invalid_request', [['caption', 'x']]],
    ['two files', 400, 'invalid_request', [['photo', file(), 'a'], ['photo', file(), 'b']]], // prettier-ignore
    ['a field after the file', 400, 'invalid_request', [['photo', file(), 'a'], ['caption', 'x']]], // prettier-ignore
    ['an undeclared file after it', 400, 'invalid_request', [['photo', file(), 'a'], ['other', file(), 'b']]], // prettier-ignore
    ['more than 5 MiB', 413, 'body_too_large', [['photo', file(pngOf(5 * 1024 * 1024 + 1)), 'a']]],
  ])('of %s is refused, and nothing is stored', async (_, status, code, parts) => {
    const { shop, response, body } = await upload(parts);
    expect([response.status, body['code']]).toEqual([status, code]);
    expect(await rowsOf(shop)).toEqual([]);
  });

  test("for another account's pet is refused", async () => {
    const [mine, theirs] = [await openShop(database.db, 0), await openShop(database.db, 0)];
    const { response } = await upload([['photo', file(), 'a']], { ...theirs, key: mine.key });
    expect([response.status, await rowsOf(mine), await rowsOf(theirs)]).toEqual([404, [], []]);
  });

  test('that is broken off leaves nothing', async () => {
    const shop = await openShop(database.db, 0);
    const head = 'Content-Disposition: form-data; name="photo"; filename="a"\r\nContent-Type: image/png';
    const aborted = new AbortController();
    let isStored = false;
    const body = (async function* () {
      yield Buffer.from(`--b\r\n${head}\r\n\r\n`);
      yield pngOf(SIZE);
      await until(async () => (isStored = (await rowsOf(shop)).length === 1));
      aborted.abort();
      await new Promise(() => undefined);
    })();
    const request = fetch(`${app.url}/store/pets/${shop.petIds[0]}/photos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: ReadableStream.from(body),
      duplex: 'half',
      signal: aborted.signal,
    });
    await expect(request).rejects.toThrow();
    expect(isStored).toBe(true);
    await until(async () => (await rowsOf(shop)).length === 0);
    expect(await database.db('photo_usage').where({ account_id: shop.accountId }).pluck('bytes')).toEqual([0]);
  });
});
