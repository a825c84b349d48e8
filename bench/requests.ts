/** The CPU cost of a request: this server beside its peers, in memory, over loopback and with PostgreSQL. */
import { createProgress, defineCommand } from '@specwright/server/command';
import { CHECKED_SERVERS, formatFigures, ratiosOf, type Figure } from './requests/figures.ts';
import { measureInMemory } from './requests/in-memory.ts';
import { measureOverLoopback } from './requests/loopback.ts';
import { CONSTANT_TARGET, OPERATIONS, type Target } from './requests/operations.ts';
import { HARNESSES, SERVERS, type Harness } from './requests/servers.ts';
import { listed, nodeExecutable, NODE_OPTION, positive } from './support/arguments.ts';
import { compile, SPEC } from './support/compile.ts';
import { createAccountWithPets, withDatabase } from './support/database.ts';
import { check, setBaseline } from './support/gate.ts';
import { copyPeers, installPeers, peerVersions } from './support/peers.ts';
import { describeRun, publish } from './support/report.ts';
import { withServers } from './support/running-server.ts';

const IDS = SERVERS.map(({ id }) => id);

const ROUNDS: Readonly<Record<Harness | 'check' | 'baseline', number>> = { memory: 25, loopback: 5, postgres: 5, check: 12, baseline: 25 };

export const command = defineCommand({
  description: 'Measures this server and its peers in turn, in one run. Installs the peers on first use. About 7 minutes.',
  options: {
    harness: { type: 'string', value: 'LIST', description: `${HARNESSES.join(', ')}; all by default` },
    servers: { type: 'string', value: 'LIST', description: `only these: ${IDS.join(', ')}` },
    rounds: { type: 'string', value: 'N', description: 'rounds of each harness: 25 in memory, 5 over loopback, 12 of the gate' },
    node: NODE_OPTION,
    profile: { type: 'string', value: 'DIR', description: 'writes a CPU profile of each server, for Chrome DevTools: ID.cpuprofile' },
    save: { type: 'boolean', description: 'writes bench/results/requests.md' },
    check: {
      type: 'boolean',
      description: 'the gate: fails if a request in memory costs over 15 % more beside node:http than bench/results/baseline.json says',
    },
    'set-baseline': { type: 'boolean', description: 'records the ratios of now as the baseline' },
  },
  examples: ['npm run bench -- requests --harness memory --rounds 5', 'npm run bench -- requests --check'],
  failure: 'a server answers otherwise than it should, or costs more than the baseline allows',
  async run({ values }) {
    const node = nodeExecutable(values.node);
    const ids = listed(values.servers, IDS, '--servers');
    const harnesses = listed(values.harness, HARNESSES, '--harness');
    const measure = (harness: Harness, servers: readonly string[], rounds: number) =>
      measureHarness(harness, { node, servers, rounds: positive(values.rounds, '--rounds', rounds), profile: values.profile });
    const measureRatios = (rounds: number) => async () => {
      const measured = await measure('memory', CHECKED_SERVERS, rounds);
      return { node: measured.node, ratios: ratiosOf(measured.figures) };
    };
    const entries = SERVERS.filter(({ id }) => ids.includes(id));
    copyPeers();
    // What the gate needs is of this project's own dependencies: nothing is installed for it.
    const isGate = values.check || values['set-baseline'];
    if (!isGate) installPeers(entries);
    await compile();
    if (values['set-baseline']) return setBaseline('requests', measureRatios(ROUNDS.baseline));
    if (values.check) return check('requests', measureRatios(ROUNDS.check));

    const parts: string[] = [];
    let version = '';
    for (const harness of harnesses) {
      const measured = await measure(harness, ids, ROUNDS[harness]);
      version = measured.node;
      parts.push(...formatFigures(harness, measured.figures));
    }
    await publish('requests', [describeRun(version), ...peerVersions(entries), ...parts], values.save);
  },
});

interface MeasureOptions {
  /** The path of the executable. */
  readonly node: string;
  readonly servers: readonly string[];
  readonly rounds: number;
  readonly profile: string | undefined;
}

/** @throws Error if a server does not start or answers otherwise than it should. */
async function measureHarness(harness: Harness, { node, servers: ids, rounds, profile }: MeasureOptions) {
  const progress = createProgress();
  const onRound = (round: number) => progress.show(`${harness}: ${round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`}`);
  const entries = SERVERS.filter(({ id, harnesses }) => harnesses.includes(harness) && ids.includes(id));
  const measure = (env: NodeJS.ProcessEnv, target: Target) =>
    withServers(entries, { node, env: { SPEC, ...env }, profile }, async (servers) => {
      const figures: Figure[] =
        harness === 'memory'
          ? await measureInMemory(servers, { rounds, onRound })
          : await measureOverLoopback(servers, { operations: harness === 'loopback' ? OPERATIONS : ['getPet'], target, rounds, onRound });
      return { node: servers[0]?.node ?? '', figures };
    });
  progress.show(`${harness}: starting ${entries.length} servers`);
  try {
    if (harness !== 'postgres') return await measure({}, CONSTANT_TARGET);
    return await withDatabase({}, async ({ db, env }) => {
      const [subject] = await createAccountWithPets(db, 0, 1);
      if (subject === undefined) throw new Error('the database of the bench has no pet');
      return measure({ ...env, ACCOUNT_ID: String(subject.accountId) }, subject);
    });
  } finally {
    progress.clear();
  }
}
