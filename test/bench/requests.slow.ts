/** The gate of the requests benchmark fails on a regression, and the page about the results is made from them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  BASELINE,
  compareRatios,
  isBetter,
  isWorse,
  ratiosOf,
  SLACK,
  type Baseline,
  type OperationRatios,
} from '../../bench/requests/report/check.ts';
import { BOOT_RESULTS, fillBoot, type Boot } from '../../bench/boot/report.ts';
import { BREAKDOWN_RESULTS, fillBreakdown, formatBreakdown, type Breakdown } from '../../bench/breakdown/report.ts';
import { VARIANTS } from '../../bench/breakdown/variants.ts';
import { fillLimiter, LIMITER_RESULTS, type LimiterRun } from '../../bench/limiter/report.ts';
import { ownedTimes, selfTimes, type CpuProfile } from '../../bench/requests/cpu-profile.ts';
import { CHARTS, drawCharts, fillOtherVersions, fillPage, formatPage, PAGE, RESULTS_PAGE } from '../../bench/requests/report/report.ts';
import { createResponseReader, type RawResponse } from '../../bench/requests/response-reader.ts';
import { logShare } from '../../bench/requests/report/table.ts';
import { fillScale, SCALE_RESULTS, type ScaleRun } from '../../bench/scale/report.ts';
import { addRun, readJson, RESULTS, type Figure, type Results, type Run } from '../../bench/requests/report/results.ts';
import { compareWrites, fillWrites, type WriteRun } from '../../bench/writes/report.ts';
import type { WriteFigure } from '../../bench/writes/measure.ts';
import { fillWorkers, WORKERS_RESULTS, type Workers } from '../../bench/workers/report.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Figures in which this server costs `cost` µs, for a baseline of 10 times bare and half the validator. */
const figures = (cost: number): Figure[] =>
  (['getPet', 'createPet'] as const).flatMap((operation) => [
    { server: 'node-http', operation, cpu: 5, median: 5 },
    { server: 'petstore', operation, cpu: cost, median: cost },
    { server: 'express-openapi-validator', operation, cpu: 100, median: 100 },
  ]);
const baseline = ratiosOf(figures(50));

test('ratios are those of CPU in one run', () => {
  expect(baseline).toEqual({ getPet: { bare: 10, validator: 0.5 }, createPet: { bare: 10, validator: 0.5 } } satisfies OperationRatios);
});

test.each([
  ['unchanged', 50, 0, 0],
  ['within the slack', 50 * (1 + SLACK.bare), 0, 0],
  ['a fifth dearer: seen beside node:http', 60, 2, 0],
  ['beyond any slack', 50 * (1 + SLACK.validator) + 0.1, 4, 0],
  ['much better', 30, 0, 4],
])('a server that is %s', (_, cost, worse, better) => {
  const comparisons = compareRatios(ratiosOf(figures(cost)), baseline);
  expect(comparisons.filter(isWorse)).toHaveLength(worse);
  expect(comparisons.filter(isBetter)).toHaveLength(better);
});

test('a server that was not measured is no reason to pass', () => {
  expect(() => ratiosOf(figures(50).filter(({ server }) => server !== 'petstore'))).toThrow('no figure of petstore for getPet');
});

