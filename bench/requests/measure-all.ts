/** One run: every harness that is asked for, with the servers and the database that it needs. */
import { fileURLToPath } from 'node:url';
import { compile } from './compile.ts';
import { withDatabase } from './database.ts';
import { measureInMemory } from './in-memory.ts';
import { measureOverLoopback } from './loopback.ts';
import { CONSTANT_TARGET, OPERATIONS } from './operations.ts';
import { copyPeers, installPeers, peerVersions } from './servers/peers.ts';
import { createProgress } from './progress.ts';
import { describeRun, type Figure, type Run } from './report/results.ts';
import { withServers } from './servers/running-server.ts';
import { serversOf, type Harness } from './servers/servers.ts';

export const SPEC = fileURLToPath(new URL('../../generated/document.json', import.meta.url));

export interface MeasureOptions {
  /** The path of the executable. */
  readonly node: string;
  readonly harnesses: readonly Harness[];
  readonly servers?: readonly string[] | undefined;
  readonly rounds?: number | undefined;
}

const ROUNDS: Readonly<Record<Harness, number>> = { memory: 25, loopback: 5, postgres: 5 };

/** @throws InstallError if the peers cannot be installed; Error if a server does not start or answers otherwise than it should. */
export async function measureAll({ node, harnesses, servers: ids, rounds }: MeasureOptions): Promise<Run> {
  const progress = createProgress();
  copyPeers();
  installPeers((text) => progress.show(text));
  await compile();
  const figures: Partial<Record<Harness, Figure[]>> = {};
  let version = '';

  for (const harness of harnesses) {
    const count = rounds ?? ROUNDS[harness];
    const onRound = (round: number) => progress.show(round < 0 ? `${harness}: warming up` : `${harness}: round ${round + 1} of ${count}`);
    const entries = serversOf(harness, ids);
    progress.show(`${harness}: starting ${entries.length} servers`);
    const measure = (env: NodeJS.ProcessEnv, target = CONSTANT_TARGET) =>
      withServers(entries, { node, env: { SPEC, ...env } }, (servers) => {
        version = servers[0]?.node ?? version;
        if (harness === 'memory') return measureInMemory(servers, { rounds: count, onRound });
        const operations = harness === 'loopback' ? OPERATIONS : (['getPet'] as const);
        return measureOverLoopback(servers, { operations, target, rounds: count, onRound });
      });
    figures[harness] = harness === 'postgres' ? await withDatabase(({ env, target }) => measure(env, target)) : await measure({});
  }
  progress.clear();
  return describeRun(version, peerVersions(), figures);
}
