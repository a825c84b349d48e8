/** The CPU cost of a write: this server beside its peers, on a PostgreSQL whose commits reach the disk. */
import { parseArgs } from 'node:util';
import { compile } from './requests/compile.ts';
import { SPEC } from './requests/measure-all.ts';
import { createProgress } from './requests/progress.ts';
import { copyPeers, installPeers } from './requests/servers/peers.ts';
import { withServers } from './requests/servers/running-server.ts';
import { withWriteDatabase } from './writes/database.ts';
import { measureWrites, type WriteFigure } from './writes/measure.ts';
import { WRITE_TITLES, WRITES, type Write } from './writes/operations.ts';
import { writeServers, WRITE_SERVERS } from './writes/servers.ts';

export const help = `npm run bench -- writes [options]

Measures writes of this server and its peers in turn, in one run: orders, pets, changes and deletions, of one account and of 200.

  --servers LIST      only these: ${WRITE_SERVERS.map(({ id }) => id).join(', ')}
  --writes LIST       only these: ${WRITES.join(', ')}
  --accounts LIST     one, many; both if it is not given
  --connections N     clients at the same time; 32 if it is not given
  --rounds N          rounds, after one that warms up; 3 if it is not given
  --ms N              how long each server is kept busy in a round; 2000 if it is not given`;

const options = {
  servers: { type: 'string' },
  writes: { type: 'string', default: WRITES.join(',') },
  accounts: { type: 'string', default: 'one,many' },
  connections: { type: 'string', default: '32' },
  rounds: { type: 'string', default: '3' },
  ms: { type: 'string', default: '2000' },
} as const;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const entries = writeServers(values.servers?.split(','));
  const progress = createProgress();
  copyPeers();
  if (entries.some(({ packages }) => packages.length > 0)) installPeers((text) => progress.show(text));
  await compile();
  const figures = await withWriteDatabase((database) =>
    withServers(entries, { node: process.execPath, env: { SPEC, ...database.env } }, (servers) =>
      measureWrites(servers, {
        database,
        writes: values.writes.split(',') as Write[],
        accounts: values.accounts.split(',') as ('one' | 'many')[],
        connections: Number(values.connections),
        rounds: Number(values.rounds),
        ms: Number(values.ms),
        onRound: (round) => progress.show(`round ${round + 1} of ${values.rounds}`),
      }),
    ),
  );
  progress.clear();
  print(figures);
  return 0;
}

function print(figures: readonly WriteFigure[]): void {
  const titles = new Map(WRITE_SERVERS.map(({ id, title }) => [id, title]));
  let heading = '';
  for (const { server, write, accounts, cpu, databaseCpu, perSecond, p50, p99 } of figures) {
    const next = `${WRITE_TITLES[write]}, ${accounts === 'one' ? 'one account' : '200 accounts'}`;
    if (next !== heading) console.log(`\n${next}`);
    heading = next;
    const columns = [cpu.toFixed(3), databaseCpu.toFixed(3), perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)];
    console.log(`  ${(titles.get(server) ?? server).padEnd(48)}${columns.map((column) => column.padStart(9)).join('')}`);
  }
  console.log('\nms of CPU of the server and of PostgreSQL for a request, requests a second, p50 and p99 in ms');
}
