/** Where a request spends its time: functions of the whole process by self time, with requests in memory. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compile } from './requests/compile.ts';
import { ownedTimes, selfTimes, type Share } from './requests/cpu-profile.ts';
import { SPEC } from './requests/measure-all.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { CONSTANT_TARGET, exchangeOf, OPERATION_TITLES, OPERATIONS } from './requests/operations.ts';
import { copyPeers } from './requests/servers/peers.ts';
import { withServers } from './requests/servers/running-server.ts';
import { serversOf } from './requests/servers/servers.ts';

export const help = `npm run bench -- profile [options]

Functions by self time, in percent and µs for a request; then files of this project, with what they call.

  --server ID         which server of the requests scenario; petstore-built if it is not given
  --top N             how many functions; 30 if it is not given
  --requests N        how many requests; 100000 if it is not given
  --node VERSION|PATH the Node that runs it
  --out FILE          writes the profiles too, for Chrome DevTools: FILE.getPet.cpuprofile, FILE.createPet.cpuprofile`;

const WARM_UP = 20_000;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      server: { type: 'string', default: 'petstore-built' },
      top: { type: 'string', default: '30' },
      requests: { type: 'string', default: '100000' },
      node: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const [top, count] = [Number(values.top), Number(values.requests)];
  const entries = serversOf('memory', [values.server]);
  if (entries.length === 0) throw new Error(`there is no server ${values.server}`);
  copyPeers();
  await compile();
  await withServers(entries, { node: nodeExecutable(values.node), env: { SPEC } }, async ([server]) => {
    if (server === undefined) return;
    for (const operation of OPERATIONS) {
      const exchange = exchangeOf(operation, { ...CONSTANT_TARGET, base: server.entry.base });
      await server.ask({ kind: 'batch', exchange, count: WARM_UP });
      const cpu = await server.ask({ kind: 'batch', exchange, count: WARM_UP });
      const profile = await server.ask({ kind: 'profile', exchange, count });
      if (values.out !== undefined) writeFileSync(`${values.out}.${operation}.cpuprofile`, JSON.stringify(profile));
      console.log(`\n${OPERATION_TITLES[operation]}: ${server.entry.title}, Node ${server.node}, ${cpu.toFixed(1)} µs for a request\n`);
      const print = (shares: readonly Share[]) => {
        for (const { name, share } of shares.slice(0, top))
          console.log(`${(share * 100).toFixed(1).padStart(6)} %${(share * cpu).toFixed(2).padStart(8)} µs  ${name}`);
      };
      print(selfTimes(profile));
      console.log('\nWith what they call: files of this project, Express, node:http');
      print(ownedTimes(profile, ownerOf));
    }
  });
}

/** Files of this project are owners. So are the libraries that call them; what Node does on behalf of a step is the step's. */
function ownerOf(file: string, caller: string | undefined): string | undefined {
  if (/^(packages|src|generated)\//.test(file)) return file;
  if (file.startsWith('.cache/')) return 'the bench';
  if (file.startsWith('express-openapi-validator/')) return 'express-openapi-validator';
  if (/^(router|express)\//.test(file)) return 'Express: router and application';
  return file.startsWith('node:') && (caller === undefined || caller === 'the bench') ? 'node:http, streams, timers' : undefined;
}
