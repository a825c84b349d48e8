/** `npm run bench -- NAME`: runs one scenario of this folder. */

/** What a scenario's module exports. */
interface Scenario {
  /** What `--help` says after the name; a scenario without takes no options. */
  readonly help?: string;
  /** @returns the exit code, if it may be another than 0. */
  readonly run: (args: readonly string[]) => Promise<unknown>;
}

const SCENARIOS: Readonly<Record<string, { summary: string; load: () => Promise<Scenario> }>> = {
  requests: { summary: 'CPU of a request, beside other servers', load: () => import('./requests.ts') },
  profile: { summary: 'Where a request spends its time, by function', load: () => import('./profile.ts') },
  limiter: { summary: 'Decisions about rate limits, beside rate-limiter-flexible', load: () => import('./limiter.ts') },
  boot: { summary: 'CPU of a start with 400 operations, and of a request to the last of them', load: () => import('./boot.ts') },
  edits: { summary: 'What the development loop says of forty edits, as docs/edits.md', load: () => import('./edits.ts') },
  loop: { summary: 'From a save to generated files and compile errors', load: () => import('./loop.ts') },
};

const USAGE = `npm run bench -- NAME [options]

${Object.entries(SCENARIOS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

npm run bench -- NAME --help tells the options.`;

const [name = '', ...args] = process.argv.slice(2);
const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
if (scenario === undefined) {
  const asked = name === '--help' || name === '-h';
  (asked ? console.log : console.error)(asked ? USAGE : `${name === '' ? 'missing scenario' : `unknown scenario ${name}`}\n\n${USAGE}`);
  process.exitCode = asked ? 0 : 2;
} else {
  const { help = `npm run bench -- ${name}\n\n${scenario.summary}. It has no options.`, run } = await scenario.load();
  if (args.includes('--help') || args.includes('-h')) console.log(help);
  else {
    try {
      const code = await run(args);
      process.exitCode = typeof code === 'number' ? code : 0;
    } catch (error) {
      const isUsage = (error as { code?: unknown }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
      console.error((error as Error).message);
      if (isUsage) console.error(`\n${help}`);
      process.exitCode = isUsage ? 2 : 1;
    }
  }
}
