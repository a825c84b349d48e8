/** An error that was answered before has the same bytes again: its body was validated and written for the first, its headers are for each. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Request } from 'express';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createServer, HandlerResponse, type Contract, type ServerOptions } from '@specwright/server';
import { AppError, FRAMEWORK_ERRORS, type AppErrorOptions } from '@specwright/contract/runtime';
import { listenOnFreePort, type ListeningServer, type LogLine } from 'specwright/testing';
import { headOf, parseRaw } from '../support/raw-request.ts';
import { optionsOf, type GivenOptions } from '../support/serve.ts';

interface Thrown extends AppErrorOptions {
  readonly code: string;
  readonly message: string;
}

let apps: ListeningServer[] = [];
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
  apps = [];
});

/** As JSON of ASCII. */
const escaped = (value: object) =>
  JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A server whose requests end with an error, one after the other: before the handler, or in it. */
async function start(yaml: string, given: GivenOptions = {}) {
  const log: LogLine[] = [];
  const raise = ({ code, message, ...options }: Thrown) => {
    throw new AppError(code, message, options);
  };
  let late: Thrown | undefined;
  const handler = () => {
    if (late !== undefined) raise(late);
    return HandlerResponse.reply(200);
  };
  const raiseEarly = ({ request }: { readonly request: Pick<Request, 'headers'> }) => {
    const early = request.headers['x-throw'];
    if (early !== undefined) raise(JSON.parse(String(early)) as Thrown);
  };
  const base = await optionsOf(yaml, given, log);
  const { operations } = base.contract as Contract;
  const validated = operations.map((operation) => jest.spyOn(operation, 'validateContent'));
  const options: ServerOptions<never, unknown> = {
    ...base,
    handlers: Object.fromEntries(operations.map(({ id }) => [id, handler])) as never,
    steps: { before: [raiseEarly] },
  };
  const app = await listenOnFreePort(createServer(options));
  apps.push(app);
  return {
    operations,
    log,
    /** How many bodies of errors were validated. */
    validated: () => validated.reduce((sum, { mock }) => sum + mock.calls.length, 0),
    /** @returns the answers, whole; sent on one connection, of which nothing is left after the last one. */
    async send(errors: readonly Thrown[], { method = 'GET', path = '/a', when = 'early' } = {}): Promise<string[]> {
      late = when === 'late' ? errors[0] : undefined;
      const early = (thrown: Thrown) => (when === 'early' ? [`X-Throw: ${escaped(thrown)}`] : []);
      const heads = errors.map((thrown) => headOf({ method, path, headers: ['Content-Length: 0', ...early(thrown)] }));
      const kept = heads.slice(0, -1).map((head) => head.replace('Connection: close', 'Connection: keep-alive'));
      const answers = await exchangeText(app.url, [...kept, ...heads.slice(-1)].join(''));
      // What a request has left of its limits, and what is of the connection.
      const masked = answers.replace(/r=\d+;t=\d+/g, 'r;t').replace(/^(X-RateLimit-Re\w+|Date|Connection|Keep-Alive): .*\r\n/gm, '');
      return masked.split(/(?=HTTP\/1\.1 \d)/);
    },
  };
}

/** @returns all that is received until the connection is closed, as Latin-1. */
async function exchangeText(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  socket.write(text);
  let received = '';
  for await (const part of socket) received += String(part);
  return received;
}

test('each error of each operation of the pet store: the first, one after another one, and one with other headers', async () => {
  const spec = readFileSync(new URL('../../../../spec/petstore.yaml', import.meta.url), 'utf8');
  const petStore = spec.slice(spec.indexOf('openapi:'));
  const subject = () => ({ bucket: 'all', quota: { minute: 1e6, day: 1e6 } });
  const plans = { plans: {}, address: { minute: 1e6, day: 1e6 } } as never;
  const app = await start(petStore, { security: { bearerAuth: () => undefined }, rateLimit: { subject, plans } });
  const codes = Object.keys(FRAMEWORK_ERRORS);
  const errors = codes.map((code) => ({ code, message: `the "error"` }));
  for (const { method, path: template } of app.operations) {
    const given = { method: method.toUpperCase(), path: template.replace(/\{\w+\}/g, '7') };
    const answers = await app.send([...errors, ...errors], given);
    expect(answers.slice(codes.length)).toEqual(answers.slice(0, codes.length));
    for (const answer of answers) expect(parseRaw(answer).body).toContain(`the \\"error\\"`);
  }
  // All of them are known by now.
  for (const error of errors) {
    const other = { ...error, message: 'another error' };
    const changed = [error, other, error, { ...error, headers: { 'Retry-After': '7' } }, error, { ...error, status: 418 }, error];
    const [first = '', another, second, withHeaders = '', third, withStatus = '', fourth] = await app.send(changed, { path: '/pets' });
    expect([second, third, fourth]).toEqual([first, first, first]);
    expect(another).toBe(first.replace(`the \\"error\\"`, other.message));
    expect(parseRaw(withHeaders)).toEqual({ ...parseRaw(first), headers: { ...parseRaw(first).headers, 'retry-after': '7' } });
    expect(parseRaw(withStatus).status).toBe(418);
  }
}, 60_000);

