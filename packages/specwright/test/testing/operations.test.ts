/** The tests of operations fail for whatever is wrong with a server, and for an operation that they do not reach. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  createOperationClient,
  createTestLog,
  GENERIC_SCENARIOS,
  missingScenarios,
  testOperations,
  valueOf,
  walkContract,
  type Call,
  type LogLine,
  type OperationClient,
} from 'specwright/testing';
import { type OperationTests, tryStatus, tryUndeclared, tryUnimplemented } from '../../src/testing/contract/walk.ts';
import { refusalTests } from '../../src/testing/contract/refused-credentials.ts';
import { selectOperations } from '../../src/testing/contract/walk-options.ts';
import { spec, unimplemented, withLibrary, type LibraryResponse } from './library.ts';

const { url, client, sent, state } = withLibrary();
const [listBooks, addBook, removeBook] = ['listBooks', 'addBook', 'removeBook'].map((id) => spec.operation(id)) as [
  ReturnType<typeof spec.operation>,
  ReturnType<typeof spec.operation>,
  ReturnType<typeof spec.operation>,
];
const scenariosFile = 'scenarios.ts';
const tests = (more: Partial<OperationTests<object>> = {}): OperationTests<object> => ({
  spec,
  client: client(),
  world: {},
  scenarios: {},
  scenariosFile,
  ...more,
});
const answer = (response: LibraryResponse) => void (state.respond = () => response);
beforeEach(() => {
  state.respond = unimplemented;
  sent.length = 0;
});

// The two suites as a project declares them, on a server that passes.
const lazyClient: OperationClient = {
  send: (...args) => client().send(...args),
  sample: (id) => client().sample(id),
};
describe('testOperations', () => testOperations({ spec, world: {}, scenarios: {}, scenariosFile, client: lazyClient }));
describe('walkContract', () => {
  const scenarioFor = (_: unknown, status: string) => () => [{ headers: { 'X-Status': status } }];
  const only = { ...spec, operations: [{ ...addBook, statuses: ['4XX'] }] };
  walkContract({
    spec: only,
    client: { ...lazyClient, send: (id, call) => lazyClient.send(id, { ...call, body: {} }) },
    world: {},
    scenarioFor,
    scenariosFile,
  });
});

test('a run can be restricted to some operations, which the contract must have', () => {
  const select = (selection?: string) => selectOperations(spec.operations, selection).map(({ id }) => id);
  expect(select('')).toEqual(['listBooks', 'addBook', 'removeBook']);
  expect(select('removeBook, listBooks,')).toEqual(['listBooks', 'removeBook']);
  expect(() => select('listBooks,readBook')).toThrow('TEST_OPERATIONS: the contract has no operation readBook');
});

describe('a request made from the contract', () => {
  test('has valid values, credentials, and no megabytes', async () => {
    await client().send('addBook');
    const [{ headers, body } = { headers: {}, body: '' }] = sent;
    expect(headers).toMatchObject({ 'x-key': 'secret', 'content-type': 'application/json' });
    expect(spec.problems('addBook', { status: 201, headers: new Headers({ 'content-type': 'application/json' }), text: body })).toEqual([]);
    expect(body.length).toBeLessThan(1000);
    expect((await client().sample('removeBook')).path['isbn']).toMatch(/^[0-9]{10}$/);
  });

  test('has as many properties as there have to be', async () => {
    const schema = { type: 'object', minProperties: 2, additionalProperties: false, required: ['a'] };
    const properties = { id: { type: 'integer', readOnly: true }, a: { type: 'string' }, b: { type: 'object' }, c: { type: 'integer' } };
    const value = await valueOf({ paths: {} }, { ...schema, properties } as object);
    expect(Object.keys(value as object)).toEqual(['a', 'b']);
  });

  test('is changed by what a call says', async () => {
    const call: Call = { path: { isbn: 'a/b' }, query: 'x=1', headers: { 'X-Y': 'z' }, anonymous: true };
    await client().send('removeBook', call);
    expect(sent[0]).toMatchObject({ method: 'DELETE', url: '/books/a%2Fb?x=1', headers: { 'x-y': 'z' } });
    expect(sent[0]?.headers['x-key']).toBeUndefined();
  });

  test('has the cookies of its parameters beside those of its credentials', async () => {
    const key = { type: 'apiKey', in: 'cookie', name: 'session' } as const;
    const security = [[{ name: 'key', scheme: key, scopes: [] }]];
    const theme = { name: 'theme', in: 'cookie', required: true, schema: { type: 'string', enum: ['dark'] } };
    const own = { ...removeBook, security, parameters: [...removeBook.parameters, theme] } as unknown as typeof removeBook;
    const ofCookies = createOperationClient({
      spec: { ...spec, operation: () => own },
      servers: { live: url() },
      credentials: () => 'secret',
    });
    await ofCookies.send('removeBook');
    expect(sent[0]?.headers.cookie).toBe('theme=dark; session=secret');
  });

  test('has credentials of the right form where the tests give none', async () => {
    await createOperationClient({ spec, servers: { live: url() } }).send('addBook');
    expect(sent[0]?.headers).toMatchObject({ 'x-key': 'sample' });
  });

  test('cannot be sent to a server that the client does not have', async () => {
    await expect(client().send('listBooks', { server: 'broken' })).rejects.toThrow('there is no server broken');
  });
});

test('a query that a pattern rejects is sent only where the pattern is one of ECMAScript', () => {
  const calls = GENERIC_SCENARIOS[400](listBooks, {
    document: spec.document,
    success: async () => ({}),
    send: (call) => client().send('listBooks', call),
  });
  expect(calls.map(({ query }) => query)).toEqual(['not-in-the-contract=1', 'limit=!', 'shelf=!']);
});

test.each([
  ['is tried beside an object of some style', 'deepObject', ['not-in-the-contract=1']],
  ['is not tried beside an object that any name is a property of', 'form', []],
])('an undeclared query parameter %s', (_, style, expected) => {
  const filter = { name: 'filter', in: 'query', style, explode: true, schema: { type: 'object' } };
  const operation = { ...listBooks, parameters: [filter] } as unknown as typeof listBooks;
  const calls = GENERIC_SCENARIOS[400](operation, {
    document: spec.document,
    success: async () => ({}),
    send: () => Promise.reject(new Error()),
  });
  expect(calls.flatMap(({ query }) => query ?? [])).toEqual(expected);
});

describe('fails', () => {
  test('when an operation accepts a request without credentials', async () => {
    answer({ status: 501 });
    for (const { run } of refusalTests(tests(), addBook)) await expect(run()).rejects.toThrow('status 501, not 401');
    // While its scheme is not written, no credentials are told from others.
    answer({ status: 501, body: { message: 'the security scheme key is not implemented yet' } });
    const [none, wrong] = refusalTests(tests(), addBook);
    await expect(none?.run()).rejects.toThrow('status 501, not 401');
    await wrong?.run();
    // A response to HEAD cannot say it.
    const head = { ...addBook, method: 'HEAD', body: undefined };
    const ofHead = createOperationClient({ spec: { ...spec, operation: () => head }, servers: { live: url() } });
    await refusalTests(tests({ client: ofHead }), head)[1]?.run();
  });

  test('only without an exemption, where a client certificate is needed: no request is accepted', async () => {
    const certificate = { ...removeBook, security: [[{ name: 'tls', scheme: { type: 'mutualTLS' } as const, scopes: [] }]] };
    const noKey = createOperationClient({ spec: { ...spec, operation: () => certificate }, servers: { live: url() } });
    answer({ status: 401, body: { message: 'client certificates are not read here' } });
    const exempt = tests({ client: noKey, exemptions: { removeBook: 'never reached' } });
    await tryUndeclared(exempt, certificate);
    await tryUnimplemented(exempt, certificate);
    for (const { run } of refusalTests(exempt, certificate)) await run();
    await expect(tryUnimplemented(tests({ client: noKey }), certificate)).rejects.toThrow('rejected with 401');
    // Other credentials than certificates have to be accepted.
    await expect(tryUndeclared(exempt, removeBook)).rejects.toThrow('status 401, not 400');
    await expect(tryUnimplemented(exempt, removeBook)).rejects.toThrow('it can be called');
  });

  test('when an operation accepts credentials that have expired or lack scopes', async () => {
    const scheme = { type: 'oauth2' } as const;
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
    const scoped = {
      ...addBook,
      security: [
        [{ name: 'other', scheme: { ...key, name: 'X-Other' }, scopes: [] }],
        [
          { name: 'login', scheme, scopes: ['write'] },
          { name: 'key', scheme: key, scopes: [] },
        ],
      ],
    };
    const refusedCredentials = { expired: async (name: string) => `expired-${name}`, weak: (name: string) => `weak-${name}` };
    const scopedClient = createOperationClient({ spec: { ...spec, operation: () => scoped }, servers: { live: url() } });
    const [, , expired, weak] = refusalTests(tests({ client: scopedClient, refusedCredentials }), scoped);
    expect([expired?.title, weak?.title]).toEqual([
      'rejects expired credentials with 401',
      'rejects credentials without the required scopes with 403',
    ]);
    answer({ status: 403 });
    await expect(expired?.run()).rejects.toThrow('status 403, not 401');
    await weak?.run();
    expect(sent.map(({ headers }) => [headers.authorization, headers['x-key']])).toEqual([
      ['Bearer expired-login', 'expired-key'],
      ['Bearer weak-login', 'weak-key'],
    ]);
    answer({ status: 401 });
    await expired?.run();
    await expect(weak?.run()).rejects.toThrow(/:\n {2}status 401, not 403/);
    // Where nothing expires and no scopes are required, they are not tried.
    expect(refusalTests(tests({ refusedCredentials }), addBook)).toHaveLength(2);
    expect(refusalTests(tests({ refusedCredentials }), listBooks)).toEqual([]);
  });

  test('credentials without scopes are not tried where another alternative admits them', () => {
    const [bearer, login] = [{ type: 'http', scheme: 'bearer' } as const, { type: 'oauth2' } as const];
    const weak = { weak: () => 'weak' };
    const titles = (...security: (typeof addBook)['security'][number][]) =>
      refusalTests(tests({ refusedCredentials: weak }), { ...addBook, security }).length - 2;
    const scoped = [{ name: 'login', scheme: login, scopes: ['write'] }];
    expect(titles([{ name: 'bearer', scheme: bearer, scopes: [] }], scoped)).toBe(0);
    expect(titles([{ name: 'bearer', scheme: bearer, scopes: ['read'] }], scoped)).toBe(1);
    expect(titles([{ name: 'key', scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, scopes: [] }], scoped)).toBe(1);
  });

  test('when an undeclared query parameter is accepted', async () => {
    answer({ status: 501 });
    await expect(tryUndeclared(tests(), listBooks)).rejects.toThrow('status 501, not 400');
  });

  test('when an operation is implemented and has no scenario', async () => {
    answer({ status: 200, body: [] });
    await expect(tryUnimplemented(tests(), listBooks)).rejects.toThrow('scenarios.ts has to say what makes it answer');
  });

  test('when no request can be made, and says what lacks a value', async () => {
    answer({ status: 501 });
    const own = client();
    const lacking = { ...own, sample: async (id: string) => ({ ...(await own.sample(id)), missing: ['body/title'] }) };
    await expect(tryUnimplemented(tests({ client: lacking }), addBook)).rejects.toThrow(
      'no value can be made of body/title: add an example',
    );
  });

  test('when the request made from the contract is rejected, unless the operation is exempt', async () => {
    answer({ status: 400, body: { message: 'body/title is too dull' } });
    await expect(tryUnimplemented(tests(), addBook)).rejects.toThrow(/rejected with 400[^]*too dull/);
    await tryUnimplemented(tests({ exemptions: { addBook: 'no title is good enough' } }), addBook);
  });

  test('when an operation is exempt and can be called', async () => {
    const exemptions = { listBooks: 'no reason' };
    await expect(tryUnimplemented(tests({ exemptions }), listBooks)).rejects.toThrow('remove the exemption');
  });

  test('when the credentials of the tests are rejected', async () => {
    answer({ status: 401 });
    const credentialsFile = 'credentials.ts';
    const told = 'the credentials of the tests are rejected with 401: return valid ones in credentials.ts';
    await expect(tryUnimplemented(tests({ credentialsFile }), removeBook)).rejects.toThrow(told);
    await expect(tryUndeclared(tests({ credentialsFile }), removeBook)).rejects.toThrow(told);
    await expect(tryStatus({ ...walk([{}]), credentialsFile }, removeBook, '204')).rejects.toThrow(told);
    // Those of a request that has none are not at fault.
    answer({ status: 403 });
    await expect(refusalTests(tests({ credentialsFile }), removeBook)[0]?.run()).rejects.toThrow(/:\n {2}status 403, not 401/);
  });

  const walk = (calls: readonly Call[]) => ({ ...tests(), scenarioFor: () => () => calls });

  test('when a status has no scenario, or its scenario no call', async () => {
    await expect(tryStatus(walk([]), listBooks, '200')).rejects.toThrow('no scenario makes listBooks answer 200: add it to scenarios.ts');
    await expect(tryStatus({ ...tests(), scenarioFor: () => undefined }, listBooks, '200')).rejects.toThrow('no scenario');
    expect(missingScenarios({ spec, scenarioFor: ({ id }) => (id === 'removeBook' ? undefined : () => []) })).toEqual(['removeBook 204']);
  });

  test('when a response has another status, and says what the server answered', async () => {
    answer({ status: 500, body: { message: 'out of paper' } });
    await expect(tryStatus(walk([{}]), listBooks, '200')).rejects.toThrow(/status 500, not 200[^]*out of paper/);
  });

  test('when a response has another status, and says what the server has logged of that request', async () => {
    const log: LogLine[] = [];
    const server = createTestLog(log);
    server.child({ requestId: 'r1' }).error({ err: new TypeError('title is undefined') }, 'internal error');
    server.child({ requestId: 'r1' }).info({}, 'request');
    server.child({ requestId: 'r2' }).error({}, 'of another request');
    answer({ status: 500, headers: { 'X-Request-Id': 'r1' } });
    const error = await tryStatus({ ...walk([{}]), app: { log } }, listBooks, '200').catch((thrown: unknown) => (thrown as Error).message);
    expect(error).toMatch(/status 500, not 200[^]*\n {2}log: internal error: TypeError: title is undefined\n\s+at .*operations\.test\.ts/);
    expect(error).not.toMatch(/of another request|log: request|node_modules/);
  });

  test('when a response is not as declared, or does not mention what it should', async () => {
    answer({ status: 200, headers: { Total: '1' }, body: [{}] });
    await expect(tryStatus(walk([{}]), listBooks, '200')).rejects.toThrow("body/0 must have required property 'title'");
    answer({ status: 400, body: { message: 'no' } });
    await expect(tryStatus(walk([{ message: 'body/title' }]), addBook, '4XX')).rejects.toThrow('does not mention "body/title"');
  });
});
