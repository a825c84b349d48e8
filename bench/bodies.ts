/** Uploads, downloads and streams of events: memory and CPU of a server, beside busboy, multer and `node:http`. */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureEvents } from './bodies/events.ts';
import {
  BODIES_RESULTS,
  fillBodies,
  formatBodies,
  type Bodies,
  type BodiesRun,
  type EventFigure,
  type TransferFigure,
} from './bodies/report.ts';
import { GIB, MIB } from './bodies/support.ts';
import { measureTransfers, type Transfer } from './bodies/uploads.ts';
import { compile, compiled } from './requests/compile.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, major, readJson, writeFormatted } from './requests/report/results.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';
import { withServers } from './requests/servers/running-server.ts';

const DEFAULT_UPLOADS = '1000';
const DEFAULT_STREAMS = '5000';
const UPLOAD_BYTES = 40 * MIB;
const AT_ONCE = 50;

export const help = `npm run bench -- bodies [options]

Uploads of 40 MiB, ${AT_ONCE} at once, as files of a form and as bytes; one of 2 GiB, and a download; open streams of events, with other requests beside
them. Each server in its process: this one, node:http, busboy on it, and multer in Express. About 8 minutes.

  --uploads N         uploads by each server: ${DEFAULT_UPLOADS} if it is not given
  --streams N         open streams: ${DEFAULT_STREAMS} if it is not given; each takes a file descriptor here and there
  --node VERSION|PATH the Node that runs the servers
  --save              writes bench/results/bodies.json and its section of bench/results/README.md`;

type Program = 'bodies-this-server' | 'bodies-node-http' | 'bodies-busboy' | 'bodies-multer';
const transfer = (title: string, program: Program, more: Pick<Transfer, 'method' | 'path'> & Partial<Transfer>) => ({
  title,
  program,
  more,
});
const LARGE = { bytes: 2 * GIB, count: 1, atOnce: 1 } as const;
const POST = { method: 'POST', path: '/form' } as const;
const SPOOLED = { method: 'POST', path: '/spooled' } as const;
const PUT = { method: 'PUT', path: '/bytes' } as const;
const GET = { method: 'GET', path: '/bytes' } as const;

const TRANSFERS = [
  transfer('node:http, bytes', 'bodies-node-http', PUT),
  transfer('this server, bytes', 'bodies-this-server', PUT),
  transfer('busboy, form', 'bodies-busboy', POST),
  transfer('this server, form', 'bodies-this-server', POST),
  transfer('multer, form to files', 'bodies-multer', SPOOLED),
  transfer('this server, form to files', 'bodies-this-server', SPOOLED),
  transfer('this server, form', 'bodies-this-server', { ...POST, ...LARGE }),
  transfer('node:http', 'bodies-node-http', { ...GET, ...LARGE }),
  transfer('this server', 'bodies-this-server', { ...GET, ...LARGE }),
];

const positive = (text: string, name: string): number => {
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name} must be a whole number from 1`);
  return value;
};

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      uploads: { type: 'string', default: DEFAULT_UPLOADS },
      streams: { type: 'string', default: DEFAULT_STREAMS },
      node: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  });
  const count = positive(values.uploads, 'uploads');
  const streams = positive(values.streams, 'streams');
  const executable = nodeExecutable(values.node);
  await compile();
  const { show, clear } = createProgress();
  let node = '';
  /** Each in a new process: what one has left in memory is not the next one's. */
  const measure = <T>(title: string, program: Program, use: (server: Parameters<typeof measureEvents>[0]) => Promise<T>): Promise<T> => {
    show(title);
    const entry = { id: program, title, module: compiled(program), execArgv: [], env: {}, packages: [], harnesses: [] };
    return withServers([entry], { node: executable, env: {} }, async ([server]) => {
      if (server === undefined) throw new Error('no server was started');
      node = server.node;
      return use(server);
    });
  };
  const transfers: TransferFigure[] = [];
  for (const { title, program, more } of TRANSFERS) {
    const options = { bytes: UPLOAD_BYTES, count, atOnce: AT_ONCE, ...more };
    transfers.push(await measure(title, program, (server) => measureTransfers(server, options)));
  }
  const events: EventFigure[] = [];
  for (const [title, program] of [
    ['node:http', 'bodies-node-http'],
    ['this server', 'bodies-this-server'],
  ] as const)
    events.push(await measure(title, program, (server) => measureEvents(server, streams)));
  clear();
  const { date, commit, machine } = describeRun('', {}, {});
  const measured: BodiesRun = { date, commit, machine, node, load: loadavg()[1] ?? 0, transfers, events };
  console.log(formatBodies(measured));
  if (!values.save) return 0;
  const saved = { ...readJson<Bodies>(BODIES_RESULTS, {}), [major(node)]: measured };
  await writeFormatted(BODIES_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillBodies(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}
