/** The CPU of a request over HTTP/2 without TLS, beside HTTP/1.1: the same handler, and Node's own servers. */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureHttp2 } from './http2/measure.ts';
import { fillHttp2, formatHttp2, HTTP2_RESULTS, type Http2, type Http2Run } from './http2/report.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, major, readJson, writeFormatted } from './requests/report/results.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';

const DEFAULT_ROUNDS = '7';

export const help = `npm run bench -- http2 [options]

CPU of the server's process for GET /store/pets/7 over loopback, 32 requests under way, by clients of node:http and node:http2 in this process: over
HTTP/1.1, over one connection of HTTP/2, and over 32 of them. About 2 minutes.

  --rounds N          rounds of each: ${DEFAULT_ROUNDS} if it is not given
  --node VERSION|PATH the Node that runs the servers
  --save              writes bench/results/http2.json and its section of bench/results/README.md`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: DEFAULT_ROUNDS },
      node: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number from 1');
  const { show, clear } = createProgress();
  const { node, figures } = await measureHttp2({
    node: nodeExecutable(values.node),
    rounds,
    onRound: (round) => show(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`),
  });
  clear();
  const { date, commit, machine } = describeRun('', {}, {});
  const measured: Http2Run = { date, commit, machine, node, load: loadavg()[1] ?? 0, figures };
  console.log(formatHttp2(measured));
  if (!values.save) return 0;
  const saved = { ...readJson<Http2>(HTTP2_RESULTS, {}), [major(node)]: measured };
  await writeFormatted(HTTP2_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillHttp2(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}
