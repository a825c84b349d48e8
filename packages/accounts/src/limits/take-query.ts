/** The statement that decides requests, as `pg` sends it: with what it has in common every time left out. */
import { hash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { RateLimitRequest } from '@specwright/server';
import { TAKE } from './counter-statements.ts';

/** Equal requests of one bucket: one row of the statement. */
export interface CountedRequest {
  readonly request: RateLimitRequest;
  readonly count: number;
}

/** The columns of a row, as text. */
export type CounterRow = readonly [
  bucket: string,
  granted: string,
  minuteUsed: string,
  minuteEnds: string,
  dayUsed: string,
  dayEnds: string,
  now: string,
  changes: string,
];

/** What this file uses of `pg`'s connection 8; its types have only a part of it. */
interface Connection {
  readonly stream: Duplex;
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly text: string; readonly name: string | undefined }): void;
  bind(portal: { readonly statement: string | undefined; readonly values: readonly string[] }): void;
  execute(): void;
  sync(): void;
}

/** Of this text alone: a pooler may have statements of another version of this package. */
const NAME = `limits.take ${hash('sha256', TAKE, 'base64url').slice(0, 12)}`;

/**
 * A query that submits itself (`pg.Submittable`). The columns are known, so PostgreSQL need not describe them, and they are read as
 * they come: `pg`'s own query asks for their names and types each time, and makes parsers and prototypes of rows of them. That is half
 * of what a statement with few rows costs.
 */
export class TakeQuery implements pg.Submittable {
  /** `undefined` where prepared statements are switched off. */
  name: string | undefined = NAME;
  readonly text = TAKE;
  readonly rows: CounterRow[] = [];
  /** Given by `pg`. */
  callback: ((error: Error | null, query?: TakeQuery) => void) | undefined = undefined;
  readonly #values: readonly string[];

  /** @param asked sorted by bucket. @param advance how far a test has moved the clock, in ms. */
  constructor(asked: readonly CountedRequest[], advance: number) {
    this.#values = [
      arrayOf(asked, ({ request }) => quote(request.bucket)),
      arrayOf(asked, ({ request }) => request.cost || 1),
      // What costs nothing is read, and counts no request.
      arrayOf(asked, ({ request, count }) => (request.cost === 0 ? 0 : count)),
      arrayOf(asked, ({ request }) => request.quota.minute),
      arrayOf(asked, ({ request }) => request.quota.day),
      arrayOf(asked, grantedAtFirst),
      String(advance),
    ];
  }

  submit(connection: pg.Connection): void {
    const { name = '', text } = this;
    const wire = connection as unknown as Connection;
    // One system call for all messages.
    wire.stream.cork();
    try {
      if (name === '' || (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) === undefined) {
        wire.parse({ name, text });
        if (name !== '') wire.submittedNamedStatements[name] = text;
      }
      wire.bind({ statement: name, values: this.#values });
      wire.execute();
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleDataRow({ fields }: { readonly fields: CounterRow }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {
    // `handleReadyForQuery` follows.
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

/** How many of the requests of a bucket are admitted if it has no counter yet. */
function grantedAtFirst({ request: { cost, quota }, count }: CountedRequest): number {
  return cost === 0 ? 0 : Math.max(0, Math.min(count, Math.floor(quota.minute / cost), Math.floor(quota.day / cost)));
}

/** An array as PostgreSQL reads it (8.15.6): `pg` would quote every number. */
const arrayOf = <Item>(items: readonly Item[], textOf: (item: Item) => number | string): string => `{${items.map(textOf).join(',')}}`;

const quote = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
