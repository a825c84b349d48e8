/** Express handlers beside plain ones: the same operation, written both ways, is answered with the same bytes. */
import { connect, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@specwright/server';
import { until, withApp } from 'specwright/testing';
import { HANDLER_STYLES, RESPONSES, pet, removeFiles, untyped, type HandlerStyles } from '../support/handler-styles.ts';
import { serve } from '../support/serve.ts';

afterAll(removeFiles);
const names = Object.keys(HANDLER_STYLES);
const OTHERS = ['twice', 'failsAfterwards', 'next', 'never', 'both'];
const operation = (operationId: string) => ({
  operationId,
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } }],
  responses: RESPONSES,
});
const paths = Object.fromEntries(
  [...names.flatMap((_, i) => [`plain${i}`, `express${i}`]), ...OTHERS].map((id) => [
    `/${id}`,
    { get: operation(`get_${id}`), post: operation(`post_${id}`) },
  ]),
);

const app = withApp(() =>
  serve(`paths: ${JSON.stringify(paths)}\n`, {
    requestTimeoutMs: 1000,
    handlers: {
      ...Object.fromEntries(
        Object.values(HANDLER_STYLES).flatMap((each, i) =>
          ['get', 'post'].flatMap((method) => [
            [`${method}_plain${i}`, each.plain] as const,
            [`${method}_express${i}`, untyped(each.express)] as const,
          ]),
        ),
      ),
      get_twice: untyped((_, res) => res.json(pet).json({ ...pet, name: 'again' })),
      get_failsAfterwards: untyped(async (_, res) => void res.json(pet).set('ETag', '"1"')),
      get_next: untyped((_req, _res, next) => next()),
      get_never: untyped(async () => undefined),
      get_both: untyped((_req, res, next) => {
        next(new AppError('not_found', 'no such pet'));
        res.json(pet);
      }),
    },
  }),
);

/** What comes back, to the letter, without the date. */
async function send(path: string, { method = 'GET', headers = {} }: Pick<HandlerStyles, 'method' | 'headers'> = {}): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const fields = Object.entries({ Host: 'localhost', 'X-Request-Id': 'r', Connection: 'close', ...headers });
  socket.write(`${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r\nDate: [^\r]*/, '');
}

/** What was logged since, without what differs from request to request. */
function logged() {
  const lines = app.log.splice(0).filter(({ message }) => message !== 'answered');
  return lines.map(({ level, message, err }) => ({ level, message: message.replace(/_(plain|express)\d+/g, ''), err: String(err) }));
}

describe('an Express handler sends the bytes of the plain one', () => {
  test.each(names)('%s', async (name) => {
    const each = HANDLER_STYLES[name] as HandlerStyles;
    const i = names.indexOf(name);
    const plain = await send(`/plain${i}`, each);
    const plainLog = logged();
    expect(plain).toMatch(new RegExp(`^HTTP/1.1 ${each.status} `));
    expect(plain).toContain(each.says ?? '');
    expect(await send(`/express${i}`, each)).toBe(plain);
    expect(JSON.stringify(logged()).replaceAll(`_express${i}`, '')).toBe(JSON.stringify(plainLog).replaceAll(`_plain${i}`, ''));
  });
});

describe('an Express handler that does not end a request once', () => {
  test('is answered with its first response, and the log says that there was a second', async () => {
    expect(await send('/twice')).toMatch(/^HTTP\/1.1 200 [^]*"Rex"/);
    expect(logged()).toEqual([
      { level: 'error', message: 'the handler of get_twice answered twice: the second response is not sent', err: 'undefined' },
    ]);
  });

  test('is answered with its response if it fails afterwards, and the error is logged', async () => {
    expect(await send('/failsAfterwards')).toMatch(/^HTTP\/1.1 200 /);
    expect(logged()).toEqual([
      {
        level: 'error',
        message: 'the handler of get_failsAfterwards failed after it had ended the request',
        err: expect.stringContaining('ERR_HTTP_HEADERS_SENT'),
      },
    ]);
  });

  test('is answered with its error if it answers afterwards, and the log says so', async () => {
    expect(await send('/both')).toMatch(/^HTTP\/1.1 404 /);
    expect(logged()).toMatchObject([
      { level: 'error', message: 'the handler of get_both answered after it had failed: the response is not sent' },
    ]);
  });

  test('is answered 500 if it calls next without an error', async () => {
    expect(await send('/next')).toMatch(/^HTTP\/1.1 500 /);
    expect(logged()).toMatchObject([{ level: 'error', err: expect.stringContaining('the handler of get_next has called next()') }]);
  });

  test('is answered 503 when its deadline has passed, and the log says that it has not answered', async () => {
    expect(await send('/never')).toMatch(/^HTTP\/1.1 503 /);
    await until(() => app.log.some(({ err }) => String(err).includes('the handler of get_never has not answered')));
    expect(app.log.splice(0)).toContainEqual(expect.objectContaining({ message: 'failed after its deadline' }));
  });
});
