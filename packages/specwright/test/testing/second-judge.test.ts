/** The second judge catches a server that accepts too much or too little; where its library is known to be wrong it is not heard. */
import http from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  createOperationClient,
  createWitness,
  listenOnFreePort,
  testOperations,
  walkContract,
  withApp,
  type Call,
} from 'specwright/testing';
import { parseDocument } from '../../src/testing/contract/document.ts';
import { assertExemptions } from '../../src/testing/contract/walk.ts';
import { MISSED_PROBLEMS, withSecondJudge, WRONG_OBJECTIONS } from '../../src/testing/contract/witnesses/judge-requests.ts';
import { createSecondJudge, type SentRequest } from '../../src/testing/contract/witnesses/second-judge.ts';

const DIARY = `openapi: 3.0.3
info: { title: Diary, version: '1' }
servers: [{ url: https://example.com/v1 }]
paths:
  /entries:
    get:
      operationId: listEntries
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: words, in: query, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: integer } }
      responses: { '200': { description: Entries. } }
    post:
      operationId: addEntry
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Entry' } } } }
      responses: { '201': { description: Added. }, '400': { description: Refused. } }
  /entries/{day}:
    parameters: [{ name: day, in: path, required: true, schema: { type: string, format: date } }]
    put:
      operationId: replaceEntry
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: Replaced. } }
    patch:
      operationId: tagEntry
      requestBody: { required: false, content: { application/json: { schema: { $ref: '#/components/schemas/Tags' } } } }
      responses: { '204': { description: Tagged. } }
    post:
      operationId: sendForm
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { type: object, properties: { stars: { type: integer } } } }
          multipart/form-data: { schema: { type: object, properties: { stars: { type: integer } } } }
      responses: { '204': { description: Sent. } }
  /payments:
    get:
      operationId: listPayments
      parameters: [{ name: page, in: query, schema: { type: integer } }]
      responses: { '200': { description: Payments. } }
    post:
      operationId: addPayment
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
      responses: { '204': { description: Paid. } }
  /amounts:
    get:
      operationId: listAmounts
      parameters: [{ name: amount, in: query, style: deepObject, schema: { $ref: '#/components/schemas/Amount' } }]
      responses: { '200': { description: Amounts. } }
components:
  schemas:
    Entry:
      type: object
      required: [text]
      additionalProperties: false
      properties:
        text: { type: string, minLength: 1, format: prose }
        stars: { type: integer, nullable: true, minimum: 0, exclusiveMinimum: true }
        parent: { $ref: '#/components/schemas/Entry' }
    Amount: { type: object, required: [currency], properties: { currency: { type: string }, cents: { type: integer, default: 1 } } }
    Card: { type: object, properties: { kind: { type: string, enum: [card] } } }
    Cash: { type: object, properties: { kind: { type: string, enum: [cash] } } }
    Payment:
      anyOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }]
      discriminator: { propertyName: kind, mapping: { card: '#/components/schemas/Card', cash: '#/components/schemas/Cash' } }
    Tags:
      type: object
      properties: { tags: { type: array, items: { type: string }, default: none } }
`;

const spec = createWitness(DIARY);
const state: { status: number; code?: string; message?: string } = { status: 200 };
const app = withApp(() =>
  listenOnFreePort(
    http.createServer((_, response) => {
      const { status, ...error } = state;
      response.writeHead(status).end(status < 400 ? undefined : JSON.stringify({ ...error, status }));
    }),
  ),
);
const client = () => createOperationClient({ spec, servers: { live: app.url } });
const send = (id: string, call: Call) => withSecondJudge({ spec, client: client() }).walk.client.send(id, call);
const refuse = (message: string, code = 'invalid_request', status = 400) => Object.assign(state, { status, code, message });
beforeEach(() => void Object.assign(state, { status: 200 }));

