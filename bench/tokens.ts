/** What a verified token costs a request in memory: the first time and from the cache, beside an API key and the packages of others. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatNumber } from './requests/report/chart.ts';
import { createProgress } from './requests/progress.ts';
import { copyPeers, installPeers } from './requests/servers/peers.ts';
import { table } from './support/page-section.ts';
import { SERVERS } from './tokens/servers.ts';

const DEFAULT_ROUNDS = '25';
const DEFAULT_PROCESSES = '3';

export const help = `npm run bench -- tokens [options]

CPU of a request in memory whose caller has an access token (ES256): cached, and verified each time; beside an API key, @fastify/jwt and
express-oauth2-jwt-bearer. Each server runs in separate processes, which take turns; the least figure of all counts. About 1 minute.

  --rounds N     rounds of each process: ${DEFAULT_ROUNDS} if it is not given
  --processes N  processes of each server: ${DEFAULT_PROCESSES} if it is not given
  --check        without the servers of others, which are not installed`;

const PROGRAM = fileURLToPath(new URL('tokens/measure-one.ts', import.meta.url));

export function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: DEFAULT_ROUNDS },
      processes: { type: 'string', default: DEFAULT_PROCESSES },
      check: { type: 'boolean', default: false },
    },
  });
  const [rounds, processes] = [Number(values.rounds), Number(values.processes)];
  if (![rounds, processes].every((count) => Number.isInteger(count) && count > 0))
    throw new Error('--rounds and --processes must be whole numbers from 1');
  const { show, clear } = createProgress();
  copyPeers();
  if (!values.check) installPeers(show);
  const names = Object.keys(SERVERS).filter((name) => !values.check || SERVERS[name]?.isPeer !== true);
  const least = new Map<string, number>();
  for (let turn = 0; turn < processes; turn++)
    for (const name of names) {
      show(`${name}, ${turn + 1} of ${processes}`);
      const printed = execFileSync(process.execPath, [...process.execArgv, PROGRAM, name, String(rounds)], { encoding: 'utf8' });
      least.set(name, Math.min(least.get(name) ?? Infinity, Number(printed)));
    }
  clear();
  const [plain = 0] = least.values();
  const rows = [...least].map(([name, cpu]) => [
    name,
    formatNumber(cpu),
    cpu === plain ? '' : `${cpu < plain ? '-' : '+'}${formatNumber(Math.abs(cpu - plain))}`,
  ]);
  console.log(table(['server', 'CPU of a request, µs', 'beside this server without security, µs'], rows));
  return Promise.resolve(0);
}
