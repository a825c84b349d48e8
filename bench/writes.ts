/** The CPU cost of a write: this server beside its peers, on a PostgreSQL whose commits reach the disk. */
import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compile } from './requests/compile.ts';
import { SPEC } from './requests/measure-all.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, readJson, writeFormatted } from './requests/report/results.ts';
import { copyPeers, installPeers } from './requests/servers/peers.ts';
import { withServers } from './requests/servers/running-server.ts';
import { withWriteDatabase } from './writes/database.ts';
import { measureWrites, type WriteFigure } from './writes/measure.ts';
import { WRITES, type Write } from './writes/operations.ts';
import { compareWrites, fillWrites, formatWrites, WRITE_RESULTS, type WriteRun } from './writes/report.ts';
import { BARE_WRITES, OWN_WRITES, writeServers, WRITE_SERVERS } from './writes/servers.ts';

export const help = `npm run bench -- writes [options]

Measures writes of this server and its peers in turn, in one run: orders, pets, changes and deletions, of one account and of 200; with an
Idempotency-Key, this server alone. TMPDIR must be on a disk. About 6 minutes.

  --save              writes bench/results/writes.json and its section of bench/results/README.md
  --check             this server beside the bare one alone, 2 minutes; fails if a write costs 15 % more beside it than in bench/results/writes.json
  --servers LIST      only these: ${WRITE_SERVERS.map(({ id }) => id).join(', ')}
  --writes LIST       only these: ${WRITES.join(', ')}
  --accounts LIST     one, many; both if it is not given
  --connections N     clients at the same time; 32 if it is not given
  --rounds N          rounds, after one that warms up; 3 if it is not given
  --ms N              how long each server is kept busy in a round; 1500 if it is not given`;

const options = {
  save: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  servers: { type: 'string' },
  writes: { type: 'string' },
  accounts: { type: 'string', default: 'one,many' },
  connections: { type: 'string', default: '32' },
  rounds: { type: 'string', default: '3' },
  ms: { type: 'string', default: '1500' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.check) return check(values);
  const { date, commit, machine, node, versions } = describeRun(process.version, {}, {});
  const figures = await measure(values, values.servers?.split(','), (values.writes?.split(',') ?? WRITES) as Write[]);
  const connections = Number(values.connections);
  const measured: WriteRun = { date, commit, machine, node, versions, load: loadavg()[1] ?? 0, connections, figures };
  console.log(formatWrites(measured));
  if (!values.save) return 0;
  await writeFormatted(WRITE_RESULTS, JSON.stringify(measured));
  await writeFormatted(RESULTS_PAGE, fillWrites(readFileSync(RESULTS_PAGE, 'utf8'), measured));
  return 0;
}

async function measure(values: Values, servers: readonly string[] | undefined, writes: readonly Write[]): Promise<WriteFigure[]> {
  const entries = writeServers(servers);
  const progress = createProgress();
  copyPeers();
  if (entries.some(({ packages }) => packages.length > 0)) installPeers((text) => progress.show(text));
  await compile();
  try {
    return await withWriteDatabase((database) =>
      withServers(entries, { node: process.execPath, env: { SPEC, ...database.env } }, (running) =>
        measureWrites(running, {
          database,
          writes,
          accounts: values.accounts.split(',') as ('one' | 'many')[],
          connections: Number(values.connections),
          rounds: Number(values.rounds),
          ms: Number(values.ms),
          onRound: (round) => progress.show(`round ${round + 1} of ${values.rounds}`),
        }),
      ),
    );
  } finally {
    progress.clear();
  }
}

/** A neighbour on the machine can slow one server down for a while; a regression is there again. @returns the exit code. */
async function check(values: Values): Promise<number> {
  if (!existsSync(WRITE_RESULTS)) throw new Error('there is nothing to compare with: npm run bench -- writes --save');
  const { figures: committed } = readJson<Pick<WriteRun, 'figures'>>(WRITE_RESULTS, { figures: [] });
  const compare = async () =>
    compareWrites(
      await measure(
        values,
        [BARE_WRITES, OWN_WRITES],
        (values.writes?.split(',') as Write[] | undefined) ?? ['order', 'pet', 'patch', 'delete'],
      ),
      committed,
    );
  let compared = await compare();
  if (compared.isWorse) compared = await compare();
  console.log(compared.lines.join('\n'));
  if (compared.isWorse)
    console.error('A write costs over 15 % more than the committed figures. If it has to be: npm run bench -- writes --save');
  return compared.isWorse ? 1 : 0;
}