describe('fails for a server that accepts', () => {
  test.each<[string, string, Call, string]>([
    ['a query that is no integer', 'listEntries', { query: 'limit=many' }, '/query/limit must be integer'],
    ['a query below its minimum', 'listEntries', { query: 'limit=0' }, '/query/limit must be >= 1'],
    ['an undeclared query', 'listEntries', { query: 'x=1' }, "/query/x Unknown query parameter 'x'"],
    ['a wrong cookie', 'listEntries', { headers: { Cookie: 'session=x' } }, '/cookies/session must be integer'],
    ['a day that is none', 'replaceEntry', { path: { day: '2021-02-30' }, body: {} }, '/params/day must match format "date"'],
    ['a body without a required property', 'addEntry', { body: {} }, "/body/text must have required property 'text'"],
    ['an undeclared property', 'addEntry', { body: { text: 'a', parent: { text: 'a', x: 1 } } }, '/body/parent/x'],
    ['a boolean exclusiveMinimum', 'addEntry', { body: { text: 'a', stars: 0 } }, '/body/stars must be > 0'],
    ['a body that is not JSON', 'addEntry', { raw: '{', headers: { 'Content-Type': 'application/json' } }, '/body body is not JSON'],
    ['another media type', 'addEntry', { raw: 'a', headers: { 'Content-Type': 'text/plain' } }, 'unsupported media type text/plain'],
  ])('%s', async (_, id, call, objection) => {
    for (const status of [200, 204, 304, 404, 409, 412, 501]) {
      state.status = status;
      const sent = send(id, call);
      await expect(sent).rejects.toThrow(`the server accepts it (status ${status}), express-openapi-validator refuses it`);
      await expect(sent).rejects.toThrow(objection);
    }
  });
});

describe('fails for a server that refuses', () => {
  test.each<[string, string, Call]>([
    ['an integer', 'listEntries', { query: 'limit=1' }],
    ['a cookie', 'listEntries', { headers: { Cookie: 'a; session=1; b=2' } }],
    ['a date', 'replaceEntry', { path: { day: '2024-02-29' }, body: {} }],
    ['null, and a value of an unknown format', 'addEntry', { body: { text: 'a', stars: null, parent: { text: 'b' } } }],
  ])('%s', async (_, id, call) => {
    refuse('body must be right');
    await expect(send(id, call)).rejects.toThrow(
      'the server refuses it (status 400: body must be right), express-openapi-validator accepts it',
    );
  });
});

describe('says nothing', () => {
  test('where server and judge agree', async () => {
    await send('addEntry', { body: { text: 'a' } });
    refuse('body/text is required');
    await send('addEntry', { body: {} });
    refuse('body is not JSON', 'invalid_json');
    await send('addEntry', { raw: '{', headers: { 'Content-Type': 'application/json' } });
  });

  test.each([401, 403, 410, 413, 429, 500, 503])('about status %i, which a request has whether it is valid or not', async (status) => {
    state.status = status;
    await send('addEntry', { body: {} });
    await send('addEntry', { body: { text: 'a' } });
  });

  test('about a handler that refuses a valid request with a code of its own', async () => {
    refuse('there is no such parent', 'unknown_parent');
    await send('addEntry', { body: { text: 'a' } });
  });

  test('about calls that are marked as not for the judge', async () => {
    refuse('query/words is not from a link');
    await send('listEntries', { query: 'words=a', notJudged: 'words are made by the server' });
  });

  test('about another method than that of the operation', async () => {
    await withSecondJudge({ spec, client: client() }).walk.client.send('listEntries', { query: 'x=1' }, 'HEAD');
  });
});

/** Declares tests without running them. @returns what they run, by name. */
function collectTests(declare: () => void): Map<string, () => unknown> {
  const tests = new Map<string, () => unknown>();
  const globals = globalThis as unknown as Record<string, unknown>;
  const { describe: describeBefore, test: testBefore } = globals;
  Object.assign(globals, {
    describe: (_: string, define: () => void) => define(),
    test: (name: string, run: () => unknown) => tests.set(name, run),
  });
  try {
    declare();
  } finally {
    Object.assign(globals, { describe: describeBefore, test: testBefore });
  }
  return tests;
}

