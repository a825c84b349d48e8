/** Reads and checks the rate limits of a document: `x-rate-limit-plans` at its root, `x-rate-limit-cost` at operations. */
import { isObject, type Document } from '../document/openapi.ts';

/** The largest limit and cost: a counter of 32 bits holds it with room to spare. */
const MAX_COUNT = 1_000_000_000;

type Path = (string | number)[];
type Fields = Record<string, unknown>;

/** The plan table of a document that has passed `checkDocument`; `null` if it has none. */
export const rateLimitPlans = (document: Document): unknown => document['x-rate-limit-plans'] ?? null;

const isCount = (value: unknown, low: number): boolean => Number.isInteger(value) && Number(value) >= low && Number(value) <= MAX_COUNT;

/** What is wrong with a plan table, each with its path in it. A document may have none. @param ids the operations of the document. */
export function* rateLimitPlanProblems(table: unknown, ids: ReadonlySet<string>): Generator<[path: Path, problem: string]> {
  if (table === undefined) return;
  if (!isObject(table)) {
    yield [[], 'x-rate-limit-plans must have `plans` and `address`'];
    return;
  }
  yield* unknownKeys(table, ['plans', 'address', 'operations'], []);
  const { plans, address, operations = {} } = table;
  if (!isObject(plans) || Object.keys(plans).length === 0) yield [['plans'], 'plans must name at least one plan'];
  else for (const [name, plan] of Object.entries(plans)) yield* quotaProblems(plan, ['plans', name], ['minute', 'day', 'custom']);
  yield* quotaProblems(address, ['address'], ['minute', 'day']);
  if (!isObject(operations)) {
    yield [['operations'], 'operations must be limits by operationId'];
    return;
  }
  for (const [id, quota] of Object.entries(operations)) {
    if (!ids.has(id)) yield [['operations', id], `operations/${id} is no operationId of the document`];
    yield* quotaProblems(quota, ['operations', id], ['minute', 'day']);
  }
}

function* quotaProblems(quota: unknown, path: Path, keys: readonly string[]): Generator<[path: Path, problem: string]> {
  const name = path.join('/');
  if (!isObject(quota)) {
    yield [path, `${name} must be { minute, day }: no plan is unlimited by default`];
    return;
  }
  yield* unknownKeys(quota, keys, path);
  for (const span of ['minute', 'day']) {
    if (!isCount(quota[span], 1))
      yield [[...path, span], `${name}/${span} must be a whole number from 1 to ${MAX_COUNT}, not ${JSON.stringify(quota[span])}`];
  }
  if (Number(quota['day']) < Number(quota['minute'])) yield [[...path, 'day'], `${name}/day must not be less than ${name}/minute`];
  if (quota['custom'] !== undefined && typeof quota['custom'] !== 'boolean')
    yield [[...path, 'custom'], `${name}/custom must be true or false`];
}

function* unknownKeys(value: Fields, allowed: readonly string[], path: Path): Generator<[path: Path, problem: string]> {
  for (const key of Object.keys(value).filter((name) => !allowed.includes(name)))
    yield [[...path, key], `${[...path, key].join('/')} is not allowed here, only ${allowed.join(', ')}`];
}

export function* rateLimitCostProblems(cost: unknown, table: unknown): Generator<string> {
  if (cost === undefined) return;
  if (!isCount(cost, 0)) {
    yield `x-rate-limit-cost must be a whole number, or 0 for requests that are not counted; not ${JSON.stringify(cost)}`;
    return;
  }
  if (!isObject(table) || !isObject(table['plans'])) {
    yield 'x-rate-limit-cost needs x-rate-limit-plans at the root of the document';
    return;
  }
  for (const [name, quota] of Object.entries(table['plans'])) {
    if (isObject(quota) && Number(cost) > Number(quota['minute']))
      yield `x-rate-limit-cost ${JSON.stringify(cost)} exceeds the minute limit of the plan ${name}: its accounts could never call this operation`;
  }
}
