/** CPU of the server's process for a request, by transport: the same handler behind `node:http` and behind `node:http2`, in turn. */
import { compile, compiled } from '../requests/compile.ts';
import { CONSTANT_TARGET } from '../requests/operations.ts';
import { SPEC } from '../requests/measure-all.ts';
import { copyPeers } from '../requests/servers/peers.ts';
import { withServers } from '../requests/servers/running-server.ts';
import { BARE, CACHE, type ServerEntry } from '../requests/servers/servers.ts';
import { measureLatency } from '../support/measure-latency.ts';
import { http1, http2, type Client, type CreateClient } from './clients.ts';
import type { Http2Figure } from './report.ts';

const IN_FLIGHT = 32;
/** How long each server is kept busy in a round, in ms. */
const ROUND_MS = 1500;

const { petId, apiKey } = CONSTANT_TARGET;
const PATH = `/store/pets/${petId}`;
const HEADERS = { Authorization: `Bearer ${apiKey}`, Accept: 'application/json', 'User-Agent': 'bench/1.0' };

const entry = (id: string, module: string): Omit<ServerEntry, 'title'> => ({
  id,
  module,
  execArgv: [],
  env: {},
  packages: [],
  harnesses: [],
});

const CASES: readonly { readonly entry: ServerEntry; readonly transport: string; readonly create: CreateClient }[] = [
  ...transports('Node', entry(BARE, `${CACHE}peers/node-http.js`), entry('node-http2', `${CACHE}peers/node-http2.js`)),
  ...transports('this server, built', entry('http1', compiled('petstore')), entry('http2', compiled('petstore-http2'))),
];

/** The first is what the others are compared with. */
function transports(title: string, over1: Omit<ServerEntry, 'title'>, over2: Omit<ServerEntry, 'title'>) {
  return [
    { entry: { ...over1, title }, transport: `HTTP/1.1, ${IN_FLIGHT} connections`, create: http1(IN_FLIGHT) },
    { entry: { ...over2, title }, transport: 'HTTP/2, 1 connection', create: http2(1) },
    { entry: { ...over2, title }, transport: `HTTP/2, ${IN_FLIGHT} connections`, create: http2(IN_FLIGHT) },
  ];
}

export interface Http2Options {
  /** The path of a Node executable. */
  readonly node: string;
  readonly rounds: number;
  readonly onRound: (round: number) => void;
}

/** The first round warms up and does not count. @throws Error if a request is not answered 200. */
export async function measureHttp2({ node, rounds, onRound }: Http2Options): Promise<{ node: string; figures: Http2Figure[] }> {
  copyPeers();
  await compile();
  return withServers(
    CASES.map((one) => one.entry),
    { node, env: { SPEC } },
    async (servers) => {
      const figures = CASES.map(({ entry: { title }, transport }) => ({ server: title, transport, cpu: Infinity, perSecond: 0 }));
      for (let round = -1; round < rounds; round++) {
        onRound(round);
        for (const [i, server] of servers.entries()) {
          const client = CASES[i]?.create({ port: server.port, path: PATH, headers: HEADERS }) as Client;
          let requests = 0;
          const before = await server.ask({ kind: 'cpu' });
          const { perSecond } = await measureLatency(
            async () => {
              const status = await client.send();
              if (status !== 200) throw new Error(`${server.entry.title}: answered ${status}`);
              requests += 1;
            },
            IN_FLIGHT,
            ROUND_MS,
          );
          const cpu = (await server.ask({ kind: 'cpu' })) - before;
          client.close();
          const figure = figures[i] as (typeof figures)[number];
          if (round < 0) continue;
          figure.cpu = Math.min(figure.cpu, cpu / requests);
          figure.perSecond = Math.max(figure.perSecond, Math.round(perSecond));
        }
      }
      return { node: servers[0]?.node ?? '', figures };
    },
  );
}
