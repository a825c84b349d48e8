/** `npm run bench -- NAME`: runs one scenario of this folder. */
import { didYouMean } from '@specwright/server/command';

/** What a scenario's module exports. */
interface Scenario {
  /** What `--help` says after the name; a scenario without takes no options. */
  readonly help?: string;
  /** @returns the exit code, if it may be another than 0. */
  readonly run: (args: readonly string[]) => Promise<unknown>;
}

const SCENARIOS: Readonly<Record<string, { summary: string; load: () => Promise<Scenario> }>> = {
  requests: { summary: 'CPU of a request, beside other servers', load: () => import('./requests.ts') },
  writes: {
    summary: 'CPU of a write with PostgreSQL, of the server and of the database, beside other servers',
    load: () => import('./writes.ts'),
  },
  profile: { summary: 'Where a request spends its time, by function', load: () => import('./profile.ts') },
  breakdown: { summary: 'Where the CPU of a request with PostgreSQL goes, by part', load: () => import('./breakdown.ts') },
  scale: { summary: 'Operations, connections, rows and arrival rates: what grows', load: () => import('./scale.ts') },
  workers: { summary: 'Requests for each second of CPU, with one worker and with several', load: () => import('./workers.ts') },
  limiter: { summary: 'Decisions about rate limits, beside rate-limiter-flexible', load: () => import('./limiter.ts') },
  compression: { summary: 'CPU and bytes of compressed responses', load: () => import('./compression.ts') },
  http2: { summary: 'CPU of a request over HTTP/2 without TLS, beside HTTP/1.1', load: () => import('./http2.ts') },
  bodies: { summary: 'Memory and CPU of uploads, downloads and open streams of events', load: () => import('./bodies.ts') },
  tokens: { summary: 'CPU of a request with an access token, beside other packages', load: () => import('./tokens.ts') },
  boot: { summary: 'Cold start of the pet store, and the start of a server with 845 operations', load: () => import('./boot.ts') },
  compile: { summary: 'Compiling the schemas of a document: CPU, heap, and whom it keeps waiting', load: () => import('./compile.ts') },
  edits: { summary: 'What the development loop says of forty edits, as bench/results/edits.md', load: () => import('./edits.ts') },
  docs: { summary: 'The page at /docs beside plain Swagger UI and Scalar: bytes and time', load: () => import('./docs.ts') },
  pictures: { summary: 'The pictures of the documents: pipeline, recording of the loop', load: () => import('./pictures.ts') },
  loop: { summary: 'From a save to generated files and compile errors', load: () => import('./loop.ts') },
};

const EXIT_CODES = `exit codes:
  0  success
  1  the measurement failed, or a figure is not what it should be
  2  the arguments cannot be used`;

const HELP = `bench: measurements of this project, beside other libraries

usage: npm run bench -- NAME [options]

scenarios:
${Object.entries(SCENARIOS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join('\n')}

options:
  --help  shows this; after NAME, what that takes

examples:
  npm run bench -- requests --harness memory --rounds 5
  npm run bench -- boot

${EXIT_CODES}`;

const isHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h');

const [name = '', ...args] = process.argv.slice(2);
const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
if (isHelp([name])) console.log(HELP);
else if (scenario === undefined) {
  const problem = name === '' ? 'missing scenario' : `unknown scenario ${name}${didYouMean(name, Object.keys(SCENARIOS))}`;
  console.error(`${problem}\nRun npm run bench -- --help for the list of scenarios.`);
  process.exitCode = 2;
} else {
  const { help = `npm run bench -- ${name}\n\n${scenario.summary}. It has no options.`, run } = await scenario.load();
  if (isHelp(args)) console.log(`${help}\n\n${EXIT_CODES}`);
  else {
    try {
      const code = await run(args);
      process.exitCode = typeof code === 'number' ? code : 0;
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string };
      const isUsage = code.startsWith('ERR_PARSE_ARGS');
      const unknown = /^Unknown option '(-[^']+)'/.exec(message)?.[1];
      const options = [...help.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
      console.error(unknown === undefined ? message : `unknown option ${unknown}${didYouMean(unknown, options)}`);
      if (isUsage) console.error(`\n${help}`);
      process.exitCode = isUsage ? 2 : 1;
    }
  }
}
