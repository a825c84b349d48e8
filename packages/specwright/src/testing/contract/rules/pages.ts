/** Rule: the pages of a list, each linked to the next one, have every record once. */
import { isSuccess } from '../attempt.ts';
import type { Call } from '../operation-client.ts';
import { makeMore } from './make-records.ts';
import { nameOf, readPages, recordListOf, type Pages, type RecordList } from './record-list.ts';
import { NotTriedError, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

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
