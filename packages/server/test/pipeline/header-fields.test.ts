/** Header fields of responses: one value, whatever the spelling and whoever writes them; none of the content on an error. */
import type { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { AppError, FRAMEWORK_ERRORS, HandlerResponse, HeaderFields } from '@specwright/server';
import { express } from '@specwright/server/express';
import { createTestLog, withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

describe('a field', () => {
  test('is the same in any case, and is sent in the spelling of the first who wrote it', () => {
    const fields = HeaderFields.of({ 'Cache-Control': 'no-store' }).set('cache-control', 'public').set('CACHE-CONTROL', 'private');
    expect([fields.list, fields.get('cache-Control'), fields.has('cachE-control'), fields.size]).toEqual([
      ['Cache-Control', 'private'],
      'private',
      true,
      1,
    ]);
    expect(fields.delete('cache-control').list).toEqual([]);
  });

  test.each([
    ['X-A', 'X-B'],
    ['a@', 'a`'],
    ['a[', 'a{'],
    ['ab', 'abc'],
  ])('%p is not %p', (one, other) => expect(HeaderFields.of({ [one]: '1' }).has(other)).toBe(false));

  test('that is a list is added to by a merge, and any other replaced', () => {
    const former = HeaderFields.of({ Link: '<a>', Vary: 'Origin', 'Set-Cookie': ['a=1', 'b=2'], ETag: '"1"' });
    expect(
      former.with({ link: '<b>', vary: 'origin, Accept', 'set-cookie': ['c=3'], etag: '"2"', 'X-None': undefined, 'X-Count': 1n }).list,
    ).toEqual([
      ...[
        'Link',
        '<a>, <b>',
        'Vary',
        'Origin, Accept',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'ETag',
        '"2"',
        'set-cookie',
        'c=3',
        'X-Count',
        '1',
      ],
    ]);
    expect(former.size).toBe(5);
  });

  test('takes the place of a former one among several that are set at once, of whatever lengths', () =>
    expect(HeaderFields.of({ 'X-AA': '1', 'X-B': '2' }).setAll(['x-b', '3', 'X-BB', '4', 'X-CC', '5']).setAll(['X-CC', '6']).list).toEqual([
      'X-AA',
      '1',
      'X-B',
      '3',
      'X-BB',
      '4',
      'X-CC',
      '6',
    ]));

  test('that is a list takes several values into one', () =>
    expect(HeaderFields.of({ Link: '<a>' }).with({ link: ['<b>', '<c>'] }).list).toEqual(['Link', '<a>, <b>, <c>']));

  test('of several values keeps the position of the one that it replaces', () =>
    expect(HeaderFields.of({ 'X-A': '1', 'X-B': '2' }).with({ 'x-a': ['3', '4'] }).list).toEqual(['X-A', '3', 'X-B', '2', 'x-a', '4']));
});

const HEADERS =
  'headers: { cache-control: { schema: { type: string } }, link: { schema: { type: string } }, VARY: { schema: { type: string } }, set-cookie: { schema: { type: string } } }';
const FILE = `content: { application/pdf: {} }`;
const YAML = `paths:
  /lower:
    get:
      operationId: lower
      security: [{ key: [] }]
      responses: { '200': { description: ok, ${HEADERS}, content: { application/json: { schema: { type: object } } } } }
  /express:
    get:
      operationId: inExpress
      security: [{ key: [] }]
      responses: { '200': { description: ok, ${HEADERS}, content: { application/json: { schema: { type: object } } } } }
  /file:
    get:
      operationId: file
      responses:
        '200': { description: ok, headers: { ETag: { schema: { type: string } }, Last-Modified: { schema: { type: string } } }, ${FILE} }
        '206': { description: part, headers: { ETag: { schema: { type: string } }, Last-Modified: { schema: { type: string } } }, ${FILE} }
        '409': { description: no, content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`;
const OWN = { 'cache-control': 'public', link: '</b>; rel="next"', VARY: 'Accept', 'set-cookie': ['a=1', 'b=2'] };
let open: () => ReturnType<typeof createReadStream>;

const app = withApp(() =>
  serve(YAML, {
    handlers: {
      lower: () => HandlerResponse.reply(200, { headers: OWN, body: {} }),
      inExpress: express(((_: unknown, res: { set: (fields: object) => { json: (body: object) => void } }) => {
        res.set(OWN).json({});
      }) as never),
      file: () =>
        HandlerResponse.reply(200, {
          length: 10,
          filename: 'report.pdf',
          stream: () => open(),
          headers: { ETag: '"1"', 'Last-Modified': new Date(0).toUTCString() },
        }),
    },
    security: { key: () => ({}) },
    steps: {
      before: [
        ({ headers }) =>
          void headers.append('Link', '</a>; rel="up"').append('Set-Cookie', 'z=0').set('Content-Security-Policy', "default-src 'none'"),
      ],
    },
    cors: { origins: ['https://app.example'] },
    errors: { statuses: { ...FRAMEWORK_ERRORS, conflict: 409 } },
    log: createTestLog([]),
  }),
);

/** The fields as they were sent. */
const rawOf = (path: string, headers: object = {}): Promise<{ status: number | undefined; raw: [string, string][] }> =>
  new Promise((resolve, reject) => {
    request(app.url + path, { headers: { 'X-Key': 'a', Origin: 'https://app.example', ...headers } }, (response) => {
      response.resume().on('end', () => {
        const raw = response.rawHeaders.flatMap((name, i): [string, string][] =>
          i % 2 === 0 ? [[name, response.rawHeaders[i + 1] as string]] : [],
        );
        resolve({ status: response.statusCode, raw });
      });
    })
      .on('error', reject)
      .end();
  });

test.each(['/lower', '/express'])(
  '%s: a header that the contract declares in lower case goes out once, and lists are one',
  async (path) => {
    const { status, raw } = await rawOf(path);
    const valuesOf = (name: string) => raw.filter(([sent]) => sent.toLowerCase() === name).map(([, value]) => value);
    expect(status).toBe(200);
    expect([valuesOf('cache-control'), valuesOf('link'), valuesOf('vary'), valuesOf('set-cookie')]).toEqual([
      ['public'],
      ['</a>; rel="up", </b>; rel="next"'],
      ['Origin, Accept'],
      ['z=0', 'a=1', 'b=2'],
    ]);
  },
);

test.each([
  ['500', 500, () => new Error('the disk is gone')],
  ['error of the contract', 409, () => new AppError('conflict', 'no')],
])('a download that fails is an %s without a field of its content, and with all others', async (_, status, failure) => {
  open = () => {
    throw failure();
  };
  for (const range of [{}, { Range: 'bytes=0-3' }]) {
    const answer = await rawOf('/file', range);
    const names = answer.raw.map(([name]) => name.toLowerCase());
    expect(answer.status).toBe(status);
    for (const name of ['content-range', 'content-disposition', 'accept-ranges', 'etag', 'last-modified'])
      expect(names).not.toContain(name);
    expect(names).toEqual(
      expect.arrayContaining([
        'content-type',
        'content-length',
        'x-request-id',
        'vary',
        'access-control-allow-origin',
        'content-security-policy',
        'link',
      ]),
    );
    expect(answer.raw.find(([name]) => name === 'Content-Type')?.[1]).toBe('application/json');
  }
});