describe('every request is judged', () => {
  const only = { ...spec, operations: [spec.operation('addEntry')] };
  const walk = () => ({ spec: only, client: client(), otherClient: client(), world: {}, scenariosFile: 'scenarios.ts' });

  test('of walkContract', async () => {
    state.status = 201;
    const tests = collectTests(() => walkContract({ ...walk(), scenarioFor: () => () => [{ body: {} }] }));
    await expect(tests.get('answers 201 as declared')?.()).rejects.toThrow('express-openapi-validator refuses it');
  });

  test('of testOperations', async () => {
    state.status = 501;
    const given = { ...walk(), scenarios: { addEntry: { 400: () => [{ body: {} }] } } };
    const said = async (secondJudge: boolean): Promise<string> => {
      const tests = collectTests(() => testOperations({ ...given, secondJudge }));
      try {
        await tests.get('answers 400 as declared')?.();
        return '';
      } catch (error) {
        return String(error);
      }
    };
    expect(await said(true)).toContain('express-openapi-validator refuses it');
    expect(await said(false)).not.toContain('express-openapi-validator');
  });

  test('of the client of another account', async () => {
    const { otherClient } = withSecondJudge(walk()).walk;
    await expect(otherClient.send('addEntry', { body: {} })).rejects.toThrow('express-openapi-validator refuses it');
  });
});

