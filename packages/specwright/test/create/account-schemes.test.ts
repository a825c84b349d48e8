/** `--accounts`: which contracts can have accounts, and why others cannot. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { assertAccounts, canCarryKey } from '../../src/new/first-handler.ts';
import { composeProject } from '../../src/new/compose-project.ts';

interface Given {
  schemes?: Record<string, object>;
  required?: object[];
  more?: object;
}

function documentOf({ schemes = {}, required = Object.keys(schemes).map((name) => ({ [name]: [] })), more = {} }: Given) {
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    ...more,
    paths: { '/a': { get: { operationId: 'a', security: required, responses: { 204: { description: 'Done.' } } } } },
    components: { securitySchemes: schemes },
  });
  return parseSource('spec.json', text);
}

const HEADER = { type: 'apiKey', in: 'header', name: 'X-Key' };
const DIGEST = { type: 'http', scheme: 'digest' };
const quota = { minute: 1, day: 1 };

test.each<[name: string, given: Given, says: RegExp]>([
  ['no security', {}, /needs a security scheme that operations require/],
  ['a scheme that nothing requires', { schemes: { key: HEADER }, required: [] }, /needs a security scheme that operations require/],
  ['digest alone', { schemes: { digest: DIGEST } }, /can carry an API key.*required are only: digest/],
  [
    'plans of other names',
    { schemes: { key: HEADER }, more: { 'x-rate-limit-plans': { plans: { free: quota, gold: quota }, address: quota } } },
    /limits for its plans; missing: pro, business, enterprise/,
  ],
])('refuses %s', (_name, given, says) => {
  expect(() => assertAccounts(documentOf(given))).toThrow(says);
});

test('each scheme that can carry a key gets the authenticator of accounts, and the others stay unimplemented', async () => {
  const schemes = { key: HEADER, digest: DIGEST, 'o-auth': { type: 'oauth2', flows: {} }, basic: { type: 'http', scheme: 'Basic' } };
  const source = documentOf({ schemes });
  expect(() => assertAccounts(source)).not.toThrow();
  expect(Object.keys(schemes).filter((name) => canCarryKey(source.document, name))).toEqual(['key', 'o-auth', 'basic']);
  const { files } = await composeProject({ source, name: 'x', tarballs: [], accounts: true });
  const security = String(files.get('src/security.ts'));
  expect(security).toContain(
    [
      '  key: accountKey(findCaller),',
      '  digest: unimplementedScheme,',
      "  'o-auth': accountKey(findCaller),",
      '  basic: accountKey(findCaller),',
    ].join('\n'),
  );
  expect(security).toContain("import { unimplementedScheme } from '@specwright/server';");
});
