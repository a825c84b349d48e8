/** The gate of the benches, what they print, and the parts of their harness that can be wrong without a measurement. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { judgeProcesses } from '../../bench/ratchet.ts';
import { lowerHalf } from '../../bench/ratchet/measure.ts';
import { judge } from '../../bench/ratchet/verdict.ts';
import { compareHops } from '../../bench/hops.ts';
import { isDrawn, pathDrawing } from '../../bench/hops/draw-path.ts';
import { leastOf, type Hops } from '../../bench/hops/measure.ts';
import { BOUNDS } from '../../bench/hops/requests.ts';
import { formatFigures, logShare, ratiosOf, type Figure } from '../../bench/requests/figures.ts';
import { check, compareRatios, type Baseline, type Ratio } from '../../bench/support/gate.ts';
import { createResponseReader, type RawResponse } from '../../bench/support/response-reader.ts';
import { formatWrites, writeRatios } from '../../bench/writes/figures.ts';
import type { WriteFigure } from '../../bench/writes/measure.ts';
import { createWrites } from '../../bench/writes/operations.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** Figures in which this server costs `cost` µs, node:http 5 and the validator 100. */
const figures = (cost: number): Figure[] =>
  (['getPet', 'createPet'] as const).flatMap((operation) => [
    { server: 'node-http', operation, cpu: 5 },
    { server: 'petstore', operation, cpu: cost },
    { server: 'express-openapi-validator', operation, cpu: 100 },
  ]);
const baselineOf = (ratios: readonly Ratio[]): Baseline => Object.fromEntries(ratios.map(({ name, value }) => [name, value]));
const BASELINE = baselineOf(ratiosOf(figures(50)));

describe('ratios', () => {
  test('of requests are those of CPU in one run', () => {
    expect(BASELINE).toEqual({
      'GET /store/pets/7 beside node:http': 10,
      'GET /store/pets/7 beside Express + express-openapi-validator': 0.5,
      'POST /pets beside node:http': 10,
      'POST /pets beside Express + express-openapi-validator': 0.5,
    });
  });

  test('need every server', () => {
    expect(() => ratiosOf(figures(50).filter(({ server }) => server !== 'petstore'))).toThrow('no figure of petstore for getPet');
  });

  test.each([
    ['unchanged', 50, 0, false],
    ['within the slack', 57.4, 0, false],
    ['a fifth more expensive, which is seen beside node:http', 60, 2, false],
    ['beyond any slack', 65.1, 4, false],
    ['much better', 30, 0, true],
  ])('of a server that is %s', (_, cost, worse, isBetter) => {
    const compared = compareRatios(ratiosOf(figures(cost)), BASELINE);
    expect(compared).toMatchObject({ isWorse: worse > 0, isBetter });
    expect(compared.lines.filter((line) => line.startsWith('worse'))).toHaveLength(worse);
  });

  test('without a baseline, and none, are worse', () => {
    expect(compareRatios(ratiosOf(figures(50)), {})).toMatchObject({ isWorse: true });
    expect(compareRatios([], BASELINE)).toMatchObject({ isWorse: true });
  });
});

describe('--check', () => {
  let output = '';
  beforeEach(() => {
    output = '';
    jest.spyOn(console, 'log').mockImplementation((text: string) => void (output += `${text}\n`));
  });
  afterEach(() => void jest.restoreAllMocks());

  /** @param costs of this server in each measurement. */
  const run = async (node: string, ...costs: number[]): Promise<number> => {
    let measured = 0;
    const measure = async () => ({ node, ratios: ratiosOf(figures(costs[measured++] ?? NaN)) });
    await check('requests', measure, { requests: { 20: BASELINE } });
    return measured;
  };

  test('passes on the ratios of the baseline', async () => {
    expect(await run('v20.0.0', 50)).toBe(1);
    expect(output).toMatch(/^ok +GET \/store\/pets\/7 beside node:http +10\.00, baseline 10\.00 \(\+0 %\)$/m);
  });

  test('measures again what is worse, and fails if it is worse again', async () => {
    expect(await run('v20.0.0', 65, 50)).toBe(2);
    await expect(run('v20.0.0', 65, 65)).rejects.toThrow(/worse than its baseline.*-- requests --set-baseline/);
    expect(output).toMatch(/^worse +GET \/store\/pets\/7 beside node:http +13\.00, baseline 10\.00 \(\+30 %\)$/m);
  });

  test('says that a baseline should be recorded: of a better ratio, and of another version of Node', async () => {
    await run('v20.0.0', 30);
    expect(output).toContain('Better than the baseline. Keep it: npm run bench -- requests --set-baseline');
    await expect(run('v99.0.0', 50)).rejects.toThrow('There is no baseline for Node 99');
  });

  test('has a baseline of the version of Node on which CI runs it', () => {
    const recorded = JSON.parse(read('bench/results/baseline.json')) as Record<string, Record<string, Baseline>>;
    expect(Object.keys(recorded['requests']?.['20'] ?? {})).toEqual(Object.keys(BASELINE));
    expect(Object.keys(recorded['writes']?.['20'] ?? {})).toHaveLength(8);
  });
});

