/** Rule: a filtered list has all records that match, and only those. */
import { formatOf, isWriteOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import type { Call } from '../operation-client.ts';
import { isSameValue } from '../values/compare-values.ts';
import { leafCandidates, nearbyValues } from '../values/leaf-values.ts';
import { first, some, viewSchema, type SchemaView } from '../values/schema-view.ts';
import type { Witness } from '../witnesses/witness.ts';
import { makeRecords, type MadeRecord } from './make-records.ts';
import { isWhole, nameOf, readPages, recordListOf, type Pages, type RecordList } from './record-list.ts';
import { NotTriedError, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

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
    const half = Math.max(list.limit?.minimum ?? 1, Math.ceil(whole.records.length / 2));
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
