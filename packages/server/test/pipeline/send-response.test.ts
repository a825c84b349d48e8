/** The step that sends responses, without HTTP: what is sent of each kind of body, and what happens to one that breaks the contract. */
import { describe, expect, test } from '@jest/globals';
import { HeaderFields, type ValidatedResponse } from '@specwright/contract';
import type { Exchange } from '../../src/pipeline/exchange.ts';
import { type ResponseValidation, sendResponse } from '../../src/pipeline/send-response.ts';

interface Given extends Partial<ValidatedResponse> {
  readonly mode?: ResponseValidation;
  readonly isReplay?: boolean;
}

/** Sends what the validator has made of a response. @returns what was written and logged, or the message of the error. */
function send({ mode = 'strict', isReplay = false, ...validated }: Given) {
  const written: unknown[] = [];
  const logged: unknown[] = [];
  const fields: string[] = [];
  const result = {
    status: 200,
    headers: new HeaderFields(),
    head: undefined,
    type: undefined,
    body: undefined,
    problems: [],
    ...validated,
  };
  const exchange = {
    handlerResponse: { status: result.status },
    headers: new HeaderFields(),
    isReplay,
    operation: { id: 'op', validateResponse: () => result },
    log: { error: (fields: object) => logged.push(fields) },
    arrival: { base: '', service: { encode: undefined } },
    move: () => true,
    request: { complete: true, method: 'GET' },
    response: {
      statusCode: 0,
      setHeader: (name: string, value: string) => fields.push(name, value),
      end(text: unknown) {
        written.push(this.statusCode, fields, text);
      },
    },
  };
  let error: string | undefined;
  try {
    void sendResponse(mode, () => undefined)(exchange as unknown as Exchange);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { written, logged, error };
}

describe('a body', () => {
  test.each<[what: string, type: string, body: unknown, text: string | Buffer]>([
    ['an object as JSON', 'application/json', { name: 'Zoë' }, '{"name":"Zoë"}'],
    ['a string of JSON in quotation marks', 'application/problem+json', 'Zoë', '"Zoë"'],
    ['a text as it was given', 'text/plain; charset=utf-8', 'Zoë', 'Zoë'],
    ['bytes as they were given', 'application/pdf', Buffer.from([0, 255]), Buffer.from([0, 255])],
  ])('is sent with its length in bytes: %s', (_, type, body, text) => {
    expect(send({ type, body }).written).toEqual([200, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(text))], text]);
  });

  test('that is missing has the length 0, except where a response has none', () => {
    const headers = (status: number) => send({ status, headers: new HeaderFields() }).written[1];
    expect([headers(200), headers(204), headers(304)]).toEqual([['Content-Length', '0'], [], []]);
  });
});

describe('a response that breaks the contract', () => {
  const broken = { type: 'application/json', body: 1, problems: ['response/body must be object'] };
  const message = 'the 200 response of op breaks the contract: response/body must be object';

  test('is an error in the mode strict, and is not sent', () => {
    expect(send(broken)).toEqual({ written: [], logged: [], error: message });
  });

  test('is sent and logged in the mode log, and only sent in the mode off', () => {
    const logged = [{ operation: 'op', status: 200, problems: broken.problems }];
    expect(send({ ...broken, mode: 'log' })).toMatchObject({ written: [200, expect.anything(), '1'], logged, error: undefined });
    expect(send({ ...broken, mode: 'off' })).toMatchObject({ written: [200, expect.anything(), '1'], logged: [], error: undefined });
  });

  test('is sent and logged if it was valid when it was stored', () => {
    expect(send({ ...broken, isReplay: true })).toMatchObject({ written: [200, expect.anything(), '1'], logged: [{}], error: undefined });
    expect(send({ ...broken, isReplay: true, mode: 'off' }).logged).toEqual([]);
  });
});
