/** Downloads: streams of bytes with their length, name, ranges and conditions, and what happens when one fails or nobody reads it. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HandlerResponse, type ByteRange } from '@specwright/server';
import { express } from '@specwright/server/express';
import { until, withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const file = (id: string, responses: string) => `  /${id}:
    get:
      operationId: ${id}
      responses:
        '200': { description: ok, headers: { ETag: { schema: { type: string } }, Last-Modified: { schema: { type: string } } }, content: { ${responses} } }
        '206': { description: part, headers: { ETag: { schema: { type: string } }, Last-Modified: { schema: { type: string } } }, content: { ${responses} } }
        '304': { description: not modified, headers: { ETag: { schema: { type: string } }, Last-Modified: { schema: { type: string } } } }
`;
const YAML = `paths:
${file('file', 'image/png: {}')}${file('table', 'text/csv: {}')}${file('broken', 'application/octet-stream: {}')}${file('json', 'application/json: { schema: { type: object } }')}  /express:
    get:
      operationId: express
      responses:
        '200': { description: ok, headers: { Accept-Ranges: { schema: { type: string } } }, content: { text/plain: {} } }
        '206': { description: part, headers: { Accept-Ranges: { schema: { type: string } }, Content-Range: { schema: { type: string } } }, content: { text/plain: {} } }
`;

const TEXT = '0123456789';
const DATE = 'Wed, 21 Oct 2015 07:28:00 GMT';
const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
const path = join(folder, 'file');
await writeFile(path, TEXT);
afterAll(() => rm(folder, { recursive: true }));

let opened: (ByteRange | undefined)[];
let source: Readable | undefined;
let broken: () => object;
beforeEach(() => {
  opened = [];
});
const app = withApp(() =>
  serve(YAML, {
    handlers: {
      file: () =>
        HandlerResponse.reply(200, {
          headers: { ETag: '"v1"', 'Last-Modified': DATE },
          filename: 'naïve "pet".png',
          length: TEXT.length,
          stream: (range) => {
            opened.push(range);
            return createReadStream(path, range);
          },
        }),
      table: () =>
        HandlerResponse.reply(200, {
          disposition: 'inline',
          stream: (async function* () {
            yield 'a,b\n';
            yield Buffer.from('1,2\n');
          })(),
        }),
      broken: () => HandlerResponse.reply(200, broken()),
      express: express(((_: unknown, res: { sendFile: (path: string) => void }) => res.sendFile(path)) as never),
      json: () => HandlerResponse.reply(200, { stream: (source = Readable.from(['{}'])) }),
    },
  }),
);

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly isWhole: boolean;
}

const get = (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(app.url + target, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('close', () => resolve({ status: response.statusCode, headers: response.headers, text, isWhole: response.complete }));
      response.on('error', () => undefined);
    })
      .on('error', reject)
      .end();
  });

describe('a whole download', () => {
  test('has its type, length and name, and says that ranges are served', async () => {
    const { status, headers, text } = await get('/file');
    expect([status, text]).toEqual([200, TEXT]);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="na?ve \\"pet\\".png"; filename*=UTF-8''na%C3%AFve%20%22pet%22.png`,
      etag: '"v1"',
    });
  });

  test('of unknown length is sent in chunks, of text too', async () => {
    const { headers, text } = await get('/table');
    expect(text).toBe('a,b\n1,2\n');
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': 'text/csv', 'content-disposition': 'inline' });
    expect(headers['accept-ranges']).toBeUndefined();
  });

  test('is not opened for HEAD, nor for a client that has it', async () => {
    const head = await get('/file', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '10', '']);
    for (const condition of [{ 'If-None-Match': 'W/"v1", "v0"' }, { 'If-Modified-Since': DATE }] as Record<string, string>[]) {
      const { status, headers } = await get('/file', condition);
      expect([status, headers.etag, headers['content-disposition']]).toEqual([304, '"v1"', undefined]);
    }
    expect(opened).toEqual([]);
  });

  test('that was opened is closed if nobody gets it: of HEAD, of a client that has it, and that goes away before the first bytes', async () => {
    let source = new Readable({ read: () => undefined });
    const headers = { ETag: '"v1"' };
    broken = () => ({ headers, stream: (source = new Readable({ read: () => undefined })) });
    expect((await get('/broken', {}, 'HEAD')).status).toBe(200);
    expect(source.destroyed).toBe(true);
    expect((await get('/broken', { 'If-None-Match': '"v1"' })).status).toBe(304);
    expect(source.destroyed).toBe(true);
    const before = source;
    const sent = request(app.url + '/broken', { agent: false }).on('error', () => undefined);
    sent.end();
    await until(() => source !== before);
    expect(source.destroyed).toBe(false);
    sent.destroy();
    await until(() => source.destroyed);
  });
});

describe('a range', () => {
  test.each<[range: string, text: string, contentRange: string]>([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=5-100', '56789', 'bytes 5-9/10'],
    ['bytes=-5000', TEXT, 'bytes 0-9/10'],
    ['bytes=-10', TEXT, 'bytes 0-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
    ['bytes=0-99999999999999999999', TEXT, 'bytes 0-9/10'],
    ['bytes= ,0-1 , 10-', '01', 'bytes 0-1/10'],
  ])('%s is sent as 206, and nothing else is opened', async (range, text, contentRange) => {
    const answer = await get('/file', { Range: range });
    expect([answer.status, answer.text]).toEqual([206, text]);
    expect(answer.headers).toMatchObject({ 'content-range': contentRange, 'content-length': String(text.length) });
    expect(opened).toHaveLength(1);
  });

  test.each(['bytes=10-', 'bytes=20-30', 'bytes=-0', 'bytes=0-1,4-5', 'bytes=99999999999999999998-99999999999999999999'])(
    '%s is 416, with the length',
    async (range) => {
      const { status, headers, text } = await get('/file', { Range: range });
      expect([status, headers['content-range']]).toEqual([416, 'bytes */10']);
      expect(JSON.parse(text)).toMatchObject({ code: 'range_not_satisfiable', status: 416 });
      expect(opened).toEqual([]);
    },
  );

  test.each([
    ['another unit', { Range: 'lines=1-2' }],
    ['a malformed one', { Range: 'bytes=a-b' }],
    ['an end before its start', { Range: 'bytes=9-1' }],
    ['one such of several', { Range: 'bytes=0-1,9-1' }],
    ['large numbers, the end before the start', { Range: 'bytes=99999999999999999999-99999999999999999998' }],
    ['nothing', { Range: 'bytes=' }],
    ['only a hyphen', { Range: 'bytes=-' }],
    ['a copy of another version', { Range: 'bytes=0-3', 'If-Range': '"v0"' }],
    ['a weak copy', { Range: 'bytes=0-3', 'If-Range': 'W/"v1"' }],
    ['an older copy', { Range: 'bytes=0-3', 'If-Range': 'Wed, 21 Oct 2014 07:28:00 GMT' }],
  ])('of %s is ignored', async (_, headers) => {
    const { status, text } = await get('/file', headers);
    expect([status, text]).toEqual([200, TEXT]);
  });

  test.each(['"v1"', DATE])('of the same version (%s) is sent', async (ifRange) => {
    expect((await get('/file', { Range: 'bytes=0-3', 'If-Range': ifRange })).status).toBe(206);
  });
});