const yaml = (schema: string, type = 'application/json', status = '404') =>
  `paths:\n  /a:\n    get: { operationId: op, responses: { 200: { description: ok }, ${status}: { description: bad, content: { ${type}: { schema: ${schema} } } } } }\n`;
const text = '{ type: string }';
const message = `{ type: object, required: [message], properties: { message: ${text} } }`;
const missing = { code: 'not_found', message: 'there is no "b" \u2028 in \u00e9' };

describe.each(['early', 'late'])('thrown %s', (when) => {
  test.each([
    ['a message', yaml(message)],
    [
      'a problem',
      yaml(`{ properties: { type: ${text}, title: ${text}, status: { type: integer }, detail: ${text} } }`, 'application/problem+json'),
    ],
    ['a text', yaml(text, 'text/plain')],
    ['a list', yaml(`{ properties: { errors: { type: array, items: ${message} } } }`)],
    ['nothing declared', yaml(message, 'application/json', '422')],
    [
      'a message that is never sent',
      yaml(`{ properties: { message: ${text}, note: { type: string, writeOnly: true } }, required: [note] }`),
    ],
    ['a body without a place for it', yaml('{ type: object, properties: { id: { type: integer } }, additionalProperties: false }')],
    ['a message that is too long', yaml('{ type: object, properties: { message: { type: string, maxLength: 3 } } }')],
    [
      'a required header',
      yaml(message).replace('description: bad', 'description: bad, headers: { X-A: { required: true, schema: { type: integer } } }'),
    ],
  ] as const)('%s: the same bytes, and the same lines of the log', async (_name, contract) => {
    const app = await start(contract);
    const answers: string[] = [];
    const lines: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      app.log.length = 0;
      answers.push(...(await app.send([missing], { when })));
      lines.push(
        app.log
          .filter(({ message: said }) => said !== 'answered')
          .map(({ level, message: said, operation }) => ({ level, said, operation })),
      );
    }
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect(lines).toEqual(Array(3).fill(lines[0]));
    expect(app.validated()).toBeLessThanOrEqual(1);
  });

  test('headers of an error are validated each time', async () => {
    const app = await start(yaml(message).replace('description: bad', 'description: bad, headers: { X-A: { schema: { type: integer } } }'));
    const warned = () => app.log.filter(({ message: said }) => said.includes('header/X-A')).length;
    for (const [value, warnings] of [
      ['1', 0],
      ['2', 0],
      ['x', 1],
      ['y', 2],
    ] as const) {
      // prettier-ignore
      await app.send([{ ...missing, headers: { 'X-A': value } }], { when });
      expect(warned()).toBe(warnings);
    }
  });

  test.each([
    ['date-time', ''],
    ['date', ', id: { type: string, format: date-time }'],
  ])('the time of an error (%s) is that of each', async (format, more) => {
    const app = await start(
      yaml(
        `{ type: object, required: [at, message, id], properties: { at: { type: string, format: ${format} }, message: ${text}, id: ${text}${more} } }`.replace(
          `id: ${text},`,
          '',
        ),
      ),
    );
    const first = await app.send([missing], { when });
    await setTimeout(5);
    expect(await app.send([missing], { when })).not.toEqual(first);
    expect(app.validated()).toBe(2);
  });

  test('the body of a function is made for each', async () => {
    let made = 0;
    const app = await start(yaml(message), { errors: { body: (error) => ({ message: `${error.message} ${++made}` }) } });
    for (const n of [1, 2]) expect((await app.send([missing], { when })).join()).toContain(`${n}"`);
  });

  test('an error with problems, and one with a code that the service does not have, are not kept', async () => {
    const app = await start(yaml(`{ type: object }`, 'application/json', 'default'));
    const problem = { location: 'body', pointer: '/b', code: 'required', message: 'is required' };
    for (let i = 0; i < 2; i++) await app.send([{ code: 'invalid_request', message: 'body/b is required', problems: [problem] }], { when });
    for (let i = 0; i < 2; i++) await app.send([{ code: `unknown_${i}`, message: 'no', status: 418 }], { when });
    for (let i = 0; i < 2; i++) await app.send([{ code: 'unknown', message: 'no' }], { when });
    expect(app.validated()).toBe(6);
  });

  test('an error without problems does not get those of one with the same message', async () => {
    const app = await start(
      yaml(`{ properties: { message: ${text}, errors: { type: array, items: ${message} } } }`, 'application/json', '400'),
    );
    const error = { code: 'invalid_request', message: 'the request is not valid' };
    const problem = { location: 'body', pointer: '/b', code: 'required', message: 'is required' };
    const [listed = ''] = await app.send([{ ...error, problems: [problem] }], { when });
    const [plain = ''] = await app.send([error], { when });
    expect([listed, plain].map((answer) => answer.includes(problem.message))).toEqual([true, false]);
  });

  test('a HEAD has the head of its GET', async () => {
    const app = await start(yaml(message));
    const [answer = ''] = await app.send([missing], { when });
    expect(await app.send([missing], { when, method: 'HEAD' })).toEqual([answer.slice(0, answer.indexOf('\r\n\r\n') + 4)]);
  });
});
