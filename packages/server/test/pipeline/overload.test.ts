/** Refusals of an overload over HTTP: what clients are told, and what those get that come again too early. */
import { connect } from 'node:net';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createServer, type ServiceSteps } from '@specwright/server';
import { createTestLog, listenOnFreePort, until, withApp, type LogLine } from 'specwright/testing';
import { loadContractOf } from '../support/serve.ts';

const TIMEOUT_MS = 250;
/** How long an answer is kept back at most. */
const HOLD_MS = 0.4 * TIMEOUT_MS;
const SLOTS = 10;

const YAML = `paths:
  /texts:
    get:
      operationId: getTexts
      responses:
        '200': { description: ok }
        '503': { description: later, content: { text/plain: { schema: { type: string } } } }
  /things:
    get:
      operationId: getThings
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
    post:
      operationId: addThing
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
`;

const log: LogLine[] = [];
/** What a step of the service adds to the head of every response. */
let added: Record<string, string> = {};
const app = withApp(async () => {
  const steps: ServiceSteps<unknown> = { before: [({ headers }) => void headers.merge(added)] };
  const never = () => new Promise(() => undefined);
  return listenOnFreePort(
    createServer({
      contract: await loadContractOf(YAML),
      handlers: { getTexts: never, getThings: never, addThing: never },
      security: {},
      requestTimeoutMs: TIMEOUT_MS,
      steps,
      log: createTestLog(log),
    }),
  );
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection, and what is answered to a request on it. */
function openConnection() {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  const write = (method: string, body: string) => {
    const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    socket.write(`${method} /things HTTP/1.1\r\nHost: localhost\r\n${length}\r\n${body}`);
  };
  return {
    received: () => text,
    write,
    end: () => socket.destroy(),
    async send(method = 'GET', body = ''): Promise<Answer> {
      text = '';
      write(method, body);
      await until(() => text.includes('\r\n\r\n') && (method === 'HEAD' || text.endsWith('}')));
      const [head = '', content = ''] = text.split('\r\n\r\n');
      const fields = head.split('\r\n').slice(1).map((line) => line.split(': ') as [string, string]); // prettier-ignore
      return {
        status: Number(head.slice(9, 12)),
        headers: Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])),
        body: content,
      };
    },
  };
}

async function refuse(method?: string, body?: string): Promise<Answer> {
  const connection = openConnection();
  const answer = await connection.send(method, body);
  connection.end();
  return answer;
}

const BODY = { code: 'service_unavailable', message: 'too many requests are under way; retry later', status: 503 };

beforeAll(async () => {
  // The slots of handlers that never end are not free again.
  await Promise.all(Array.from({ length: SLOTS }, async () => fetch(`${app.url}/things`)));
});

describe('a refusal', () => {
  test.each(['GET', 'POST', 'HEAD'])('of %s is the 503 of an error, whole, with fields of the server and of its steps', async (method) => {
    added = { 'X-Added': 'yes' };
    const { status, headers, body } = await refuse(method, method === 'POST' ? '{}' : '');
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(JSON.stringify(BODY).length),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'x-added': 'yes',
      connection: 'keep-alive',
    });
    expect(body === '' ? undefined : JSON.parse(body)).toEqual(method === 'HEAD' ? undefined : BODY);
  });

  test('tells each client a time between 1 and 3 s', async () => {
    const random = jest.spyOn(Math, 'random');
    const told: unknown[] = [];
    for (const value of [0, 0.5, 0.99]) {
      random.mockReturnValue(value);
      told.push((await refuse()).headers['retry-after']);
    }
    random.mockRestore();
    expect(told).toEqual(['1', '2', '3']);
  });

  test('has a body of the type that the contract declares, and no line in the log', async () => {
    log.length = 0;
    for (let i = 0; i < 2; i++) expect(await (await fetch(`${app.url}/texts`)).text()).toBe(BODY.message);
    expect(log.filter(({ message }) => message !== 'too many requests are under way')).toEqual([]);
  });

  test('has no field that a step has made of two', async () => {
    added = { 'X-Added': 'a\r\nSet-Cookie: b' };
    const refused = openConnection();
    refused.write('GET', '');
    await until(() => log.some(({ message }) => message === 'the error could not be answered'));
    expect(refused.received()).toBe('');
    refused.end();
    added = {};
  });

  test('on a connection that was told to wait comes later, and the connection can be used again', async () => {
    const connection = openConnection();
    await connection.send('POST', '{}');
    for (const [method, body] of [
      ['POST', '{}'],
      ['GET', ''],
    ] as const) {
      // prettier-ignore
      const sentAt = performance.now();
      expect((await connection.send(method, body)).status).toBe(503);
      expect(performance.now() - sentAt).toBeGreaterThanOrEqual(HOLD_MS - 1);
    }
    connection.end();
  });
});
