/** Type proofs of `context.db`: it has the type of the option `db`, which handlers that use it require. */
import { createServer, type Contract, type IdempotencyStore, type Log, type RateLimitOptions } from '@specwright/server';
import type { Context, ContractTypes, Handlers, Security } from './library/generated/contract.ts';

interface Caller {
  readonly id: number;
}

interface Pool {
  readonly query: (sql: string) => Promise<string>;
}

interface Transaction extends Pool {
  readonly isTransaction: true;
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const prove = <T extends true>(value?: T) => value;

prove<Equal<Context<'listBooks', Caller, Pool>['db'], Pool>>();
// Without a type nothing can be done with it.
prove<Equal<Context<'listBooks', Caller>['db'], unknown>>();

declare const contract: Contract<ContractTypes>;
declare const security: Security<Caller>;
declare const rateLimit: RateLimitOptions<Caller>;
declare const log: Log;
declare const withDb: Handlers<Caller, Pool>;
declare const withoutDb: Handlers<Caller>;
declare const pool: Pool;
declare const trx: Transaction;
declare const store: IdempotencyStore<Transaction, Caller>;
const options = { contract, security, rateLimit, log };

createServer({ ...options, handlers: withoutDb });
createServer({ ...options, handlers: withoutDb, db: pool });
createServer({ ...options, handlers: { ...withDb, deleteBook: withoutDb.deleteBook }, db: pool });
createServer({ ...options, handlers: withDb, db: trx });
// The transaction of the store is one more database.
createServer({ ...options, handlers: withDb, db: pool, idempotency: store });

// @ts-expect-error the handlers use a database, and there is none
createServer({ ...options, handlers: withDb });

// @ts-expect-error the handlers use another database
createServer({ ...options, handlers: withDb, db: 'postgres://localhost' });

declare const otherStore: IdempotencyStore<string, Caller>;
// @ts-expect-error the transactions of the store are no database of the handlers
createServer({ ...options, handlers: withDb, db: pool, idempotency: otherStore });