describe('an operation can be exempt', () => {
  const exemptions = { 'addEntry second judge': 'its schema is read otherwise' };
  const judged = () => withSecondJudge({ spec, client: client(), exemptions, exemptionsFile: 'exemptions.json' });

  test('and is then not reported', async () => {
    const { walk, assertExemptionsNeeded } = judged();
    await walk.client.send('addEntry', { body: {} });
    await walk.client.send('addEntry', { body: { text: 'a' } });
    assertExemptionsNeeded();
    assertExemptions(walk);
  });

  test('only where server and judge differ', async () => {
    const { walk, assertExemptionsNeeded } = judged();
    assertExemptionsNeeded();
    await walk.client.send('addEntry', { body: { text: 'a' } });
    expect(assertExemptionsNeeded).toThrow(
      '"addEntry second judge" is exempt (its schema is read otherwise), but server and judge agree. Remove it from exemptions.json',
    );
  });

  test('and a failure says how', async () => {
    await expect(send('addEntry', { body: {} })).rejects.toThrow('or exempt "addEntry second judge" with the reason in');
  });
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=a' };

/** Where the judge is not heard, by the name of the hole. */
const HOLES: readonly { readonly hole: string; readonly id: string; readonly call: Call; readonly refusal?: string }[] = [
  { hole: 'an optional body that is not sent', id: 'replaceEntry', call: {} },
  { hole: 'a body that is not JSON', id: 'sendForm', call: { headers: FORM, raw: 'stars=1' } },
  { hole: 'a body that is not JSON', id: 'sendForm', call: { headers: MULTIPART, raw: '--a--' } },
  { hole: 'a default that its schema refuses', id: 'tagEntry', call: { body: {} } },
  { hole: 'a default that its schema refuses', id: 'listAmounts', call: {} },
  { hole: 'a discriminator that is not sent', id: 'addPayment', call: { body: { amount: 1 } } },
  { hole: 'a space in a query', id: 'listEntries', call: { query: 'words=a+b' } },
  { hole: 'a required body of no bytes', id: 'sendForm', call: { headers: FORM, raw: '' }, refusal: 'body is required' },
  {
    hole: 'an optional body without Content-Type',
    id: 'tagEntry',
    call: { raw: '{}' },
    refusal: 'header/Content-Type must be application/json',
  },
  ...['0x10', '1e3', '9007199254740993'].map((text) => ({
    hole: 'a parameter that is no number in decimal notation',
    id: 'listPayments',
    call: { query: `page=${text}` },
    refusal: 'query/page must be integer',
  })),
];

describe('the judge is not heard about', () => {
  test.each(HOLES)('$hole: $id $call', async ({ id, call: given, refusal }) => {
    const call = { path: { day: '2024-02-29' }, ...given };
    if (refusal !== undefined) refuse(refusal);
    const { request } = await send(id, call);
    // A library that has no such hole any more makes this red: then the entry goes.
    const objections = (await createSecondJudge(spec.published, fail).objections(request as SentRequest)) ?? [];
    expect(objections.length > 0).toBe(refusal === undefined);
  });

  test('nothing that is not tried here', () => {
    const known = [...WRONG_OBJECTIONS, ...MISSED_PROBLEMS].map(({ name }) => name);
    expect([...new Set(HOLES.map(({ hole }) => hole))]).toEqual(known);
  });

  test.each<[string, string, Call, string]>([
    ['a parameter in the wrong range', 'listEntries', { query: 'limit=2' }, 'query/limit must be >= 3'],
    ['a required body that is sent', 'addEntry', { body: { text: 'a' } }, 'body is required'],
  ])('but about %s', async (_, id, call, refusal) => {
    refuse(refusal);
    await expect(send(id, call)).rejects.toThrow('express-openapi-validator accepts it');
  });

  test('but about another part of a form, and of a body with a wrong default', async () => {
    const path = { day: 'today' };
    await expect(send('sendForm', { path, headers: FORM, raw: 'stars=1' })).rejects.toThrow('/params/day must match format');
    await expect(send('tagEntry', { path: { day: '2024-02-29' }, body: { tags: 'a' } })).rejects.toThrow('/body/tags must be array');
  });
});

const fail = (text: string): never => {
  throw new Error(text);
};

describe('what the judge cannot read is noted once', () => {
  const ask = async (text: string, target: string, body?: string) => {
    const notes: string[] = [];
    const judge = createSecondJudge(parseDocument(text), (note) => notes.push(note));
    const headers = new Headers(body === undefined ? {} : { 'Content-Type': 'application/json' });
    const request = {
      method: body === undefined ? 'GET' : 'POST',
      target,
      headers,
      body: body === undefined ? undefined : Buffer.from(body),
    };
    await judge.objections(request);
    return { notes, objections: await judge.objections(request) };
  };

  test.each([
    ['OpenAPI 3.2', DIARY.replace('3.0.3', '3.2.0'), 'specification version is required'],
    ['a reference that leads nowhere', DIARY.replace("schemas/Tags' }", "schemas/Labels' }"), 'schemas/Labels'],
  ])('%s switches it off', async (_, text, reason) => {
    const { notes, objections } = await ask(text, '/entries?limit=x');
    expect(objections).toBeUndefined();
    expect(notes).toEqual([
      expect.stringMatching(/^The second judge of requests is off: express-openapi-validator cannot load the document/),
    ]);
    expect(notes[0]).toContain(reason);
  });

  test('a pattern that is no ECMAScript, of one operation', async () => {
    const text = DIARY.replace(
      'name: words, in: query, schema: { type: string',
      'name: words, in: query, schema: { type: string, pattern: a++',
    );
    const { notes, objections } = await ask(text, '/entries');
    expect(objections).toBeUndefined();
    expect(notes).toEqual([
      expect.stringMatching(/^The second judge cannot say whether GET \/entries is valid: Invalid regular expression/),
    ]);
    expect((await ask(text, '/entries', '{}')).objections).toMatchObject([{ location: '/body/text', keyword: 'required' }]);
  });

  test('and OpenAPI 3.1 is read', async () => {
    const text = DIARY.replace('3.0.3', '3.1.0').replace(
      'type: integer, nullable: true, minimum: 0, exclusiveMinimum: true',
      'type: [integer, "null"], exclusiveMinimum: 0',
    );
    expect((await ask(text, '/entries', '{"text":"a","stars":null}')).objections).toEqual([]);
    expect((await ask(text, '/entries', '{"text":"a","stars":0}')).objections).toMatchObject([{ location: '/body/stars' }]);
  });
});