test('of HEAD is ignored, that of an Express handler too', async () => {
  for (const path of ['/file', '/express']) {
    const { status, headers } = await get(path, { Range: 'bytes=0-3' }, 'HEAD');
    expect([status, headers['content-length'], headers['content-range']]).toEqual([200, '10', undefined]);
  }
  expect((await get('/express', { Range: 'bytes=0-3' })).status).toBe(206);
});

describe('conditions', () => {
  const [BEFORE, AFTER] = ['Wed, 21 Oct 2015 07:27:59 GMT', 'Wed, 21 Oct 2015 07:28:01 GMT'];

  test.each<[status: number, headers: Record<string, string>]>([
    [200, { 'If-Match': '"v1"' }],
    [200, { 'If-Match': '"v0", "v1"' }],
    [200, { 'If-Match': '*' }],
    [412, { 'If-Match': '"v0"' }],
    [412, { 'If-Match': 'W/"v1"' }],
    [412, { 'If-Match': '"v0"', 'If-None-Match': '"v1"' }],
    [412, { 'If-Match': '"v0"', Range: 'bytes=0-3' }],
    [206, { 'If-Match': '"v1"', Range: 'bytes=0-3' }],
    [304, { 'If-Match': '"v1"', 'If-None-Match': '"v1"' }],
    [200, { 'If-Match': '"v1"', 'If-Unmodified-Since': BEFORE }],
    [200, { 'If-Unmodified-Since': DATE }],
    [200, { 'If-Unmodified-Since': AFTER }],
    [200, { 'If-Unmodified-Since': 'yesterday' }],
    [412, { 'If-Unmodified-Since': BEFORE }],
    [412, { 'If-Unmodified-Since': BEFORE, 'If-None-Match': '"v1"' }],
    [200, { 'If-None-Match': '"v0"', 'If-Modified-Since': DATE }],
    [304, { 'If-Modified-Since': AFTER }],
    [200, { 'If-Modified-Since': BEFORE }],
    [200, { 'If-Modified-Since': 'yesterday' }],
    [304, { 'If-None-Match': '"v1"', Range: 'bytes=0-3' }],
  ])('are evaluated in the order of RFC 9110, section 13.2.2: %i for %p', async (status, headers) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('/file', headers, method);
      expect(answer.status).toBe(method === 'HEAD' && status === 206 ? 200 : status);
      if (status !== 412) continue;
      expect(opened).toEqual([]);
      expect([answer.headers['content-disposition'], answer.headers['accept-ranges'], answer.headers.etag].filter(Boolean)).toEqual([]);
      if (method === 'GET') expect(JSON.parse(answer.text)).toMatchObject({ code: 'precondition_failed', status: 412 });
    }
  });

  test('on what a response does not have are ignored', async () => {
    const conditions: Record<string, string>[] = [{ 'If-Match': '"v0"' }, { 'If-Unmodified-Since': BEFORE }, { 'If-None-Match': '"v0"' }];
    for (const headers of conditions) expect((await get('/table', headers)).status).toBe(200);
  });
});

