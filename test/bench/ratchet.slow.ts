/** The ratchet sees a request that costs 5 % more, and no difference where there is none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { judgeProcesses } from '../../bench/ratchet.ts';
import { compareInMemory, type Ratios } from '../../bench/ratchet/measure.ts';
import { compile, compiled, SPEC } from '../../bench/support/compile.ts';
import { baseCommit } from '../../bench/ratchet/base.ts';

const GET = 'GET /store/pets/7, in memory';
const folder = mkdtempSync(join(tmpdir(), 'ratchet-'));
beforeAll(() => compile());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same server, whose requests are preceded by work of so many times the cost of a GET, by the clock of its own process. */
function plant(share: number): string {
  const module = join(folder, `planted-${share}.mjs`);
  writeFileSync(
    module,
    `import { createServer as create } from ${JSON.stringify(pathToFileURL(compiled('petstore')).href)};
    let waste = 1;
    const work = (times) => { for (let i = 0; i < times; i++) waste = (waste * 1103515245 + 12345) % 2147483648; };
    const cpuOf = (run) => { const { user } = process.cpuUsage(); run(); return process.cpuUsage().user - user; };
    work(1e6);
    const TIMES = 3e7;
    const PER_TIME = cpuOf(() => work(TIMES)) / TIMES;
    export async function createServer() {
      const server = await create();
      let seen = 0;
      let began = process.cpuUsage();
      let times = 0;
      server.prependListener('request', () => {
        seen += 1;
        // The first batches warm up; what the next ones cost is the measure.
        if (seen === 5000) began = process.cpuUsage();
        if (seen === 6000) { const { user, system } = process.cpuUsage(began); times = Math.round(((user + system) / 1000 / 2) * ${share} / PER_TIME); }
        work(times);
      });
      return server;
    }`,
  );
  return module;
}

const compare = (module: string, processes: number) =>
  judgeProcesses('in memory', { limit: 0.04, processes }, async (): Promise<Ratios> => {
    const ratios = await compareInMemory({ module, base: compiled('petstore'), env: { SPEC, VARIANT: '{}' } }, ['getPet']);
    return new Map([[GET, ratios.get(GET) ?? NaN]]);
  });

test('the same server beside itself passes', async () => {
  expect(await compare(compiled('petstore'), 20)).toMatchObject([{ title: GET, state: 'ok' }]);
}, 300_000);

test('5 % more CPU fails', async () => {
  expect(await compare(plant(0.05), 20)).toMatchObject([{ title: GET, state: 'worse' }]);
}, 300_000);

test('a base is a commit, which must exist', () => {
  expect(baseCommit(undefined)).toMatch(/^[0-9a-f]{40}$/);
  expect(() => baseCommit('no-such-tag')).toThrow('no-such-tag');
});
