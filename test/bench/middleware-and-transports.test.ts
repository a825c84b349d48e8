/** The measurements of compression, of HTTP/2, of bodies and of a mounted server: their tables, and the page about them. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BODIES_RESULTS, fillBodies, type Bodies } from '../../bench/bodies/report.ts';
import { COMPRESSION_RESULTS, fillCompression, formatCompression, type Compression } from '../../bench/compression/report.ts';
import { fillHttp2, formatHttp2, HTTP2_RESULTS, type Http2 } from '../../bench/http2/report.ts';
import { CONSTANT_TARGET, exchangeOf } from '../../bench/requests/operations.ts';
import { formatPage, RESULTS_PAGE } from '../../bench/requests/report/report.ts';
import { readJson } from '../../bench/requests/report/results.ts';
import { SERVERS } from '../../bench/requests/servers/servers.ts';

const run = { date: '', commit: '', machine: { cpu: '', cores: 1, memoryGiB: 1, system: '' }, node: 'v20.0.0', load: 0 };

test('the cost of a coding is the difference to the same body without one', () => {
  const figure = { by: 'this server', size: 4 };
  const text = formatCompression({
    ...run,
    figures: [
      { ...figure, coding: 'identity', bytes: 4000, cpu: 20 },
      { ...figure, coding: 'br', bytes: 1000, cpu: 55.5 },
    ],
  });
  expect(text).toContain('| 4 KB, identity, this server | 4000 | 100 % | 20.0 |  |');
  expect(text).toContain('| 4 KB, br, this server | 1000 | 25 % | 55.5 | +35.5 |');
});

test('HTTP/2 is compared with HTTP/1.1 of the same server', () => {
  const text = formatHttp2({
    ...run,
    figures: [
      { server: 'Node', transport: 'HTTP/1.1', cpu: 10, perSecond: 9 },
      { server: 'this server', transport: 'HTTP/1.1', cpu: 20, perSecond: 8 },
      { server: 'this server', transport: 'HTTP/2', cpu: 30, perSecond: 7 },
    ],
  });
  expect(text).toContain('| this server, HTTP/2 | 30.0 | 1.5 | 7 |');
});

test.each<[string, (page: string) => string]>([
  ['compression', (page) => fillCompression(page, readJson<Compression>(COMPRESSION_RESULTS, {}))],
  ['bodies', (page) => fillBodies(page, readJson<Bodies>(BODIES_RESULTS, {}))],
  ['http2', (page) => fillHttp2(page, readJson<Http2>(HTTP2_RESULTS, {}))],
])('bench/results/README.md has the figures of bench/results/%s.json', async (_, fill) => {
  const page = readFileSync(RESULTS_PAGE, 'utf8');
  expect(await formatPage(fill(page))).toBe(page);
});

test('a mounted server is sent the same requests, below its path', () => {
  const bases = SERVERS.filter(({ id }) => id.startsWith('petstore-mounted')).map(({ base }) => base);
  expect(bases).toEqual(['/v1', '/v1']);
  const { request } = exchangeOf('createPet', CONSTANT_TARGET);
  expect(exchangeOf('createPet', { ...CONSTANT_TARGET, base: '/v1' }).request).toBe(request.replace('POST /pets', 'POST /v1/pets'));
});
