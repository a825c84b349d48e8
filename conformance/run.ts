/**
 * `npm run conformance [-- ADAPTER...] [--group NAME]... [--print] [--record]`: installs the adapters, serves each contract of the suite with
 * them, sends its cases and prints the counts. --find-refused prints what costs a server its documents (report/find-refused.ts). --print prints each case that failed; --record writes results/ADAPTER.json.
 *
 * Ends with 1 if a case of an adapter failed that keeps everything (`"keepsAll": true` in its adapter.json), but those that it
 * `deviates` from with a reason.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findRefused } from './report/find-refused.ts';
import { type Recorded, recordOf } from './report/recorded.ts';
import { type Adapter, type GroupResult, install, readAdapter, runGroup } from './report/adapter.ts';
import { CASES, GROUPS } from './src/groups.ts';
import type { Result } from './src/run-cases.ts';
import { count, VERDICTS } from './src/summary.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ADAPTERS = join(HERE, 'adapters');
const TIMEOUT_MS = 5_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    group: { type: 'string', multiple: true, default: [] },
    print: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    'find-refused': { type: 'boolean', default: false },
  },
});
const isAdapter = (name: string): boolean => existsSync(join(ADAPTERS, name, 'adapter.json'));
const names = positionals.length > 0 ? positionals : readdirSync(ADAPTERS).filter(isAdapter).sort();
const groups = GROUPS.filter(({ name }) => values.group.length === 0 || values.group.includes(name));

for (const name of names) {
  const adapter = readAdapter(join(ADAPTERS, name));
  install(adapter);
  if (values['find-refused']) {
    for (const group of groups) console.log(name, group.name, JSON.stringify(await findRefused(adapter, group, TIMEOUT_MS)));
    continue;
  }
  const all: GroupResult[] = [];
  const date = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const start = performance.now();
  for (const group of groups) {
    const result = await runGroup(adapter, group, TIMEOUT_MS);
    all.push(result);
    print(name, result);
  }
  const seconds = (performance.now() - start) / 1_000;
  console.log(`${name}: ${seconds.toFixed(1)} s\n`);
  if (adapter.keepsAll === true && all.some(({ results, notServed }) => notServed !== undefined || results.some(isUnexpected(adapter))))
    process.exitCode = 1;
  if (values.record) {
    const recorded: Recorded = { title: adapter.title, date, seconds: Math.round(seconds), groups: all.map(recordOf) };
    mkdirSync(join(HERE, 'results'), { recursive: true });
    writeFileSync(join(HERE, 'results', `${name}.json`), `${JSON.stringify(recorded, null, 1)}\n`);
  }
}

function isUnexpected({ deviates = {} }: Adapter): (result: Result) => boolean {
  return ({ id, verdict }) => (verdict === 'kept') === id in deviates;
}

function print(name: string, { group, results, notApplicable, notServed }: GroupResult): void {
  const counts = count(results);
  const columns = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ');
  console.log(`${name} ${group}: ${notServed === undefined ? columns : `not served: ${notServed}`}, ${notApplicable} not applicable`);
  if (!values.print) return;
  for (const { id, verdict, reason } of results.filter((result) => result.verdict !== 'kept')) {
    const { request, accepts } = CASES.get(id) ?? {};
    console.log(`  ${verdict} ${id}\n    ${JSON.stringify(request?.slice(0, 300))}\n    ${reason}\n    ${JSON.stringify(accepts)}`);
  }
}