describe('requests', () => {
  test('the log has the share of the CPU that the same server needs less without it', () => {
    const figure = (server: string, cpu: number): Figure => ({ server, operation: 'getPet', cpu });
    const measured = [figure('petstore-built', 8), figure('petstore-log', 10)];
    expect(measured.map((one) => logShare(measured, one))).toEqual([undefined, 0.2]);
  });

  test('are a row for each server', () => {
    const [title, text] = formatFigures(
      'loopback',
      figures(50).map((figure) => ({ ...figure, perSecond: 99.6 })),
    );
    expect(title).toBe('## Over loopback, 32 connections, constant handlers, log off');
    expect(text).toContain('| this server | 50.0 | 10.0 |  | 100 | 50.0 | 10.0 |  | 100 |');
  });

  test('have the figures of docs/contributing/benchmarks.md', () => {
    const rowsOf = (text: string) => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const [, ...harnesses] = read('bench/results/requests.md').split('\n## ').map(rowsOf);
    const [, page = ''] = read('docs/contributing/benchmarks.md').split('| in memory |');
    const rows = rowsOf(page.slice(0, page.indexOf('\n\n'))).slice(2);
    expect(rows.map(([, server]) => server)).toContain('this server, built');
    for (const [, server = '', ...figuresOfPage] of rows) {
      const isOwn = server.startsWith('this server');
      const titles = [server, server, isOwn ? `${server}: API key, exact limits, log` : server];
      const measured = harnesses.map((table, i) => table.find(([, title]) => title === titles[i])?.[2]);
      expect([server, ...figuresOfPage.slice(0, 3)]).toEqual([server, ...measured]);
    }
  });
});

describe('writes', () => {
  /** A write of this server that costs `own` ms of CPU, half of it PostgreSQL's, where the bare one costs 0.4. */
  const writes = (own: number): WriteFigure[] =>
    (['one', 'many'] as const).flatMap((accounts) => [
      { server: 'node-http', write: 'order', accounts, cpu: 0.2, databaseCpu: 0.2, perSecond: 2000, p50: 10, p99: 40 },
      {
        server: 'petstore-postgres-built',
        write: 'order',
        accounts,
        cpu: own / 2,
        databaseCpu: own / 2,
        perSecond: 999.6,
        p50: 20,
        p99: 80,
      },
    ]);

  test('are compared with the CPU of the bare server and its database', () => {
    expect(baselineOf(writeRatios(writes(0.8)))).toEqual({ 'POST /store/orders, one account': 2, 'POST /store/orders, 200 accounts': 2 });
    expect(compareRatios(writeRatios(writes(0.91)), baselineOf(writeRatios(writes(0.8))))).toMatchObject({ isWorse: false });
    expect(compareRatios(writeRatios(writes(0.93)), baselineOf(writeRatios(writes(0.8))))).toMatchObject({ isWorse: true });
  });

  test('are a row for each server', () => {
    expect(formatWrites(writes(0.8))).toContain(
      '| POST /store/orders, one account | this server, built: API key, exact limits, log | 0.400 | 0.400 | 1000 | 20.0 | 80.0 |',
    );
  });

  test('are each another request, of the subjects in turn, until there is nothing left to delete', () => {
    const subjects = [1, 2].map((n) => ({ accountId: n, apiKey: `key${n}`, petId: 10 * n, categoryId: 1 }));
    const orders = createWrites({ write: 'order-key', subjects, orderIds: [] }, 'run');
    const requests = [orders.next(), orders.next(), orders.next()];
    expect(requests.map((request) => /"petId":(\d+)/.exec(request ?? '')?.[1])).toEqual(['10', '20', '10']);
    expect(new Set(requests.map((request) => /Idempotency-Key: .*/.exec(request ?? '')?.[0])).size).toBe(3);
    expect([201, 200].map((status) => orders.accept({ status, body: '' }))).toEqual([true, false]);
    const deletions = createWrites({ write: 'delete', subjects, orderIds: [7] }, 'run');
    expect(deletions.next()).toMatch(/^DELETE \/store\/orders\/7 /);
    expect(deletions.next()).toBeUndefined();
  });
});

