/** Rule: the pages of a list, each linked to the next one, have every record once. */
import { formatOf, isWriteOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import type { Call } from '../operation-client.ts';
import { isSameValue } from '../values/compare-values.ts';
import { leafCandidates, nearbyValues } from '../values/leaf-values.ts';
import { type SchemaView, first, some, viewSchema } from '../../../schema/schema-view.ts';
import type { Witness } from '../witnesses/witness.ts';
import {
  type MadeRecord,
  type Pages,
  type RecordList,
  isWhole,
  makeMore,
  makeRecords,
  nameOf,
  readPages,
  recordListOf,
} from './record-list.ts';
import { type Finding, NotTriedError, type Rule, type RuleContext } from './rule.ts';

/** So many records are made, if there are fewer. */
const MIN_RECORDS = 3;
/** A longer list is not read to its end record by record. */
const MAX_SINGLE = 6;

export const PAGES: Rule = {
  title: 'returns each record once when the links to its pages are followed',
  cases: (spec, operation) => {
    const list = recordListOf(spec, operation);
    if (list?.limit === undefined || list.id === undefined || !list.hasLinks) return [];
    return [{ name: 'pages', check: (context) => checkPages(context, list, list.limit?.minimum ?? 1) }];
  },
};

async function checkPages(context: RuleContext, list: RecordList, smallest: number): Promise<Finding | undefined> {
  const { operation } = list;
  const calls = await context.prepare(operation);
  let whole = await readPages(context, list, calls);
  const made = whole.records.length < MIN_RECORDS ? await makeMore(context, list, MIN_RECORDS, whole.call.path) : [];
  if (made.length > 0) whole = await readPages(context, list, calls);
  const { records } = whole;
  const { id = '' } = list;
  const listed = new Set(records.map((record) => record[id]));
  const unlisted = made.find((one) => one.id !== undefined && !listed.has(one.id));
  if (unlisted !== undefined && isSuccess(whole.response) && !whole.hasNext)
    return finding(list, whole, [`the list lacks ${id} ${JSON.stringify(unlisted.id)}, which was created`]);
  const repeated = records.find((record, i) => records.findIndex((one) => one[id] === record[id]) < i);
  const problem = whole.problem ?? (repeated && `${nameOf(list, repeated)} is in the list twice`);
  if (problem !== undefined) return finding(list, whole, [problem]);
  if (records.length < 2)
    throw new NotTriedError(`${operation.id} has fewer than two records: make two in its scenario in ${context.scenariosFile}`);
  // One record after the other, and then with as few pages as show the end.
  const sizes = [smallest, ...(records.length > MAX_SINGLE ? [Math.max(smallest, Math.ceil(records.length / 3))] : [])];
  for (const size of sizes) {
    const wrong = await checkSize(context, list, calls, whole, Math.min(size, list.limit?.maximum ?? size));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function checkSize(
  context: RuleContext,
  list: RecordList,
  calls: readonly Call[],
  { records, hasNext }: Pages,
  limit: number,
): Promise<Finding | undefined> {
  const { id = '' } = list;
  const isLong = records.length / limit > MAX_SINGLE;
  const most = isLong ? MAX_SINGLE : Math.ceil(records.length / limit) + 1;
  const found = await readPages(context, list, calls, { limit, most });
  const name = `${list.limit?.name ?? ''}=${limit}`;
  const report = (problem: string) => finding(list, found, [`${name}: ${problem}`]);
  if (found.problem !== undefined) return report(found.problem);
  const large = found.pages.findIndex((page) => page.length > limit);
  if (large >= 0) return report(`page ${large + 1} has ${found.pages[large]?.length ?? 0} records`);
  const [expected, got] = [records.map((record) => record[id]), found.records.map((record) => record[id])];
  const repeated = got.find((one, i) => got.indexOf(one) < i);
  if (repeated !== undefined) return report(`${id} ${JSON.stringify(repeated)} is on two pages`);
  const skipped = expected.slice(0, isLong ? got.length : expected.length).find((one) => !got.includes(one));
  if (skipped !== undefined)
    return report(
      `${id} ${JSON.stringify(skipped)} is on none of the pages that ${found.hasNext ? 'were' : 'can be'} reached by Link rel="next"`,
    );
  if (found.hasNext && !isLong && !hasNext) return report('the last page has a Link rel="next"');
  return isLong && !found.hasNext ? report(`page ${found.pages.length} has no Link rel="next", though there are more`) : undefined;
}

const finding = ({ operation }: RecordList, { call, response }: Pages, problems: readonly string[]): Finding => ({
  operation,
  call,
  response,
  problems,
  fix: `return at most as many records as are asked for, and a Link rel="next" as long as there are more, in the handler of ${operation.id}`,
});

/** A parameter of the query that has the name and the type of a property of the records. */
interface Filter {
  readonly name: string;
  readonly parameter: SchemaView;
  /** Whether it takes several values. */
  readonly isList: boolean;
  readonly property: SchemaView;
}

const SCALARS = ['string', 'integer', 'number', 'boolean'];

export const FILTERS: Rule = {
  title: 'returns only the records that a filter asks for',
  cases: (spec, operation) => {
    const list = recordListOf(spec, operation);
    if (list === undefined) return [];
    return filtersOf(spec, list).map((filter) => ({
      name: `filter ${filter.name}`,
      check: (context) => checkFilter(context, list, filter),
    }));
  },
};

/** Those of one value each. A date is none: it may mean the time since then. */
function filtersOf({ document }: Witness, { query, items, limit }: RecordList): Filter[] {
  return query.flatMap(({ parameter: { name }, schemas }) => {
    const declared = items.properties.get(name);
    if (declared === undefined || name === limit?.name) return [];
    const whole = viewSchema(document, schemas);
    const parameter = whole.items === undefined ? whole : viewSchema(document, whole.items);
    const own = viewSchema(document, declared);
    const property = own.items === undefined ? own : viewSchema(document, own.items);
    const types = [parameter, property].map(({ type = '' }) => (type === 'integer' ? 'number' : type));
    const isScalar = SCALARS.includes(types[0] ?? '') && types[0] === types[1];
    const isDate = [parameter, property].some((view) => /^date/.test(first(view, formatOf) ?? ''));
    return isScalar && !isDate && !some(own, isWriteOnly) ? [{ name, parameter, isList: whole.items !== undefined, property }] : [];
  });
}

/** A request for the list, and what it has to have. */
interface Trial {
  readonly values: readonly unknown[];
  /** Ids of records that match. */
  readonly ids: readonly unknown[];
  /** Whether there are records with the values: then the request cannot be rejected. */
  readonly isStored: boolean;
}

async function checkFilter(context: RuleContext, list: RecordList, filter: Filter): Promise<Finding | undefined> {
  const { operation } = list;
  const prepared = await context.prepare(operation);
  const made = await makeRecords(context, list, filter.name, valuesOf(filter));
  const calls = prepared.map((call) => ofSameParent(call, made[0]?.call));
  const given = made.length > 0 ? made : await stored(context, list, filter, calls);
  for (const trial of listTrials(context, list, filter, given)) {
    const { values } = trial;
    const asked = { [`query/${filter.name}`]: filter.isList ? values : values[0] };
    const whole = await readPages(context, list, calls, { filter: asked });
    const wrong = problemsOf(list, filter, whole, trial);
    const { minimum = 1, maximum = Infinity } = list.limit ?? {};
    const half = Math.min(maximum, Math.max(minimum, Math.ceil(whole.records.length / 2)));
    // The links to further pages have the filter too.
    const isDivided = wrong.length === 0 && list.hasLinks && list.limit !== undefined && half < whole.records.length;
    const found = isDivided ? await readPages(context, list, calls, { filter: asked, limit: half }) : whole;
    const problems = isDivided ? problemsOf(list, filter, found, trial) : wrong;
    if (problems.length === 0) continue;
    const { call, response } = found;
    return { operation, call, response, problems, fix: `apply query/${filter.name} in the handler of ${operation.id}` };
  }
  return undefined;
}

/** Each value by itself, and both where several can be given. */
function listTrials(
  { spec, scenariosFile }: RuleContext,
  { operation }: RecordList,
  filter: Filter,
  [first, second]: readonly RecordOfValue[],
): Trial[] {
  if (first === undefined)
    throw new NotTriedError(
      `no record of ${operation.id} has ${filter.name}: make one in the scenario of ${operation.id} in ${scenariosFile}`,
    );
  const one: Trial = { values: [first.value], ids: [first.id], isStored: true };
  if (second === undefined) {
    const other = otherValue(spec, filter, first.value);
    return other === undefined ? [one] : [one, { values: [other], ids: [], isStored: false }];
  }
  const two: Trial = { values: [second.value], ids: [second.id], isStored: true };
  const both: Trial = { values: [first.value, second.value], ids: [first.id, second.id], isStored: true };
  return [one, two, ...(filter.isList ? [both] : [])];
}

type RecordOfValue = Pick<MadeRecord, 'value' | 'id'>;

const valuesOf = ({ parameter }: Filter): readonly unknown[] | undefined =>
  parameter.values ?? (parameter.type === 'boolean' ? [true, false] : undefined);

/** Records that are listed without the filter, of two values if there are. */
async function stored(context: RuleContext, list: RecordList, { name }: Filter, calls: readonly Call[]): Promise<RecordOfValue[]> {
  const { records } = await readPages(context, list, calls, { most: 1 });
  const found = records.flatMap((record) => {
    const value = record[name];
    return ['string', 'number', 'boolean'].includes(typeof value) ? [{ value, id: list.id && record[list.id] }] : [];
  });
  const [first] = found;
  const second = found.find(({ value }) => value !== first?.value);
  return [first, second].filter((one) => one !== undefined);
}

/** A list below another record is read of the same one as records were made of. */
function ofSameParent(call: Call, made: Call | undefined): Call {
  if (made === undefined) return call;
  const own = Object.entries(made.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type');
  return { ...call, path: { ...call.path, ...made.path }, headers: { ...call.headers, ...Object.fromEntries(own) } };
}

/** A value that the records do not have. */
function otherValue({ valueProblems }: Witness, { name, parameter }: Filter, value: unknown): unknown {
  const isValid = (one: unknown) => parameter.parts.every(({ pointer }) => valueProblems(pointer, one).length === 0);
  const candidates = [...(parameter.values ?? []), ...nearbyValues(value, parameter), ...leafCandidates(parameter, name)];
  return candidates.find((one) => one !== undefined && one !== null && !isSameValue(one, value) && isValid(one));
}

function problemsOf(list: RecordList, filter: Filter, found: Pages, { values, ids, isStored }: Trial): string[] {
  const asked = `query/${filter.name}=${values.map(String).join()}`;
  // What no record has may be rejected.
  if (!isSuccess(found.response)) return isStored || found.response.status >= 500 ? [`${asked}: status ${found.response.status}`] : [];
  const wrong = found.records.find((record) => !values.some((value) => isMatch(filter, record[filter.name], value)));
  if (wrong !== undefined)
    return [`${asked} returns ${nameOf(list, wrong)}, whose ${filter.name} is ${JSON.stringify(wrong[filter.name])}`];
  if (!isWhole(list, found)) return found.problem === undefined ? [] : [`${asked}: ${found.problem}`];
  const { id } = list;
  const lacks = (one: unknown) => !found.records.some((record) => id !== undefined && isSameValue(one, record[id]));
  const missing = ids.find((one) => one !== undefined && lacks(one));
  if (missing !== undefined) return [`${asked} lacks ${String(id)} ${JSON.stringify(missing)}, which has that value`];
  return isStored && found.records.length === 0 ? [`${asked} returns nothing, though there is a record with that value`] : [];
}

/** A text that may be any is searched for. */
function isMatch({ property }: Filter, stored: unknown, value: unknown): boolean {
  if (Array.isArray(stored)) return stored.some((one) => isMatch({ property } as Filter, one, value));
  const format = first(property, formatOf);
  if (typeof stored === 'string' && typeof value === 'string' && property.values === undefined && format === undefined)
    return stored.toLowerCase().includes(value.toLowerCase());
  return stored !== undefined && stored !== null && isSameValue(value, stored, format);
}
