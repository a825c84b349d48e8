/** A proxy in front of PostgreSQL that knows just enough of its protocol to break one statement, or the whole line. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What happens to a statement: the server reports an error, or a deadlock, or runs it and the connection is lost. */
export type Problem = 'fails' | 'collides' | 'is lost';

export interface Proxy {
  readonly url: string;
  /** Breaks the `nth` statement from now on, or every one that a pattern matches. */
  arm(problem: Problem, which: number | RegExp): void;
  disarm(): void;
  /** The statements that were broken. */
  readonly broken: readonly string[];
  close(): Promise<void>;
}

/** Sent in a statement's place. A failed COMMIT has rolled back. */
const RAISE = {
  fails: `DO $$BEGIN RAISE EXCEPTION 'injected'; END$$`,
  collides: `DO $$BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '40P01'; END$$`,
} as const;

/** @param port where it listens; any free one if it is not given. */
export async function startProxy(databaseUrl: string, port = 0): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const broken: string[] = [];
  let plan: { problem: Problem; which: number | RegExp } | undefined;
  let seen = 0;

  function problemFor(sql: string): Problem | undefined {
    if (plan === undefined || /^select version\(\)/i.test(sql)) return undefined;
    seen++;
    if (typeof plan.which === 'number' ? seen !== plan.which : !plan.which.test(sql)) return undefined;
    broken.push(sql);
    return plan.problem;
  }

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    let lastWords = false;
    upstream.on('data', (chunk) => {
      if (!lastWords) return void client.write(chunk);
      // ReadyForQuery ends the answer to a statement.
      if (chunk.at(-6) === 'Z'.charCodeAt(0)) cut();
    });

    const read = statementReader(
      (bytes) => void upstream.write(bytes),
      (bytes, sql) => {
        const problem = problemFor(sql);
        lastWords = problem === 'is lost';
        const raise = problem === undefined || problem === 'is lost' ? undefined : RAISE[problem];
        upstream.write(raise === undefined ? bytes : simpleQuery(/^commit/i.test(sql) ? `ROLLBACK; ${raise}` : raise));
      },
    );
    client.on('data', read);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    arm(problem, which) {
      broken.length = 0;
      seen = 0;
      plan = { problem, which };
    },
    disarm: () => void (plan = undefined),
    broken,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Takes what a client sends apart (PostgreSQL, section 55.7): a simple query, or all messages up to a Sync, are one
 * statement; the rest is passed on.
 */
function statementReader(pass: (bytes: Buffer) => void, statement: (bytes: Buffer, sql: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let pending = Buffer.alloc(0);
  let group: Buffer[] = [];
  let sql = '';
  let isStarted = false;
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      // The first message has no type.
      const head = isStarted ? 1 : 0;
      if (pending.length < head + 4) return;
      const end = head + pending.readInt32BE(head);
      if (pending.length < end) return;
      const message = pending.subarray(0, end);
      pending = pending.subarray(end);
      const type = isStarted ? String.fromCharCode(message[0] ?? 0) : 'startup';
      isStarted = true;
      const [first = '', second = ''] = message.toString('latin1', 5).split('\0');
      if (type === 'P') prepared.set(first, second);
      if (type === 'B') sql = prepared.get(second) ?? '';
      if (type === 'Q') statement(message, first);
      else if (!'PBDECSH'.includes(type)) pass(message);
      else group.push(message);
      if (type === 'S') {
        statement(Buffer.concat(group), sql);
        group = [];
      }
    }
  };
}

function simpleQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.from('Q....');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}