describe('hops', () => {
  const ROW = 'GET of a row';
  const { files = 0, calls = 0 } = BOUNDS[ROW] ?? {};
  /** @param first calls of the first file; of the others one each. */
  const hops = (count: number, first: number): Hops =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/${i}.ts`, { 'run@0': i === 0 ? first : 1 }]));

  test.each([
    ['as many files and calls as are allowed', hops(files, calls - files + 1), []],
    ['a call more', hops(files, calls - files + 2), [ROW]],
    ['a file more', hops(files + 1, 1), [ROW]],
    ['no file of ours, so nothing was measured', {}, [ROW]],
  ])('of a request with %s', (_, measured, exceeded) => {
    expect(compareHops(new Map([[ROW, measured]])).exceeded).toEqual(exceeded);
  });

  test('are drawn as boxes of files in one folder that follow each other; a file more is another drawing', () => {
    const files = ['packages/server/src/a.ts', 'packages/server/src/b.ts', 'src/db/pets.ts', 'packages/server/src/match/c.ts'];
    const drawing = pathDrawing(files);
    expect(drawing).toContain(
      '0["<b>server</b><br>a<br>b"]\n  1["<b>src/db</b><br>pets"]\n  2["<b>server: match</b><br>c"]\n  0 --> 1 --> 2',
    );
    const page = `<!-- path of a request -->${drawing}<!-- end of the path -->`;
    expect([files, files.slice(1), [...files, 'src/d.ts']].map((some) => isDrawn(some, page))).toEqual([true, false, false]);
  });

  test('are what runs in every round', () => {
    expect(leastOf([{ 'a.ts': { f: 3, timer: 1 } }, { 'a.ts': { f: 2 }, 'b.ts': { timer: 1 } }])).toEqual({ 'a.ts': { f: 2 } });
  });
});

describe('ratchet', () => {
  const LIMIT = 0.04;
  /** Ratios of processes that differ by `noise`, around `mean`. */
  const cost = (mean: number, noise: number, n: number) => ({
    title: 'GET',
    ratios: Array.from({ length: n }, (_, i) => mean * (1 + (i % 2 === 0 ? noise : -noise))),
  });

  test.each([
    ['unchanged', cost(1, 0.01, 6), 'ok'],
    ['5 % more expensive', cost(1.05, 0.005, 6), 'worse'],
    ['within the noise of the limit', cost(1.05, 0.03, 6), 'unclear'],
    ['cheaper', cost(0.9, 0.03, 6), 'ok'],
    ['measured in too few processes', cost(1, 0, 4), 'unclear'],
    ['not in the base', cost(NaN, 0, 6), 'new'],
  ])('a request that is %s', (_, measured, state) => expect(judge(measured, LIMIT, false)).toMatchObject({ state }));

  test('what is unclear in the end goes by its mean', () => {
    expect(judge(cost(1.05, 0.03, 6), LIMIT, true).state).toBe('worse');
    expect(judge(cost(1.03, 0.03, 6), LIMIT, true).state).toBe('ok');
  });

  test('adds processes until all is clear, at most as many as are allowed', async () => {
    const run = async (ratios: readonly number[], processes: number) => {
      let n = 0;
      const verdicts = await judgeProcesses(
        'GET',
        { limit: LIMIT, processes },
        async () => new Map([['GET', ratios[n++ % ratios.length] ?? NaN]]),
      );
      return [n, ...verdicts.map(({ state }) => state)];
    };
    expect(await run([1, 1.001], 16)).toEqual([5, 'ok']);
    expect(await run([1, 1.001], 2)).toEqual([2, 'ok']);
    expect(await run([1.06, 1.061], 16)).toEqual([5, 'worse']);
    expect(await run([1.02, 1.08], 16)).toEqual([16, 'worse']);
  });

  test('a cost is the mean of the cheaper half', () => expect(lowerHalf([9, 1, 100, 3])).toBe(2));
});

describe('peers', () => {
  const manifest = (file: string) => JSON.parse(read(file)) as Record<'dependencies' | 'devDependencies', Record<string, string>>;

  test.each(['express', 'express-openapi-validator', 'knex', 'pg'])(
    '%s has the version of this project, so that the gate needs no installation',
    (name) => {
      const { dependencies, devDependencies } = manifest('package.json');
      expect(manifest('bench/peers/package.json').dependencies[name]).toBe({ ...devDependencies, ...dependencies }[name]);
    },
  );

  test('have exact versions, because no lock file is committed', () => {
    for (const version of Object.values(manifest('bench/peers/package.json').dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('response reader', () => {
  const read = (...chunks: string[]): RawResponse[] => {
    const responses: RawResponse[] = [];
    const reader = createResponseReader((response) => responses.push(response));
    for (const chunk of chunks) reader(chunk);
    return responses;
  };
  const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const chunked = 'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n';

  test.each([
    ['whole', [sized]],
    ['in pieces', sized.split('')],
  ])('a response that arrives %s', (_, chunks) => expect(read(...chunks)).toEqual([{ status: 200, body: 'ok' }]));

  test('several in one chunk', () => expect(read(sized + chunked + sized).map(({ status }) => status)).toEqual([200, 404, 200]));
  test('a response without a length', () => expect(() => read('HTTP/1.1 200 OK\r\n\r\n')).toThrow('without a length'));
});
