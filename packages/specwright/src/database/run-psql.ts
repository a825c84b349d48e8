/** Runs psql on the database of a project. */
import { spawn } from 'node:child_process';
import { findPsql } from '@specwright/embedded-postgres';

const NO_PSQL = `psql is not installed, and the embedded PostgreSQL brings none. Install it, or give another client what \`npm run db -- url\` prints:
  Debian, Ubuntu: apt-get install postgresql-client
  macOS: brew install libpq && brew link --force libpq
  Windows: winget install PostgreSQL.PostgreSQL`;

/** @param sql runs this alone; else psql asks for statements. @throws Error if psql is missing, or ends with a failure. */
export async function runPsql(url: string, sql: string | undefined): Promise<void> {
  const psql = await findPsql();
  if (psql === undefined) throw new Error(NO_PSQL);
  const { username, password, hostname, port, pathname, searchParams } = new URL(url);
  const child = spawn(psql, sql === undefined ? [] : ['-v', 'ON_ERROR_STOP=1', '-c', sql], {
    stdio: 'inherit',
    // Not as an argument, which every user of the machine can read.
    env: {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      ...(searchParams.get('sslmode') !== null && { PGSSLMODE: searchParams.get('sslmode') ?? '' }),
    },
  });
  // Ctrl-C ends a statement of psql, not this process, which has to outlive it.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`psql ended with exit code ${String(code)}`);
  } finally {
    process.off('SIGINT', ignore);
  }
}
