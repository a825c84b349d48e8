/** Why a database cannot be used, in terms of `DATABASE_URL`, and the one thing to do about it. */

export interface ConnectionProblem {
  readonly message: string;
  readonly fix: string;
}

/** `host:port/database` of a URL: never its user or its password. */
export function addressOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
}

const CORRECT = 'correct DATABASE_URL';
const NO_ANSWER: ConnectionProblem = {
  message: 'it does not answer',
  fix: `check that a PostgreSQL listens there and no firewall is between, or ${CORRECT}`,
};
const TOO_MANY: ConnectionProblem = { message: 'it has no connection left', fix: 'lower DATABASE_POOL, or raise its max_connections' };
const CERTIFICATE: ConnectionProblem = {
  message: 'its TLS certificate is not trusted',
  fix: 'name its authority in DATABASE_URL: ?sslrootcert=FILE',
};

/** By errno of Node and SQLSTATE of PostgreSQL (Appendix A of its manual). */
function problemOf(code: string, message: string, { hostname, username, pathname }: URL): ConnectionProblem | undefined {
  const database = decodeURIComponent(pathname.slice(1));
  const problems: Readonly<Record<string, ConnectionProblem>> = {
    ECONNREFUSED: { message: 'nothing listens there', fix: `start PostgreSQL, or ${CORRECT}` },
    ENOTFOUND: { message: `there is no host ${hostname}`, fix: CORRECT },
    EAI_AGAIN: { message: `the name of the host ${hostname} cannot be looked up`, fix: `check the network, or ${CORRECT}` },
    ECONNRESET: { message: 'it closed the connection', fix: `check that it is a PostgreSQL, or ${CORRECT}` },
    ETIMEDOUT: NO_ANSWER,
    EHOSTUNREACH: NO_ANSWER,
    ENETUNREACH: NO_ANSWER,
    '08001': NO_ANSWER,
    '28P01': { message: `the password of ${decodeURIComponent(username) || 'the user'} is wrong`, fix: CORRECT },
    '28000': { message, fix: 'correct the user in DATABASE_URL, or let it in by pg_hba.conf' },
    '3D000': { message: `it has no database ${database}`, fix: `create it (createdb ${database}), or ${CORRECT}` },
    '42501': { message, fix: 'grant it: docs/service-role.sql' },
    '53300': TOO_MANY,
    '57P03': { message: 'it is starting or stopping', fix: 'try again once it is up' },
    CERT_HAS_EXPIRED: { message: 'its TLS certificate has expired', fix: 'renew it on the server of the database' },
    DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
    SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  };
  if (Object.hasOwn(problems, code)) return problems[code];
  if (message.includes('does not support SSL')) return { message: 'it has no TLS', fix: 'add ?sslmode=disable to DATABASE_URL' };
  return undefined;
}

/** The reason for an error of `pg` or Knex on the way to a database; an unknown one is passed on unchanged. */
export function connectionProblem(error: unknown, url: string): ConnectionProblem {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const found = problemOf(code, message, new URL(url));
  const { message: reason, fix } = found ?? { message, fix: CORRECT };
  return { message: reason.includes(code) ? reason : `${reason} (${code})`, fix };
}

/** `PostgreSQL at host:5432/name cannot be used: nothing listens there (ECONNREFUSED): start PostgreSQL, or correct DATABASE_URL` */
export function formatConnectionProblem(error: unknown, url: string): string {
  const { message, fix } = connectionProblem(error, url);
  return `PostgreSQL at ${addressOf(url)} cannot be used: ${message}: ${fix}`;
}
