/** Uploads, downloads and streams of events: memory and CPU of a server, beside busboy, multer and `node:http`. */
import { createProgress, defineCommand } from '@specwright/server/command';
import { measureEvents } from './streams/events.ts';
import { GIB, MIB } from './streams/support.ts';
import { measureTransfers, type Transfer } from './streams/transfers.ts';
import { nodeExecutable, NODE_OPTION, positive } from './support/arguments.ts';
import { compile, compiled, type Program } from './support/compile.ts';
import { describeRun, publish, table } from './support/report.ts';
import { withServers, type RunningServer } from './support/running-server.ts';

const AT_ONCE = 50;
const DEFAULT_UPLOADS = 1000;
const DEFAULT_STREAMS = 5000;

const OWN = { title: 'this server', program: 'streams-this-server' } as const;
const BARE = { title: 'node:http', program: 'streams-node-http' } as const;
const BUSBOY = { title: 'busboy', program: 'streams-busboy' } as const;
const MULTER = { title: 'multer in Express', program: 'streams-multer' } as const;
interface StreamServer {
  readonly title: string;
  readonly program: Program;
}

const BYTES = { method: 'PUT', path: '/bytes' } as const;
const FORM = { method: 'POST', path: '/form' } as const;
const FILES = { method: 'POST', path: '/spooled' } as const;
const DOWNLOAD = { method: 'GET', path: '/bytes' } as const;

/** What is sent, and which servers are measured with it. */
const transfersOf = (uploads: number): [what: string, transfer: Transfer, servers: readonly StreamServer[]][] => {
  const many = { bytes: 40 * MIB, count: uploads, atOnce: AT_ONCE };
  const one = { bytes: 2 * GIB, count: 1, atOnce: 1 };
  return [
    [`${uploads} uploads of 40 MiB, bytes`, { ...BYTES, ...many }, [BARE, OWN]],
    [`${uploads} uploads of 40 MiB, form`, { ...FORM, ...many }, [BUSBOY, OWN]],
    [`${uploads} uploads of 40 MiB, form to files`, { ...FILES, ...many }, [MULTER, OWN]],
    ['1 upload of 2048 MiB, form', { ...FORM, ...one }, [OWN]],
    ['1 download of 2048 MiB', { ...DOWNLOAD, ...one }, [BARE, OWN]],
  ];
};

export const command = defineCommand({
  description: `Uploads of 40 MiB, ${AT_ONCE} at once, as files of a form and as bytes; one of 2 GiB, and a download; open streams of events, with other requests beside them. Each server in its process: this one, node:http, busboy on it, and multer in Express. About 8 minutes.`,
  options: {
    uploads: { type: 'string', value: 'N', description: `uploads by each server; ${DEFAULT_UPLOADS} by default` },
    streams: {
      type: 'string',
      value: 'N',
      description: `open streams, each with a file descriptor here and there; ${DEFAULT_STREAMS} by default`,
    },
    node: NODE_OPTION,
    save: { type: 'boolean', description: 'writes bench/results/streams.md' },
  },
  examples: ['npm run bench -- streams --uploads 100 --streams 1000'],
  failure: 'a server answers otherwise than it should',
  async run({ values }) {
    const uploads = positive(values.uploads, '--uploads', DEFAULT_UPLOADS);
    const streams = positive(values.streams, '--streams', DEFAULT_STREAMS);
    const executable = nodeExecutable(values.node);
    const progress = createProgress();
    await compile();
    let node = '';
    /** Each in a new process: what one has left in memory is not the next one's. */
    const measure = <T>({ title, program }: StreamServer, what: string, use: (server: RunningServer) => Promise<T>): Promise<T> => {
      progress.show(`${what}: ${title}`);
      return withServers([{ id: program, title, module: compiled(program) }], { node: executable }, async ([server]) => {
        if (server === undefined) throw new Error('no server was started');
        node = server.node;
        return use(server);
      });
    };
    const transfers: string[][] = [];
    for (const [what, transfer, servers] of transfersOf(uploads))
      for (const server of servers) {
        const figure = await measure(server, what, (running) => measureTransfers(running, transfer));
        const { peakMiB, cpuSecondsPerGiB, mibPerSecond } = figure;
        transfers.push([`${what}: ${server.title}`, peakMiB.toFixed(0), cpuSecondsPerGiB.toFixed(2), mibPerSecond.toFixed(0)]);
      }
    const events: string[][] = [];
    for (const server of [BARE, OWN]) {
      const what = `${streams} streams of events`;
      const { kibPerStream, cpuPerEvent, p50, p99 } = await measure(server, what, (running) => measureEvents(running, streams));
      events.push([`${what}: ${server.title}`, ...[kibPerStream, cpuPerEvent, p50, p99].map((value) => value.toFixed(1))]);
    }
    progress.clear();
    const parts = [
      describeRun(node),
      table(['bodies', 'most memory, MiB', 'CPU, s per GiB', 'MiB/s'], transfers),
      table(['streams', 'memory of one, KiB', 'CPU of an event in one, µs', 'p50 of other requests, ms', 'p99, ms'], events),
    ];
    await publish('streams', parts, values.save);
  },
});
