/** Parameters that could be read in two ways are refused, and reading them takes linear time. */
import { describe, expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { operationDocument, requestValidator } from '../../../contract/test/support/contract.ts';
import { serve } from '../support/serve.ts';

const NOT_ENCODED = 'is not valid percent-encoding of UTF-8';
const object = { type: 'object', additionalProperties: { type: 'string' } };
const FORM = 'application/x-www-form-urlencoded';

describe('a text that is not percent-encoded UTF-8 is refused, not read as U+FFFD', () => {
  const parameters = [
    { name: 'q', in: 'query', schema: { type: 'string' } },
    { name: 'l', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'o', in: 'query', style: 'deepObject', schema: object },
    { name: 'c', in: 'cookie', schema: { type: 'string' } },
  ];

  test.each(['%FF', '%C0%AF', '%ED%A0%80', '%E2%82', 'a%', '%zz', '%F4%90%80%80'])('%s', async (text) => {
    const validate = await requestValidator(operationDocument({ parameters }));
    expect(await validate({ query: `q=${text}` })).toEqual([`query/q ${NOT_ENCODED}`]);
    expect(await validate({ query: `l=a&l=${text}` })).toEqual([`query/l ${NOT_ENCODED}`]);
    expect(await validate({ query: `o[a]=${text}` })).toEqual([`query/o ${NOT_ENCODED}`]);
    expect(await validate({ headers: { cookie: `c=${text}` } })).toEqual([`cookie/c ${NOT_ENCODED}`]);
    expect(await validate({ query: `${text}=1` })).toContainEqual(expect.stringContaining(NOT_ENCODED));
  });

  test('over HTTP, where U+FFFD itself is a text like any other', async () => {
    const op = { operationId: 'op', parameters, responses: { 204: { description: 'ok' } } };
    let got: unknown;
    const app = await serve(`paths: ${JSON.stringify({ '/x': { get: op } })}\n`, {
      handlers: { op: ({ query }: { query: unknown }) => ((got = query), HandlerResponse.reply(204, {})) },
    });
    try {
      expect((await fetch(`${app.url}/x?q=%FF`)).status).not.toBe(204);
      expect(got).toBeUndefined();
      expect((await fetch(`${app.url}/x?q=%EF%BF%BD%20+&l=%2525`)).status).toBe(204);
      expect(got).toEqual({ q: '\ufffd  ', l: ['%25'] });
    } finally {
      await app.close();
    }
  });
});

describe('names with brackets that give one place two kinds of values are refused', () => {
  const schema = { type: 'object', additionalProperties: {} };

  test.each([
    ['f[a]=1&f[a][b]=2', 'f[a]'],
    ['f[a][b]=2&f[a]=1', 'f[a]'],
    ['f[a]=1&f[a][]=2', 'f[a]'],
    ['f[a][]=1&f[a][b]=2', 'f[a]'],
    ['f[a][0]=1&f[a][]=2', 'f[a]'],
    ['f%5Ba%5D=1&f[a][b]=2', 'f[a]'],
    ['f[a][b]=1&f[a][b][c][d]=2', 'f[a][b]'],
  ])('%s', async (text, place) => {
    const query = await requestValidator(operationDocument({ parameters: [{ name: 'f', in: 'query', style: 'deepObject', schema }] }));
    expect(await query({ query: text })).toEqual([`query/f has two kinds of values at ${place}`]);
    const media = { schema: { type: 'object', properties: { f: schema } } };
    const form = await requestValidator(operationDocument({ method: 'post', requestBody: { content: { [FORM]: media } } }));
    expect(await form({ type: FORM, body: text })).toEqual([`body/f has two kinds of values at ${place}`]);
  });

  test('others are read', async () => {
    const query = await requestValidator(operationDocument({ parameters: [{ name: 'f', in: 'query', style: 'deepObject', schema }] }));
    expect(await query({ query: 'f[a][b]=1&f[a][c]=2&f[l][]=1&f[l][]=2&f[t]=x&f[t]=y' })).toMatchObject({
      query: { f: { a: { b: '1', c: '2' }, l: ['1', '2'], t: ['x', 'y'] } },
    });
  });
});

describe('a query is read in linear time', () => {
  const explode = [{ name: 'o', in: 'query', schema: object }];
  const list = [{ name: 'l', in: 'query', schema: { type: 'array', items: { type: 'string' } } }];
  const names = (count: number) => Array.from({ length: count }, (_, i) => `k${i}=1`).join('&');
  const best = (run: () => unknown) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const start = performance.now();
        run();
        return performance.now() - start;
      }),
    );

  test.each([
    ['an exploded object', explode, names],
    ['a repeated name', list, (count: number) => 'l=1&'.repeat(count)],
    ['names that are not declared', list, names],
  ])('%s', async (_name, parameters, queryOf) => {
    const { ALL_MODULES, createParameterDecoder } = await import('../../../contract/test/support/internals.ts');
    const { operationOf } = await import('../../../contract/test/support/contract.ts');
    const document = operationDocument({ parameters });
    const decode = createParameterDecoder(document, ALL_MODULES.forms.createPairsDecoder, operationOf(document, 'op'));
    const timeOf = (count: number) => {
      const search = queryOf(count);
      return best(() => decode({ path: {}, search, headers: {} }, { path: {}, query: {}, headers: {}, cookies: {} }, []));
    };
    timeOf(2000);
    // Linear takes 20 ms; where each name copied the object before it, two minutes.
    expect(timeOf(16_000)).toBeLessThan(Math.max(30 * timeOf(2000), 250));
  });
});
