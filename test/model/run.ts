/** `npm run ts -- test/model/run.ts`: random state machines over HTTP, compared with a model of the pet store. */
import { parseArgs } from 'node:util';
import { startTestServer } from 'specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';
import { hunt } from './hunt.ts';
import { PARTS } from './stream-requests.ts';

const HELP = `model: random requests of four clients at once, with faults, compared with a model of the pet store

usage: npm run ts -- test/model/run.ts [options]

options:
  --seconds N   how long it runs, until the first problem (60)
  --seed N      the runs of an earlier one; without it a new seed, which is printed
  --path PATH   with --seed: begins with the run that failed
  --part PART   store, uploads, items or all: what the runs are made of (all)
  --calm        without the second actor: no faults, restarts and changes of plans
  --shrink N    how many seconds a problem is made smaller (20)
  --lenient     versions may grow with requests that change nothing
  --help        shows this

exit codes:
  0  no problem was found
  1  a problem, with the requests that led to it
  2  the arguments cannot be used
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    path: { type: 'string' },
    part: { type: 'string', default: 'all' },
    shrink: { type: 'string', default: '20' },
    calm: { type: 'boolean', default: false },
    lenient: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed);
const part = PARTS.find((name) => name === values.part);
if (values.help) console.log(HELP);
else if (!(seconds > 0) || !Number.isInteger(seed) || part === undefined) {
  console.error(`--seconds and --seed must be numbers, --part one of ${PARTS.join(', ')}`);
  process.exitCode = 2;
} else {
  console.log(`seed ${seed}, for ${seconds} s`);
  const server = await startTestServer({ schema });
  try {
    const { problem, summary } = await hunt({
      seconds,
      seed,
      path: values.path,
      part,
      hasFaults: !values.calm,
      isLenient: values.lenient,
      shrinkSeconds: Number(values.shrink),
    });
    console.log(summary);
    if (problem !== undefined) {
      console.error(problem);
      process.exitCode = 1;
    }
  } finally {
    await server.stop();
  }
}