describe('a download that fails', () => {
  const last = (message: string) => app.log.filter((line) => line.message === message).length;

  test('before its first byte is an error of the contract', async () => {
    broken = () => ({ stream: () => createReadStream(join(folder, 'missing')) });
    expect((await get('/broken')).status).toBe(500);
    broken = () => ({
      stream: () => {
        throw new Error('there is no storage');
      },
    });
    expect((await get('/broken')).status).toBe(500);
  });

  test.each<[what: string, response: () => object]>([
    [
      'in the middle',
      () => ({
        stream: Readable.from(
          (function* () {
            yield 'abc';
            throw new Error('the disk is gone');
          })(),
          { objectMode: false },
        ),
      }),
    ],
    ['because it is shorter than its length', () => ({ length: 10, stream: Readable.from(['abc'], { objectMode: false }) })],
    ['because it is longer than its length', () => ({ length: 2, stream: Readable.from(['ab', 'c'], { objectMode: false }) })],
  ])('%s is cut off, so that no client takes it for whole, and logged', async (_, response) => {
    broken = response;
    const before = last('the download was cut off');
    const { isWhole } = await get('/broken').catch(() => ({ isWhole: false }));
    expect(isWhole).toBe(false);
    expect(last('the download was cut off')).toBe(before + 1);
  });

  test('to fit its media type is refused, and its source closed', async () => {
    expect((await get('/json')).status).toBe(500);
    expect(source?.destroyed).toBe(true);
  });

  test('because its client went away closes its source, and reads no more than fits', async () => {
    let read = 0;
    const endless = new Readable({
      read() {
        read += 65_536;
        this.push(Buffer.alloc(65_536));
      },
    });
    broken = () => ({ stream: endless });
    await new Promise<void>((resolve) => {
      const sent = request(`${app.url}/broken`, (response) => {
        response.pause();
        void sleep(100).then(() => {
          sent.destroy();
          resolve();
        });
      });
      sent.on('error', () => undefined).end();
    });
    for (let i = 0; i < 100 && !endless.destroyed; i++) await sleep(20);
    expect(endless.destroyed).toBe(true);
    expect(read).toBeLessThan(32 * 1024 * 1024);
  });
});
