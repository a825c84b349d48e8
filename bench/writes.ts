/** The CPU cost of a write: this server beside its peers, on a PostgreSQL whose commits reach the disk. */
import { createProgress, defineCommand, type Arguments } from '@specwright/server/command';
import { listed, positive } from './support/arguments.ts';
import { compile, SPEC } from './support/compile.ts';
import { check, setBaseline } from './support/gate.ts';
import { copyPeers, installPeers, peerVersions } from './support/peers.ts';
import { describeRun, publish } from './support/report.ts';
import { withServers } from './support/running-server.ts';
import { withWriteDatabase } from './writes/database.ts';
import { formatWrites, writeRatios } from './writes/figures.ts';
import { measureWrites, WRITERS, type WriteFigure } from './writes/measure.ts';
import { WRITES, type Write } from './writes/operations.ts';
import { BARE_WRITES, OWN_WRITES, WRITE_SERVERS } from './writes/servers.ts';

const IDS = WRITE_SERVERS.map(({ id }) => id);
const CONNECTIONS = 32;
const ROUNDS = 3;
const ROUND_MS = 1500;

const options = {
  servers: { type: 'string', value: 'LIST', description: `only these: ${IDS.join(', ')}` },
  writes: { type: 'string', value: 'LIST', description: `only these: ${WRITES.join(', ')}` },
  accounts: { type: 'string', value: 'LIST', description: `${WRITERS.join(', ')}; both by default` },
  connections: { type: 'string', value: 'N', description: `clients at the same time; ${CONNECTIONS} by default` },
  rounds: { type: 'string', value: 'N', description: `rounds, after one that warms up; ${ROUNDS} by default` },
  ms: { type: 'string', value: 'N', description: `how long each server is kept busy in a round; ${ROUND_MS} by default` },
  save: { type: 'boolean', description: 'writes bench/results/writes.md' },
  check: {
    type: 'boolean',
    description: 'the gate, 2 minutes: fails if a write costs 15 % more CPU beside the bare server than bench/results/baseline.json says',
  },
  'set-baseline': { type: 'boolean', description: 'records the ratios of now as the baseline' },
} as const;

export const command = defineCommand({
  description:
    'Measures writes of this server and its peers in turn, in one run: orders, pets, changes and deletions, of one account and of 200; with an Idempotency-Key, this server alone. TMPDIR must be on a disk. About 6 minutes.',
  options,
  examples: ['npm run bench -- writes --writes order --accounts many', 'npm run bench -- writes --check'],
  failure: 'a server answers otherwise than it should, or costs more than the baseline allows',
  async run({ values }) {
    const isGate = values.check || values['set-baseline'];
    const ids = isGate ? [BARE_WRITES, OWN_WRITES] : listed(values.servers, IDS, '--servers');
    // The bare server has no Idempotency-Key to be compared with.
    const writes = listed(values.writes, WRITES, '--writes').filter((write) => !isGate || !write.endsWith('-key'));
    const measureRatios = async () => ({ node: process.version, ratios: writeRatios(await measure(values, ids, writes)) });
    if (values['set-baseline']) return setBaseline('writes', measureRatios);
    if (values.check) return check('writes', measureRatios);
    const figures = await measure(values, ids, writes);
    const versions = peerVersions(WRITE_SERVERS.filter(({ id }) => ids.includes(id)));
    await publish('writes', [describeRun(process.version), ...versions, formatWrites(figures)], values.save);
  },
});

type Values = Arguments<typeof options>['values'];

async function measure(values: Values, ids: readonly string[], writes: readonly Write[]): Promise<WriteFigure[]> {
  const entries = WRITE_SERVERS.filter(({ id }) => ids.includes(id));
  const rounds = positive(values.rounds, '--rounds', ROUNDS);
  const progress = createProgress();
  copyPeers();
  installPeers(entries);
  await compile();
  try {
    return await withWriteDatabase((database) =>
      withServers(entries, { node: process.execPath, env: { SPEC, ...database.env } }, (running) =>
        measureWrites(running, {
          database,
          writes,
          accounts: listed(values.accounts, WRITERS, '--accounts'),
          connections: positive(values.connections, '--connections', CONNECTIONS),
          rounds,
          ms: positive(values.ms, '--ms', ROUND_MS),
          onRound: (round) => progress.show(`round ${round + 1} of ${rounds}`),
        }),
      ),
    );
  } finally {
    progress.clear();
  }
}