describe('npm run bench -- requests --check', () => {
  const recorded = readJson<Baseline>(BASELINE, {});

  function check(node: string, factor: number): { code: number; output: string } {
    const { getPet, createPet } = recorded['20'] as OperationRatios;
    const of = (operation: Figure['operation'], ratios: OperationRatios['getPet']): Figure[] => [
      { server: 'node-http', operation, cpu: 1000, median: 1000 },
      { server: 'petstore', operation, cpu: 1000 * ratios.bare * factor, median: 0 },
      { server: 'express-openapi-validator', operation, cpu: (1000 * ratios.bare) / ratios.validator, median: 0 },
    ];
    const file = join(folder, `${node}-${factor}.json`);
    writeFileSync(file, JSON.stringify({ node, figures: { memory: [...of('getPet', getPet), ...of('createPet', createPet)] } }));
    const args = [
      '--conditions=@specwright/source',
      '--import',
      './test/support/runner/hooks.mjs',
      'bench/run.ts',
      'requests',
      '--check',
      '--figures',
      file,
    ];
    try {
      return { code: 0, output: execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' }) };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { code: status, output: stdout + stderr };
    }
  }

  test('passes on the ratios of the baseline', () => {
    expect(check('v20.0.0', 1)).toMatchObject({ code: 0, output: expect.stringContaining('(+0 %)') });
  });

  test('fails on a request that costs 30 % more', () => {
    const { code, output } = check('v20.0.0', 1.3);
    expect(code).toBe(1);
    expect(output).toMatch(/^worse +GET \/store\/pets\/7 .* times node:http, baseline .* \(\+30 %\)$/m);
    expect(output).toContain('over 15 % more than the baseline');
  });

  test('fails on a version of Node without a baseline, and says how to record one', () => {
    expect(check('v99.0.0', 1)).toMatchObject({ code: 1, output: expect.stringContaining('--set-baseline --node 99') });
  });
});

describe('the pages of results', () => {
  const results = readJson<Results>(RESULTS, {});

  test('docs/benchmarks.md has the figures of bench/results', async () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(await formatPage(fillPage(page, results))).toBe(page);
    const others = readFileSync(RESULTS_PAGE, 'utf8');
    expect(await formatPage(fillOtherVersions(others, results))).toBe(others);
  });

  test('bench/results/README.md has the figures of bench/results/scale.json', async () => {
    const page = readFileSync(RESULTS_PAGE, 'utf8');
    const run = readJson<ScaleRun | undefined>(SCALE_RESULTS, undefined) as ScaleRun;
    expect(await formatPage(fillScale(page, run))).toBe(page);
    expect(fillScale(page, { ...run, load: run.load + 1 })).not.toBe(fillScale(page, run));
  });

  test.each<[string, (page: string) => string]>([
    ['breakdown', (page) => fillBreakdown(page, readJson<Breakdown>(BREAKDOWN_RESULTS, {}))],
    ['workers', (page) => fillWorkers(page, readJson<Workers>(WORKERS_RESULTS, {}))],
    ['limiter', (page) => fillLimiter(page, readJson<LimiterRun | undefined>(LIMITER_RESULTS, undefined) as LimiterRun)],
    ['boot', (page) => fillBoot(page, readJson<Boot>(BOOT_RESULTS, {}))],
  ])('bench/results/README.md has the figures of bench/results/%s.json', async (_, fill) => {
    const page = readFileSync(RESULTS_PAGE, 'utf8');
    expect(await formatPage(fill(page))).toBe(page);
  });

  test('has their charts', () => {
    const charts = [...drawCharts(results)];
    expect(charts.length).toBeGreaterThan(0);
    for (const [name, svg] of charts) expect([name, readFileSync(join(CHARTS, name), 'utf8')]).toEqual([name, svg]);
  });

  test('changes with the results', () => {
    const [[major, run] = ['', undefined]] = Object.entries(results);
    const memory = (run as Run).figures.memory?.map((figure) => ({ ...figure, cpu: figure.cpu + 1 })) ?? [];
    const changed = { ...results, [major]: { ...(run as Run), figures: { memory } } };
    expect(fillPage(readFileSync(PAGE, 'utf8'), changed)).not.toBe(fillPage(readFileSync(PAGE, 'utf8'), results));
    expect([...drawCharts(changed).values()][0]).not.toBe([...drawCharts(results).values()][0]);
  });
});

test('the log has the share of the CPU that the same server needs less without it', () => {
  const figure = (server: string, cpu: number): Figure => ({ server, operation: 'getPet', cpu, median: cpu });
  const measured = [figure('petstore-built', 8), figure('petstore-log', 10)];
  expect(measured.map((one) => logShare(measured, one))).toEqual([undefined, 0.2]);
});

test('the parts of a request are the differences of servers that have one part more each', () => {
  const machine = { cpu: '', cores: 1, memoryGiB: 1, system: '' };
  const servers = VARIANTS.map(({ id }, i): Figure => ({ server: id, operation: 'getPet', cpu: 10 * i + 10, median: 0 }));
  const text = formatBreakdown({ date: '', commit: '', machine, node: 'v20.0.0', load: 0, servers, queries: [] });
  expect(text).toContain('| node:http, a constant | 10.0 |');
  expect(text).toMatch(/^\| reading.* \| 40\.0 \| 40 % \| 40\.0 \|$/m);
  expect(text).toMatch(/^\| API key \| \+10\.0 \| 10 % \| 70\.0 \|$/m);
});

