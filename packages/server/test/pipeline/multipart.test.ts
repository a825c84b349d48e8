/** Bodies of multipart/form-data: fields that are validated before the handler, files that are streams or spooled, and what is refused. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { express } from '@specwright/server/express';
import { until, withApp } from 'specwright/testing';
import { problemsOf } from '../../../contract/test/support/contract.ts';
import { rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const OBJECT = 'content: { application/json: { schema: { type: object } } }';
const OK = `responses: { '200': { description: ok, ${OBJECT} } }`;
const PHOTO = 'photo: { type: string, format: binary, minLength: 3, maxLength: 100000 }';
const LIST = 'pages: { type: array, minItems: 2, maxItems: 3, items: { type: string, format: binary } }';
const FIELDS = `caption: { type: string, maxLength: 20 }, count: { type: integer, default: 1 }, tags: { type: array, items: { type: string, minLength: 2 } }, position: { type: object, additionalProperties: false, properties: { x: { type: number } } }, icon: { type: string, contentEncoding: base64, format: byte }, settings: { type: array, items: { type: object, required: [on], properties: { on: { type: boolean } } } }`;
const body = (properties: string, more = '', rest = '') =>
  `requestBody: { required: true, content: { multipart/form-data: { ${rest} schema: { type: object, ${more} properties: { ${properties} } } } } }`;
const STREAM = 'x-multipart: stream,';
const IMAGES = 'encoding: { photo: { contentType: "image/png, image/jpeg" } },';
const YAML = `paths:
  /photos: { post: { operationId: addPhoto, x-body-limit: 400000, ${body(`${FIELDS}, ${PHOTO}`, 'required: [caption, photo],', STREAM + IMAGES)}, ${OK} } }
  /books: { post: { operationId: addBook, x-body-limit: 400000, ${body(`${LIST}, title: { type: string }`, 'required: [pages],', STREAM)}, ${OK} } }
  /spooled: { post: { operationId: spool, x-body-limit: 400000, ${body(`${FIELDS}, ${PHOTO}`, 'required: [caption, photo],')}, ${OK} } }
  /fields: { post: { operationId: fields, ${body(FIELDS)}, ${OK} } }
  /texts: { post: { operationId: texts, x-body-limit: 3000000, ${body('text: { type: array, items: { type: string } }')}, ${OK} } }
  /open: { post: { operationId: open, ${body('a: { type: string }', 'additionalProperties: { type: integer },')}, ${OK} } }
  /express: { post: { operationId: inExpress, x-body-limit: 400000, ${body(`${FIELDS}, ${PHOTO}`, '', STREAM)}, ${OK} } }
`;

interface File {
  name: string;
  filename?: string;
  type: string;
  headers: Record<string, string>;
  stream: Readable;
  size?: number;
}
type Reply = (status: number, payload: object) => unknown;
interface Input {
  body: unknown;
  files?: AsyncIterable<File>;
}

const sha = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
async function describeFile({ name, filename, type, stream, size }: File): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return { name, filename, type, length: bytes.length, sha: sha(bytes), ...(size !== undefined && { size }) };
}
async function describeAll(files: AsyncIterable<File> | undefined): Promise<object[]> {
  const all: object[] = [];
  for await (const file of files ?? []) all.push(await describeFile(file));
  return all;
}

let calls = 0;
let handler: (input: Input, reply: Reply) => unknown;
const readAll = async ({ body, files }: Input, reply: Reply) => reply(200, { body: { body, files: await describeAll(files) } });
const run = (input: Input, reply: Reply) => {
  calls++;
  return handler(input, reply);
};
const inExpress = express(((request: { body: unknown; files: AsyncIterable<File> }, response: { json: (body: object) => void }) => {
  describeAll(request.files).then(
    (files) => response.json({ body: request.body, files }),
    () => undefined,
  );
}) as never);
const app = withApp(() =>
  serve(YAML, {
    handlers: { addPhoto: run, addBook: run, spool: run, fields: run, texts: run, open: run, inExpress },
    requestTimeoutMs: 2000,
  }),
);
beforeEach(() => {
  calls = 0;
  handler = readAll;
});

type Parts = [name: string, value: string | Blob, filename?: string][];
function form(...parts: Parts): FormData {
  const data = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else if (filename === undefined) data.append(name, value);
    else data.append(name, value, filename);
  }
  return data;
}
async function send(
  path: string,
  data: FormData | string,
  headers: Record<string, string> = {},
): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(app.url + path, { method: 'POST', body: data, headers });
  return [response.status, (await response.json()) as Record<string, unknown>];
}
const png = (bytes: string | Uint8Array = 'png') => new Blob([bytes], { type: 'image/png' });
const json = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' });
const BYTES = Buffer.alloc(90_000, 'abcdefghijk');
const caption: Parts[number] = ['caption', 'a'];

describe('fields', () => {
  test('have the types that the contract declares, with defaults, and are validated before the handler', async () => {
    const parts: Parts = [
      ['tags', 'ab'],
      ['tags', 'cd'],
      ['position', '{"x":1.5}'],
      ['icon', 'aGk='],
      ['settings', json({ on: true })],
      ['caption', 'é&=+%'],
    ];
    expect(await send('/fields', form(...parts, ['count', '3']))).toEqual([
      200,
      { body: { tags: ['ab', 'cd'], position: { x: 1.5 }, icon: 'aGk=', settings: [{ on: true }], caption: 'é&=+%', count: 3 }, files: [] },
    ]);
    expect(await send('/fields', form(caption))).toEqual([200, { body: { caption: 'a', count: 1 }, files: [] }]);
    expect(await send('/fields', form(['tags', 'ab'], ['settings', json([{ on: false }])]))).toEqual([
      200,
      { body: { tags: ['ab'], settings: [{ on: false }], count: 1 }, files: [] },
    ]);
    expect(await send('/open', form(['a', 'x'], ['b', '7'], ['__proto__', '8']))).toMatchObject([200, { body: { a: 'x', b: 7 } }]);
  });

  test.each<[string, Parts, string]>([
    ['of another type', [['count', '1.5']], 'body/count must be integer'],
    ['of an integer that a number cannot hold', [['count', '9007199254740993']], 'body/count '],
    ['too long', [['caption', 'a'.repeat(21)]], 'body/caption must NOT have more than 20 characters'],
    ['twice', [caption, caption], 'body/caption must be given once'],
    ['that are not JSON', [['position', '{"x":']], 'body/position must be JSON'],
    ['with undeclared properties in JSON', [['position', '{"y":1}']], 'body/position/y'],
    [
      'with an item that is wrong',
      [
        ['tags', 'ab'],
        ['tags', 'c'],
      ],
      'body/tags/1 ',
    ],
    ['that are not declared', [['other', '1']], 'body/other'],
    ['that are files', [['other', png(), 'a.png']], 'body/other is not declared as a file'],
    ['with a name of Object', [['__proto__', '1']], 'body/__proto__'],
  ])('%s are refused', async (_, parts, message) => {
    const [status, error] = await send('/fields', form(...parts));
    expect([status, error['message']]).toEqual([400, expect.stringContaining(message)]);
    expect(calls).toBe(0);
  });

  test('have a bound in all, and are 413 beyond it', async () => {
    const [status, { message }] = await send('/photos', form(caption, ['count', '1'.repeat(400_000)], ['photo', png()]));
    expect([status, message]).toEqual([413, 'the body is larger than 400000 bytes']);
  });

  test('are at most 1 MiB in all, however large the body may be and however many they are', async () => {
    const MIB = 1024 * 1024;
    handler = ({ body }, reply) => reply(200, { body: { length: (body as { text: string[] }).text.join('').length } });
    const texts = (...lengths: number[]) => form(...lengths.map((length): Parts[number] => ['text', 'a'.repeat(length)]));
    expect(await send('/texts', texts(MIB))).toEqual([200, { length: MIB }]);
    expect(await send('/texts', texts(MIB - 1, 1))).toEqual([200, { length: MIB }]);
    for (const lengths of [[MIB + 1], [MIB / 2, MIB / 2, 1]])
      expect(await send('/texts', texts(...lengths))).toMatchObject([413, { message: `the body is larger than ${MIB} bytes` }]);
  });
});

describe('files', () => {
  test('are streams that the handler reads one after the other, beside validated fields', async () => {
    const data = form(caption, ['count', '2'], ['photo', png(BYTES), 'C:\\fakepath\\kätzchen "1".png']);
    const file = { name: 'photo', filename: 'kätzchen "1".png', type: 'image/png', length: BYTES.length, sha: sha(BYTES) };
    const expected = [200, { body: { caption: 'a', count: 2 }, files: [file] }];
    expect(await send('/photos', data)).toEqual(expected);
    expect(await send('/express', data)).toEqual(expected);
    expect(await send('/spooled', data)).toEqual([200, { body: { caption: 'a', count: 2 }, files: [{ ...file, size: BYTES.length }] }]);
  });

  test('that are a list keep their order, and what the handler does not read is skipped', async () => {
    const parts: Parts = ['one', 'two', 'three'].map((text) => ['pages', new Blob([text]), `${text}.txt`]);
    const [status, { files }] = await send('/books', form(['title', 't'], ...parts));
    expect([status, (files as { filename: string }[]).map(({ filename }) => filename)]).toEqual([200, ['one.txt', 'two.txt', 'three.txt']]);
    handler = async ({ files: given }, reply) => {
      const names: string[] = [];
      for await (const { filename } of given ?? []) names.push(String(filename));
      return reply(200, { body: { names } });
    };
    expect(await send('/books', form(...parts))).toEqual([200, { names: ['one.txt', 'two.txt', 'three.txt'] }]);
    handler = (_, reply) => reply(200, { body: {} });
    expect((await send('/books', form(...parts)))[0]).toBe(200);
  });

  test.each<[string, string, Parts, number, string]>([
    ['missing', '/photos', [caption], 400, 'body/photo is required'],
    [
      'before a required field',
      '/photos',
      [['photo', png(), 'a'], caption],
      400,
      'body/caption is required before the file photo: send fields before files',
    ],
    [
      'of another type',
      '/photos',
      [caption, ['photo', new Blob(['<svg/>'], { type: 'image/svg+xml' }), 'a.svg']],
      400,
      'body/photo must be of the type image/png or image/jpeg, not image/svg+xml',
    ],
    ['too large', '/photos', [caption, ['photo', png('a'.repeat(100_001)), 'a']], 413, 'body/photo is larger than 100000 bytes'],
    ['too small', '/photos', [caption, ['photo', png('ab'), 'a']], 400, 'body/photo must have at least 3 bytes'],
    [
      'too large and spooled',
      '/spooled',
      [caption, ['photo', png('a'.repeat(100_001)), 'a']],
      413,
      'body/photo is larger than 100000 bytes',
    ],
    ['sent twice', '/photos', [caption, ['photo', png(), 'a'], ['photo', png(), 'a']], 400, 'body/photo must be given once'],
    ['too few', '/books', [['pages', png(), 'a']], 400, 'body/pages must have at least 2 files'],
    ['too many', '/books', [1, 2, 3, 4].map(() => ['pages', png(), 'a']), 400, 'body/pages must have at most 3 files'],
    [
      'followed by a field',
      '/photos',
      [
        ['caption', 'a'],
        ['photo', png(), 'a'],
        ['count', '1'],
      ],
      400,
      'body/count comes after a file: send fields before files',
    ],
    [
      'followed by an undeclared file',
      '/photos',
      [caption, ['photo', png(), 'a'], ['b', png(), 'b']],
      400,
      'body/b is not declared as a file',
    ],
  ])('%s are refused', async (_, path, parts, expected, message) => {
    const [status, error] = await send(path, form(...parts));
    expect([status, error['message']]).toEqual([expected, expect.stringContaining(message)]);
  });

  test('that are not streamed, as the contract has to say, may be followed by fields, and are gone when the request has ended', async () => {
    const before = uploads();
    handler = async (input, reply) => {
      expect(uploads()).toEqual(before);
      return readAll(input, reply);
    };
    const [status, { body: fields }] = await send('/spooled', form(['photo', png(BYTES), 'a'], caption));
    expect([status, fields]).toEqual([200, { caption: 'a', count: 1 }]);
    expect(uploads()).toEqual(before);
  });
});

const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith('upload-'));

const BOUNDARY = 'b';
const part = (head: string, text = '') => `--${BOUNDARY}\r\n${head}\r\n\r\n${text}\r\n`;
const named = (name: string, text = '') => part(`Content-Disposition: form-data; name="${name}"`, text);
const END = `--${BOUNDARY}--\r\n`;
const TYPE = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

describe('what is no multipart body as RFC 7578 has it', () => {
  test.each<[string, string, string, Record<string, string>?]>([
    [
      'without a boundary in Content-Type',
      named('caption') + END,
      'header/Content-Type must have one boundary of 1 to 70 characters',
      { 'Content-Type': 'multipart/form-data' },
    ],
    ...[
      'multipart/form-data; boundary=b; boundary=c',
      'multipart/form-data; boundary=c; Boundary=b',
      'multipart/form-data; boundary="b',
    ].map((type): [string, string, string, Record<string, string>] => [
      `of the type ${type}`,
      named('caption', 'a') + END,
      'header/Content-Type must have one boundary',
      { 'Content-Type': type },
    ]),
    ...[
      'name=caption; name=b',
      'name=caption; NAME="b"',
      'name=caption; filename="x',
      'name=caption; filename=a; filename=b',
      'name="caption"b',
    ].map((parameters): [string, string, string] => [
      `with the parameters ${parameters}`,
      part(`Content-Disposition: form-data; ${parameters}`, 'a') + END,
      'a part has a Content-Disposition that is malformed, or has a parameter twice',
    ]),
    ['with another boundary', named('caption', 'a').replaceAll('--b', '--c'), 'the body ends before its last boundary'],
    ['that begins with something else', 'x'.repeat(2000), 'the body does not begin with the boundary'],
    ['without its end', named('caption', 'a'), 'the body ends before its last boundary'],
    ['cut off within a boundary', `${named('caption', 'a')}--b-`, 'the body ends before its last boundary'],
    ['that goes on after its end', named('caption', 'a') + END + 'x'.repeat(2000), 'the body goes on after its last boundary'],
    ['with a boundary that goes on', `--bc\r\n\r\n\r\n${END}`, 'a boundary of the body is followed by neither a line break nor --'],
    ['with a part without a name', part('Content-Type: text/plain') + END, 'a part has no Content-Disposition'],
    [
      'with a part of another disposition',
      part('Content-Disposition: attachment; name=a') + END,
      'a part has no Content-Disposition: form-data',
    ],
    [
      'with endless header fields',
      `--b\r\nContent-Disposition: form-data; name=caption\r\nx: ${'y'.repeat(20_000)}`,
      'the header fields of a part are larger than 8192 bytes',
    ],
    [
      'with many header fields',
      part(`Content-Disposition: form-data; name=caption${'\r\nx: y'.repeat(20)}`) + END,
      'a part has more than 16 header fields',
    ],
    [
      'with a header field twice',
      part('Content-Disposition: form-data; name=caption\r\ncontent-disposition: form-data; name=b') + END,
      'more than once',
    ],
    [
      'with a folded header field',
      part('Content-Disposition: form-data;\r\n name=caption') + END,
      'a part has a header field that is malformed',
    ],
    [
      'with a transfer encoding',
      part('Content-Disposition: form-data; name=caption\r\nContent-Transfer-Encoding: base64', 'YQ==') + END,
      'must be sent without Content-Transfer-Encoding',
    ],
    ['with a control character in a name', named('a\tb') + END, 'the name of a part is longer than 256 characters or has control'],
    ['with a long name', named('n'.repeat(300)) + END, 'the name of a part is longer than 256 characters'],
    [
      'with a line break in a filename',
      part('Content-Disposition: form-data; name=caption; filename="a%0D%0Ab"') + END,
      'the filename of body/caption is longer than 1024 characters or has control',
    ],
    ['with a million parts', named('tags', 'ab').repeat(1001) + END, 'body must have at most 1000 parts'],
    ['that is not UTF-8', named('caption', '\xff') + END, 'body/caption is not UTF-8'],
  ])('%s is 400', async (_, text, message, headers = TYPE) => {
    const response = await fetch(`${app.url}/fields`, { method: 'POST', body: Buffer.from(text, 'latin1'), headers });
    expect([response.status, (await response.json()) as object]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ]);
    expect(calls).toBe(0);
  });
});

describe('what is exactly at a bound is accepted', () => {
  test.each(['/photos', '/spooled'])('a file of as many bytes as it may have at most, and at least: %s', async (path) => {
    for (const length of [100_000, 3]) expect((await send(path, form(caption, ['photo', png('a'.repeat(length)), 'a'])))[0]).toBe(200);
  });

  test.each<[string, string, string]>([
    ['1000 parts', '/texts', named('text', 'ab').repeat(1000)],
    ['a name of 256 characters', '/open', named('n'.repeat(256), '1')],
    [
      '16 header fields',
      '/fields',
      part(`Content-Disposition: form-data; name=caption${Array.from({ length: 15 }, (_, i) => `\r\nx${i}: y`).join('')}`),
    ],
  ])('%s', async (_, path, text) => {
    expect(await send(path, text + END, TYPE)).toMatchObject([200, {}]);
  });
});

describe('a client', () => {
  const HEAD = `POST /photos HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n`;
  const FILE = part('Content-Disposition: form-data; name="photo"; filename="a"\r\nContent-Type: image/png').slice(0, -2);

  test('that goes away in a file fails the stream, and the handler is not left waiting', async () => {
    let failed: unknown;
    handler = async ({ files }, reply) => {
      try {
        for await (const file of files ?? []) await describeFile(file);
      } catch (error) {
        failed = error;
        throw error;
      }
      return reply(200, { body: {} });
    };
    const client = await rawClient(app.url);
    client.write(HEAD + named('caption', 'a') + FILE + 'abc');
    await until(() => calls === 1);
    client.socket.destroy();
    await until(() => failed !== undefined);
    expect((failed as Error).message).toBe('body is shorter or longer than Content-Length says');
  });

  test('that sends its parts byte by byte is served as any other', async () => {
    const text = named('caption', 'ab\r\n--\r\n-b') + FILE + '\r\n--\r' + 'abc\r\n' + END;
    const client = await rawClient(app.url);
    client.write(HEAD.replace('5000', String(Buffer.byteLength(text))));
    for (const byte of text) client.write(byte);
    expect(await client.status()).toBe(200);
    client.socket.destroy();
  });
});

describe('a contract', () => {
  const problemsIn = async (operation: string): Promise<string> =>
    (await problemsOf(`paths: { /a: { post: { operationId: a, ${operation}, ${OK} } } }`)).join('; ');

  test.each([
    ['x-multipart: disk,', PHOTO, 'x-multipart must be spool or stream, not "disk"'],
    ['encoding: { foto: { contentType: image/png } },', PHOTO, 'encoding names foto, which is no property of the schema'],
    ['', 'photo: { type: string, format: binary, x-max-bytes: 0 }', 'x-max-bytes of photo must be a number of bytes'],
  ])('with %s %s is refused', async (rest, properties, message) => {
    expect(await problemsIn(body(properties, '', rest))).toContain(message);
  });

  test('with streamed files and an Idempotency-Key is refused unless it requires a digest', async () => {
    const key = 'parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]';
    const digest = key.replace(']', ', { name: Content-Digest, in: header, required: true, schema: { type: string } }]');
    expect(await problemsIn(`${key}, ${body(PHOTO, '', STREAM)}`)).toContain('a streamed body with an Idempotency-Key');
    expect(await problemsIn(`${digest}, ${body(PHOTO, '', STREAM)}`)).toBe('');
    expect(await problemsIn(`${key}, ${body(PHOTO)}`)).toBe('');
    expect(await problemsIn(`${key}, ${body(PHOTO, '', 'x-multipart: spool,')}`)).toBe('');
    expect(await problemsIn(`${key}, ${body('caption: { type: string }')}`)).toBe('');
  });
});
