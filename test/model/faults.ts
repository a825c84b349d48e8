/** The second actor: what fails, waits, ends or changes while clients send their requests. */
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { setPlan, type Plan } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import type { PostgresProxy, StatementFault } from '../support/tools/postgres-proxy.ts';
import { AMPLE_QUOTA } from '../support/service/app.ts';
import { random } from './random.ts';
import { REQUEST_TIMEOUT_MS, type Service } from './service.ts';
import type { Subscriber } from './subscriber.ts';

/** @property nth of the statements of requests. @property after ms after the requests were sent. */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'statement'; readonly fault: Exclude<StatementFault, 'error'>; readonly nth: number }
  /** The nth statement is held beyond the deadline of its request. */
  | { readonly kind: 'stall'; readonly nth: number }
  | { readonly kind: 'terminate'; readonly after: number; readonly some: number }
  | { readonly kind: 'restart'; readonly after: number; readonly drain: number }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'unsubscribe'; readonly after: number };

/** How long statements are held at most, in ms, and which: a part of them, or all. */
export interface Delays {
  readonly seed: number;
  readonly max: number;
}

const nth = fc.integer({ min: 1, max: 14 });
const after = fc.integer({ min: 0, max: 30 });

export const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ kind: 'none' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('statement' as const),
      fault: fc.constantFrom('deadlock' as const, 'serialization' as const, 'disconnect' as const),
      nth,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stall' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('terminate' as const), after, some: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), after, drain: fc.integer({ min: 0, max: 300 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), plan: fc.constantFrom<Plan>('business', 'enterprise', 'enterprise') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unsubscribe' as const), after }) },
);

export const delays: fc.Arbitrary<Delays> = fc.record({ seed: fc.nat(), max: fc.constantFrom(0, 4, 8, 15) });

export interface Actor {
  readonly db: Database;
  readonly proxy: PostgresProxy;
  readonly service: Service;
  readonly subscriber: Subscriber;
  readonly accountId: number;
}

/** Statements of a transaction wait between its locks and its commit, and single ones before they take theirs. */
function delayStatements(proxy: PostgresProxy, { seed, max }: Delays, fault: Fault): void {
  const draw = random(seed);
  let seen = 0;
  proxy.delay((_, application) => {
    if (/ (events|queue|readiness)/.test(application)) return 0;
    seen += 1;
    if (fault.kind === 'stall' && seen === fault.nth) return REQUEST_TIMEOUT_MS + 200;
    return draw() < 0.5 ? 0 : Math.floor(draw() * max);
  });
}

/** Begins what the requests of a batch meet. @returns when it has ended. */
export async function act(fault: Fault, chosen: Delays, { db, proxy, service, subscriber, accountId }: Actor): Promise<void> {
  if (chosen.max > 0 || fault.kind === 'stall') delayStatements(proxy, chosen, fault);
  if (fault.kind === 'statement') proxy.inject(fault.fault, fault.nth);
  if (fault.kind === 'plan') await setPlan(db, accountId, fault.plan, fault.plan === 'enterprise' ? AMPLE_QUOTA : undefined);
  if (!('after' in fault)) return;
  await sleep(fault.after);
  if (fault.kind === 'unsubscribe') subscriber.leave();
  if (fault.kind === 'restart') await service.restart(fault.drain);
  if (fault.kind === 'terminate') await terminate(db, fault.some);
}

/** Ends each of them, every second or every third. */
const terminate = (db: Database, some: number) =>
  db.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'petstore%' AND pid % ? = 0 AND pid <> pg_backend_pid()`,
    [some],
  );
