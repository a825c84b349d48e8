/** `npm run ts -- scripts/fuzz.ts [--seed N|random] [--max-examples N] [--main FILE --base PATH]`: schemathesis against a started server (docs/contributing/testing.md). */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '@specwright/postgres';
import { killProcesses, startProcess } from 'specwright/testing';
import { NAME } from '../src/config.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, 'max-examples': { type: 'string' }, main: { type: 'string', default: 'src/main.ts' }, base: { type: 'string', default: '' } }, // prettier-ignore
});
const seed = values.seed === 'random' ? String(Math.floor(Math.random() * 2 ** 32)) : values.seed;
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
const dataDir = join(folder, 'data');

/** Makes a virtual environment once for each state of the pinned packages. @returns the program. */
function installSchemathesis(): string {
  const requirements = '.config/fuzz-requirements.txt';
  const venv = `.cache/schemathesis-${createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)}`;
  if (!existsSync(join(venv, 'installed'))) {
    rmSync(venv, { recursive: true, force: true });
    if (run('python3', ['-m', 'venv', venv]) !== 0) throw new Error('needs Python 3.11 or later with venv (apt-get install python3-venv)');
    if (run(join(venv, 'bin/pip'), ['install', '--quiet', '--requirement', requirements]) !== 0) throw new Error('pip failed');
    // An unfinished environment is made again.
    writeFileSync(join(venv, 'installed'), '');
  }
  return join(venv, 'bin/schemathesis');
}

const run = (command: string, args: readonly string[], env: object = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status;

/** Keeps the counters at zero: the run makes more requests than any plan allows. Limits are still decided for each request. */
async function liftLimits(): Promise<void> {
  const database = await openDatabase({ name: NAME, databaseUrl: undefined, databasePool: 1, dataDir });
  await database.db
    .raw(
      `CREATE FUNCTION never_fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.minute_used := 0; NEW.day_used := 0; RETURN NEW; END $$;
      CREATE TRIGGER never_fill BEFORE INSERT OR UPDATE ON rate_limit_counters FOR EACH ROW EXECUTE FUNCTION never_fill();`,
    )
    .finally(database.close);
}

const schemathesis = installSchemathesis();
// Messages are not delivered: the run would call addresses that it makes up. A busy machine makes the store of the limits slow.
const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, RESPONSE_VALIDATION: 'strict', LOG_LEVEL: 'warn', RATE_LIMIT_TIMEOUT: '5000', WORKER: 'off' }; // prettier-ignore
const nodeArgs = ['--conditions=@specwright/source', '--import', 'tsx'];
const server = startProcess({ program: values.main, nodeArgs, cwd: process.cwd(), env });
const problems: string[] = [];
try {
  const url = (await server.url()) + values.base;
  await liftLimits();
  const headers = { 'Content-Type': 'application/json' };
  const created = await fetch(`${url}/accounts`, { method: 'POST', headers, body: '{"email":"bob@example.com"}' });
  const keys = [readFileSync(join(dataDir, 'demo-key'), 'utf8').trim(), ((await created.json()) as { apiKey: string }).apiKey];
  // What one account has made, the other must not see.
  const authorization = (key: string | undefined) => [{ name: 'Authorization', value: `Bearer ${key ?? ''}` }];
  const auth = ['ada', 'bob'].map((name, i) => ({ name, fixedHeaders: authorization(keys[i]) }));
  writeFileSync(join(folder, 'auth.json'), JSON.stringify({ auth }), { mode: 0o600 });
  writeFileSync(join(folder, 'document.json'), await (await fetch(`${url}/openapi.json`)).text());
  const examples = values['max-examples'] === undefined ? [] : ['--max-examples', values['max-examples']];
  // Two runs: in a run with all phases, the last one follows only a quarter of the links.
  for (const phases of ['examples,coverage,fuzzing', 'stateful']) {
    const args = ['--config-file', '.config/schemathesis.toml', 'run', join(folder, 'document.json'), '--url', url, '--seed', seed, ...examples, '--phases', phases]; // prettier-ignore
    const variables = { SPECWRIGHT_AUTH_FILE: join(folder, 'auth.json'), HYPOTHESIS_STORAGE_DIRECTORY: folder, PYTHONWARNINGS: 'ignore' };
    if (run(schemathesis, args, variables) !== 0) problems.push(`schemathesis failed in ${phases}`);
  }
  // The runs block this process: it learns only now that the server has closed the connections that it kept.
  await sleep(100);
  const statuses = await Promise.all(keys.map(async (key) => (await fetch(`${url}/account`, { headers: { Authorization: `Bearer ${key}` } })).status)); // prettier-ignore
  if (statuses.some((status) => status !== 200)) problems.push(`after the run, the accounts are answered ${statuses.join(', ')}`);
  // No request may cause an error.
  problems.push(...(server.output.stdout + server.output.stderr).split('\n').filter((line) => /"level":"(error|fatal)"|^\w*Error\b/.test(line))); // prettier-ignore
} finally {
  await killProcesses();
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) throw new Error(`the fuzz run failed: repeat it with --seed ${seed}`);
