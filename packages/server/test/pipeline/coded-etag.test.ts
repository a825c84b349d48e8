/** Responses that may be compressed: each coding has its ETag, conditions know them all, and caches are told what they depend on. */
import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { HandlerResponse, precondition, replyWithRecord } from '@specwright/server';
import { express } from '@specwright/server/express';
import { withApp } from 'specwright/testing';
import { codedTag, withoutCodings } from '../../src/http/coded-tags.ts';
import { serve } from '../support/serve.ts';

const READ = (id: string) => `    get:
      operationId: ${id}
      parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]
      responses:
        '200': { description: ok, headers: { ETag: { schema: { type: string, pattern: '^(W/)?"[!#-~]*"$' } }, Content-Digest: { schema: { type: string } }, Vary: { schema: { type: string } } }, content: { application/json: { schema: { type: string } } } }
        '304': { description: not modified, headers: { ETag: { schema: { type: string } } } }
`;
const YAML = `paths:
  /record:
${READ('get')}    put:
      operationId: put
      parameters: [{ name: If-Match, in: header, schema: { type: string } }]
      responses: { '204': { description: ok }, '412': { description: no, content: { application/json: { schema: { type: object } } } } }
  /weak:
${READ('weak')}  /small:
${READ('small')}  /digest:
${READ('digest')}  /varies:
${READ('varies')}  /express:
${READ('inExpress')}`;

const LONG = 'ab'.repeat(1000);
const stored = { version: '7', record: LONG };
type Headers = Record<'If-Match' | 'If-None-Match', string | undefined>;
const reply = (headers: object, body = LONG) => HandlerResponse.reply(200, { headers: headers as never, body });

const app = withApp(() =>
  serve(YAML, {
    compression: true,
    handlers: {
      get: ({ headers }: { headers: Headers }) => replyWithRecord(HandlerResponse.reply as never, headers, stored as never),
      put: ({ headers }: { headers: Headers }) =>
        precondition(headers)?.('7') === false ? HandlerResponse.reply(412, { body: {} }) : HandlerResponse.reply(204),
      weak: () => reply({ ETag: 'W/"7"' }),
      small: () => reply({ ETag: '"7"' }, 'a'),
      digest: () => reply({ ETag: '"7"', 'Content-Digest': 'sha-256=:YQ==:' }),
      varies: () => reply({ vary: 'accept-encoding, Accept' }),
      inExpress: express(((_: unknown, res: { set: (name: string, value: string) => { json: (body: unknown) => void } }) =>
        res.set('ETag', '"7"').json(LONG)) as never),
    },
  }),
);

interface Answer {
  readonly status: number | undefined;
  readonly etag: string | undefined;
  readonly coding: string | undefined;
  readonly vary: string | undefined;
}

/** `fetch` hides the coding. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(app.url + path, { method, headers }, (response) => {
      const { etag: tag, vary, 'content-encoding': coding } = response.headers;
      response.resume().on('end', () => resolve({ status: response.statusCode, etag: tag, coding, vary }));
    })
      .on('error', reject)
      .end();
  });

describe('a strong ETag', () => {
  test.each(['/record', '/express'])('of %s is another for each coding (RFC 9110, section 8.8.3.3)', async (path) => {
    const answers = [await ask(path), await ask(path, { 'Accept-Encoding': 'gzip' }), await ask(path, { 'Accept-Encoding': 'br' })];
    expect(answers.map(({ etag: tag, coding, vary }) => [tag, coding, vary])).toEqual([
      ['"7"', undefined, 'Accept-Encoding'],
      ['"7--gzip"', 'gzip', 'Accept-Encoding'],
      ['"7--br"', 'br', 'Accept-Encoding'],
    ]);
  });

  test.each<[status: number, tags: string, accept: string, etag: string | undefined]>([
    [304, '"7--gzip"', 'gzip', '"7--gzip"'],
    [304, 'W/"7--gzip"', 'gzip', '"7--gzip"'],
    [304, '"6", "7--br"', 'br, gzip', '"7--br"'],
    [304, '"7"', 'gzip', '"7"'],
    [304, '"7"', 'identity', '"7"'],
    [304, '*', 'gzip', '"7"'],
    // What the client has is in a coding that it does not accept any more.
    [200, '"7--br"', 'gzip', '"7--gzip"'],
    [200, '"7--br"', 'identity', '"7"'],
    [200, '"6--gzip"', 'gzip', '"7--gzip"'],
  ])(
    'makes a read %i for If-None-Match: %s, Accept-Encoding: %s, with the tag of what the client has',
    async (status, tags, accept, tag) => {
      for (const path of ['/record', '/express']) {
        const answer = await ask(path, { 'If-None-Match': tags, 'Accept-Encoding': accept });
        expect([answer.status, answer.etag]).toEqual([status, tag]);
        if (status === 304 && tag !== '"7"') expect(answer.vary).toBe('Accept-Encoding');
      }
    },
  );

  test.each<[status: number, tags: string]>([
    [204, '"7"'],
    [204, '"7--gzip"'],
    [204, '"7--br"'],
    [204, '"6", "7--br"'],
    [204, '*'],
    [412, '"6--gzip"'],
    [412, 'W/"7--gzip"'],
    [412, '"7--zip"'],
  ])('in whatever coding it was read makes a write %i by If-Match: %s', async (status, tags) => {
    for (const accept of ['gzip', 'identity']) {
      const answer = await ask('/record', { 'If-Match': tags, 'Accept-Encoding': accept }, 'PUT');
      expect(answer.status).toBe(status);
    }
  });
});

test('a weak ETag says nothing of bytes and stays, as one of a body that is not compressed does', async () => {
  expect(await ask('/weak', { 'Accept-Encoding': 'br' })).toMatchObject({ etag: 'W/"7"', coding: 'br' });
  expect(await ask('/small', { 'Accept-Encoding': 'br' })).toMatchObject({ etag: '"7"', coding: undefined, vary: undefined });
  expect(await ask('/digest', { 'Accept-Encoding': 'br' })).toMatchObject({ etag: '"7"', coding: undefined });
});

test('Vary names Accept-Encoding once', async () => {
  expect((await ask('/varies')).vary).toBe('accept-encoding, Accept');
  expect((await ask('/varies', { 'Accept-Encoding': 'br' })).vary).toBe('accept-encoding, Accept');
});

test.each(['"1"', '""', '"a--gzip"', '"a-b--c"'])('the tag %s in a coding is itself again without it', (tag) => {
  expect(withoutCodings(codedTag(tag, 'br'), ['br'])).toBe(tag);
  expect(codedTag(tag, 'br')).not.toBe(tag);
});
