/** What compression costs and saves: the CPU and the size of responses of some lengths, by this server and by Express's middleware. */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { CODINGS, measureCompression } from './compression/measure.ts';
import { COMPRESSION_RESULTS, fillCompression, formatCompression, type Compression, type CompressionRun } from './compression/report.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, major, readJson, writeFormatted } from './requests/report/results.ts';

const DEFAULT_ROUNDS = '15';

export const help = `npm run bench -- compression [options]

Responses of 1, 4, 16 and 200 KB of JSON in memory, ${CODINGS.join(', ')}: their bytes, and the CPU of a request. By this server, and by the
middleware compression in front of it. About 1 minute.

  --rounds N  rounds of each: ${DEFAULT_ROUNDS} if it is not given
  --save      writes bench/results/compression.json and its section of bench/results/README.md`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: DEFAULT_ROUNDS }, save: { type: 'boolean', default: false } },
  });
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number from 1');
  const { show, clear } = createProgress();
  const figures = await measureCompression({ rounds, onRound: (round) => show(`round ${round + 1} of ${rounds}`) });
  clear();
  const { date, commit, machine, node } = describeRun(process.version, {}, {});
  const measured: CompressionRun = { date, commit, machine, node, load: loadavg()[1] ?? 0, figures };
  console.log(formatCompression(measured));
  if (!values.save) return 0;
  const saved = { ...readJson<Compression>(COMPRESSION_RESULTS, {}), [major(node)]: measured };
  await writeFormatted(COMPRESSION_RESULTS, JSON.stringify(saved));
  await writeFormatted(RESULTS_PAGE, fillCompression(readFileSync(RESULTS_PAGE, 'utf8'), saved));
  return 0;
}
