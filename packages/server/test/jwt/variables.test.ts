/** The environment of a service whose callers have access tokens. */
import { expect, test } from '@jest/globals';
import { readEnvironment, TOKEN_VARIABLES } from '@specwright/server/environment';

const read = (environment: Record<string, string>) => readEnvironment(TOKEN_VARIABLES, environment);

test('issuer and audience are optional, the type is that of RFC 9068', () => {
  expect(read({})).toEqual({ tokenType: 'at+jwt' });
  expect(read({ TOKEN_ISSUER: 'https://login.example.com/', TOKEN_AUDIENCE: 'api', TOKEN_TYPE: 'any' })).toEqual({
    tokenIssuer: 'https://login.example.com/',
    tokenAudience: 'api',
    tokenType: null,
  });
  expect(read({ TOKEN_ISSUER: 'http://127.0.0.1:8080', TOKEN_TYPE: 'JWT' })).toMatchObject({ tokenType: 'JWT' });
});

test.each<[environment: Record<string, string>, says: RegExp]>([
  [{ TOKEN_ISSUER: 'http://login.example.com' }, /TOKEN_ISSUER must be the https URL of the identity provider/],
  [{ TOKEN_ISSUER: 'login.example.com' }, /TOKEN_ISSUER must be the https URL/],
  [{ TOKEN_TYPE: 'a b' }, /TOKEN_TYPE must be at\+jwt, JWT or any/],
])('%j is refused', (environment, says) => {
  expect(() => read(environment)).toThrow(says);
});
