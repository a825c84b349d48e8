/** A connection for backups: nothing bounds it, and it writes values in one way whatever the server's settings are. */
import pg from 'pg';

const SETTINGS = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // Fail instead of leaving out rows that a policy hides.
  row_security: 'off',
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** @param name of the service. @throws Error of `pg` if it cannot be opened. */
export async function openSession(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `${name} backup`, keepAlive: true });
  // Of a connection that is lost: the statement under way fails too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    Object.entries(SETTINGS)
      .map(([setting, value]) => `SET ${setting} = '${value}'`)
      .join('; '),
  );
  return client;
}