test('a run replaces the last one, but keeps harnesses of the same commit that it did not measure', () => {
  const run = { date: '', commit: 'a', node: 'v20.0.0', machine: { cpu: '', cores: 1, memoryGiB: 1, system: '' }, versions: {} };
  const [memory, loopback] = [figures(1), figures(2)];
  const saved = { 20: { ...run, figures: { memory, loopback: [] } }, 24: { ...run, figures: {} } };
  expect(addRun(saved, { ...run, figures: { loopback } })[20]?.figures).toEqual({ memory, loopback });
  expect(addRun(saved, { ...run, commit: 'b', figures: { loopback } })[20]?.figures).toEqual({ loopback });
});

describe('peers', () => {
  const manifest = (file: string) =>
    JSON.parse(readFileSync(file, 'utf8')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;

  test.each(['express', 'express-openapi-validator', 'knex', 'pg'])(
    '%s has the version of this project, so that the gate needs no installation',
    (name) => {
      const { dependencies, devDependencies } = manifest('package.json');
      expect(manifest('bench/peers/package.json').dependencies[name]).toBe({ ...devDependencies, ...dependencies }[name]);
    },
  );

  test('the lock file names no registry', () => {
    expect(readFileSync('bench/peers/package-lock.json', 'utf8')).not.toContain('"resolved"');
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

test('a CPU profile is summed up by function, and by the owner that called it', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0, columnNumber: 0 });
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 4] },
      { id: 2, callFrame: frame('step', 'file:///a/step.js'), children: [3] },
      { id: 3, callFrame: frame('library') },
      { id: 4, callFrame: frame('(idle)') },
    ],
    samples: [2, 3, 3, 4],
    timeDeltas: [10, 10, 20, 1000],
  };
  expect(selfTimes(profile)).toEqual([
    { name: 'library', share: 0.75 },
    { name: expect.stringMatching(/^step .*step\.js:1$/), share: 0.25 },
  ]);
  expect(ownedTimes(profile, (file) => (file.endsWith('step.js') ? 'the step' : undefined))).toEqual([{ name: 'the step', share: 1 }]);
});

describe('the gate of writes', () => {
  /** A write of this server that costs `own` ms of CPU, half of it PostgreSQL's, where the bare one costs 0.4. */
  const writes = (own: number, titles: readonly WriteFigure['write'][] = ['order', 'patch']): WriteFigure[] =>
    titles.flatMap((write) =>
      (['one', 'many'] as const).flatMap((accounts) => [
        { server: 'node-http', write, accounts, cpu: 0.2, databaseCpu: 0.2, perSecond: 2000, p50: 10, p99: 40 },
        { server: 'petstore-postgres-built', write, accounts, cpu: own / 2, databaseCpu: own / 2, perSecond: 1000, p50: 20, p99: 80 },
      ]),
    );

  test('fails with 15 % more CPU beside the bare server, with a write that was not measured before, and without figures', () => {
    expect(compareWrites(writes(0.91), writes(0.8))).toMatchObject({ isWorse: false });
    expect(compareWrites(writes(0.93), writes(0.8))).toMatchObject({ isWorse: true });
    expect(compareWrites(writes(0.8), writes(0.8, ['order']))).toMatchObject({ isWorse: true });
    expect(compareWrites([], writes(0.8))).toMatchObject({ isWorse: true });
    expect(compareWrites(writes(0.93), writes(0.8)).lines[0]).toBe(
      'worse  POST /store/orders, one account                  2.33 times the bare server, committed 2.00',
    );
  });

  test('has a section of the page', () => {
    const run: WriteRun = {
      date: '2026-11-24T00:00:00.000Z',
      commit: 'abc',
      node: 'v20.20.2',
      machine: { cpu: 'CPU', cores: 2, memoryGiB: 1, system: 'linux x64' },
      versions: {},
      load: 0.1,
      connections: 32,
      figures: writes(0.8),
    };
    const page = fillWrites(readFileSync(RESULTS_PAGE, 'utf8'), run);
    expect(page).toContain('| this server, built: API key, exact limits, log | 0.400 | 0.400 | 1000 | 20.0 | 80.0 |');
  });
});
