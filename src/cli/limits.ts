/** `npm run limits`: lifts the ban of an API key, on the same database as the server. */
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { unban } from '../db/limits.ts';
import { schemaProblem } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { explain } from '../errors.ts';

const USAGE = `usage: npm run -s limits -- unban --key ID

  unban   lifts the ban of an API key and forgets its strikes; every server follows within a second

The database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of the output.`;

/** Thrown for arguments that cannot be used; the usage follows. */
class UsageError extends Error {}

/** @returns the key's id. */
function parse(args: readonly string[]): number {
  const { values, positionals } = parseArgs({ args: [...args], options: { key: { type: 'string' } }, allowPositionals: true });
  const [command, ...rest] = positionals;
  if (command !== 'unban') throw new UsageError(command === undefined ? 'what should be done?' : `there is no command ${command}`);
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is one argument too many`);
  if (values.key === undefined) throw new UsageError('--key is missing');
  if (!/^[1-9]\d{0,15}$/.test(values.key)) throw new UsageError(`${values.key} is not the id of a key: it is a whole number`);
  return Number(values.key);
}

async function main(keyId: number): Promise<void> {
  const database = await openDatabase(readConfig());
  try {
    const problem = await schemaProblem(database.db);
    if (problem !== undefined) throw new Error(problem);
    if (!(await unban(database.url, keyId))) throw new Error(`key ${keyId} is not banned`);
    console.log(`key ${keyId}: the ban is lifted`);
  } finally {
    await database.close();
  }
}

try {
  await main(parse(process.argv.slice(2)));
} catch (error) {
  console.error(explain(error));
  const misused = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (misused) console.error(USAGE);
  process.exitCode = misused ? 2 : 1;
}
