/** Whether the installed `pg` and Knex have what this package uses beside their types (docs/internals.md). */
// @ts-expect-error Knex has no types for its dialects.
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';

const KNEX_METHODS = ['acquireConnection', 'releaseConnection', 'acquireRawConnection', 'validateConnection', 'checkVersion'];
const { prototype: dialect } = PostgresDialect as { prototype: object };

type Part = readonly [name: string, owner: object, members: readonly string[]];

function partsInUse(): readonly Part[] {
  const connection = new pg.Connection({ stream: {} } as unknown as pg.ConnectionConfig);
  const client = new pg.Client({ connection } as unknown as pg.ClientConfig);
  return [
    ['pg: Client', client, ['query', 'end', 'getStartupConf', 'connect', 'connection', 'host', 'port', 'pipeline', 'processID']],
    [
      'pg: Connection',
      connection,
      ['attachListeners', 'stream', 'parsedStatements', 'submittedNamedStatements', 'parse', 'bind', 'execute', 'sync'],
    ],
    [
      'pg: Query',
      pg.Query.prototype as object,
      ['requiresPreparation', 'submit', 'prepare', 'handleCommandComplete', 'handleReadyForQuery', 'handleError'],
    ],
    ['knex: Client_PG', dialect, ['_driver', '_query', '_parseVersion', ...KNEX_METHODS]],
  ];
}

/** @returns `pg: Query.prepare` for each that is missing. */
export const missingParts = (parts: readonly Part[] = partsInUse()): string[] =>
  parts.flatMap(([name, owner, members]) => members.filter((member) => !(member in owner)).map((member) => `${name}.${member}`));

/** @throws Error that names what is missing: with it a statement could hang, or run outside of its transaction. */
export function checkParts(parts?: readonly Part[]): void {
  const missing = missingParts(parts);
  if (missing.length > 0)
    throw new Error(
      `the installed libraries lack what @specwright/postgres needs: ${missing.join(', ')}. ` +
        'Install the versions that its peerDependencies name (npm ls pg knex shows yours)',
    );
}

let isChecked = false;

/** `checkParts`, once in a process. */
export function checkLibraries(): void {
  if (!isChecked) checkParts();
  isChecked = true;
}
