/** One authenticator takes a key from every scheme that has a place for it. */
import { expect, test } from '@jest/globals';
import { accountKey, type Caller } from '@specwright/accounts';
import { ALL_SCOPES, type SecuritySchemeDefinition } from '@specwright/server';

const CALLER: Caller = { accountId: 1, keyId: 2, plan: 'free', scopes: ALL_SCOPES };
const limits: unknown[] = [];
const authenticate = accountKey(async (key, limit) => {
  limits.push(limit);
  return key === 'good' ? CALLER : undefined;
});

type Request = Parameters<typeof authenticate>[0];
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

/** What an authenticator reads of a request. */
async function call(definition: SecuritySchemeDefinition, headers: Record<string, string>, query = '') {
  const request = { rawHeaders: Object.entries(headers).flat(), exchange: { query: new URLSearchParams(query) } } as unknown as Request;
  return authenticate(request, { name: 'scheme', definition, scopes: [], realm: 'test' });
}

test.each<[name: string, definition: SecuritySchemeDefinition, good: Record<string, string>, query?: string]>([
  ['a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, { 'x-key': 'good' }],
  ['the query', { type: 'apiKey', in: 'query', name: 'key' }, {}, 'key=good'],
  ['a cookie', { type: 'apiKey', in: 'cookie', name: 'key' }, { cookie: 'key=good' }],
  ['http bearer', { type: 'http', scheme: 'Bearer' }, { authorization: 'Bearer good' }],
  ['the password of http basic', { type: 'http', scheme: 'basic' }, basic('anybody:good')],
  ['the name of http basic', { type: 'http', scheme: 'basic' }, basic('good:')],
  ['oauth2', { type: 'oauth2' }, { authorization: 'Bearer good' }],
  ['openIdConnect', { type: 'openIdConnect' }, { authorization: 'Bearer good' }],
])('%s', async (_name, definition, good, query = '') => {
  expect(await call(definition, good, query)).toEqual(CALLER);
  // Look-ups of keys that nobody has are bounded by what the pipeline gives.
  expect(limits.at(-1)).toBeInstanceOf(Object);
  await expect(call(definition, {})).rejects.toMatchObject({ code: 'unauthorized' });
  const wrong = Object.fromEntries(Object.entries(good).map(([name, value]) => [name, value.replace('good', 'bad')]));
  const other = 'authorization' in good && good['authorization'].startsWith('Basic') ? basic('bad:bad') : wrong;
  await expect(call(definition, other, query.replace('good', 'bad'))).rejects.toMatchObject({ code: 'unauthorized' });
});

test('another scheme of http has no place for a key: nobody is let in', async () => {
  await expect(call({ type: 'http', scheme: 'digest' }, {})).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await call({ type: 'http', scheme: 'digest' }, { authorization: 'Digest good' })).not.toEqual(CALLER);
});
