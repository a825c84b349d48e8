/** Breaking changes of rate limits: a client within its plan is refused once the plan allows less. */
import { listOperations, pointerTo } from '@specwright/contract/document';
import type { DetectedChange, Comparison } from './change.ts';

interface Quota {
  readonly minute: number;
  readonly day: number;
}
type Quotas = Readonly<Record<string, Quota>>;
type Table = { readonly plans: Quotas; readonly address: Quota; readonly operations?: Quotas } | undefined;

const KEY = 'x-rate-limit-plans';
const SPANS = ['minute', 'day'] as const;

/** Plans that are removed or allow less, limits that allow less, and limits where there were none. */
export function* rateLimitChanges({ base, working }: Comparison): Generator<DetectedChange> {
  const [before, after] = [base, working].map(({ document }) => document[KEY] as Table);
  if (after === undefined) return;
  if (before === undefined) {
    yield { rule: 'rate-limit-lowered', message: 'Rate limits were added.', working: pointerTo(KEY) };
    return;
  }
  for (const [name, quota] of Object.entries(before.plans)) yield* lowered(`Plan '${name}'`, quota, after.plans[name], ['plans', name]);
  yield* lowered('The limit of an IP address', before.address, after.address, ['address']);
  const known = new Set(listOperations(base.document).map(({ id }) => id));
  for (const [id, quota] of Object.entries(after.operations ?? {}).filter(([id]) => known.has(id))) {
    const was = before.operations?.[id];
    const keys = ['operations', id];
    if (was !== undefined) yield* lowered(`The limit of ${id}`, was, quota, keys);
    else yield { rule: 'rate-limit-lowered', message: `A limit of ${id} was added.`, working: pointerTo(KEY, ...keys) };
  }
}

function* lowered(what: string, before: Quota, after: Quota | undefined, keys: readonly string[]): Generator<DetectedChange> {
  if (after === undefined) {
    yield { rule: 'rate-limit-lowered', message: `${what} was removed.`, base: pointerTo(KEY, ...keys) };
    return;
  }
  for (const span of SPANS) {
    if (after[span] >= before[span]) continue;
    const pointer = pointerTo(KEY, ...keys, span);
    const message = `${what} went from ${before[span]} to ${after[span]} requests per ${span}.`;
    yield { rule: 'rate-limit-lowered', message, base: pointer, working: pointer };
  }
}
