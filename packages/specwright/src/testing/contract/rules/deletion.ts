/** Rule: a record that was deleted cannot be read, and is the only one that is gone from the list. */
import { isSuccess } from '../attempt.ts';
import type { Json, SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { parseBody, readingOfPath, textsOf } from '../read-back.ts';
import type { Witness } from '../witnesses/witness.ts';
import { makeMore } from './make-records.ts';
import { isWhole, itemParameter, nameOf, readPages, recordListOf, type RecordList } from './record-list.ts';
import { isSameValue } from '../values/compare-values.ts';
import { NotTriedError, propertyIn, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

export const DELETION: Rule = {
  title: 'answers 404 for a record that was deleted, and lists it no more',
  cases: (spec, operation) =>
    operation.method === 'DELETE' && readingOfPath(spec, operation, {}) !== undefined
      ? [{ name: 'deletion', check: (context) => checkDeletion(context, operation) }]
      : [],
};

/** The list that has the record. */
const listOf = (spec: Witness, { path }: SpecOperation): RecordList | undefined =>
  spec.operations
    .flatMap((operation) => (itemParameter(operation.path, path) === undefined ? [] : (recordListOf(spec, operation) ?? [])))
    .find(({ id }) => id !== undefined);

async function checkDeletion(context: RuleContext, operation: SpecOperation): Promise<Finding | undefined> {
  const { spec } = context;
  const [call = {}] = await context.prepare(operation);
  const reading = readingOfPath(spec, operation, textsOf(call.path));
  const before = reading && (await context.read(reading, call));
  if (reading === undefined || before === undefined || !isSuccess(before))
    throw new NotTriedError(`what ${operation.id} would delete is read with ${before?.status ?? 'nothing'}`);
  const list = listOf(spec, operation);
  const id = list?.id === undefined ? undefined : propertyIn(parseBody(before), list.id);
  const readList = list && id !== undefined ? await listReader(context, list, call) : undefined;
  let listed = await readList?.();
  // With another record it is seen that only one is gone.
  if (list !== undefined && listed !== undefined && listed.length < 2 && (await makeMore(context, list, 1)).length > 0)
    listed = await readList?.();
  const response = await context.sendSuccessfully(operation, call);
  // It may be done later.
  if (response.status === 202) return undefined;
  const fix = `delete the record, and no other, in the handler of ${operation.id}`;
  const report = (problem: string): Finding => ({ operation, call, response, problems: [problem], fix });
  const after = await context.read(reading, call);
  if (after.status !== 404 && after.status !== 410)
    return report(`${reading.operation.id} reads the deleted record with status ${after.status}, not 404`);
  const left = await readList?.();
  if (list === undefined || listed === undefined || left === undefined) return undefined;
  const isDeleted = (record: Json) => isSameValue(record[list.id ?? ''], id);
  const stays = left.find(isDeleted);
  if (stays !== undefined) return report(`${list.operation.id} still has the deleted record, ${nameOf(list, stays)}`);
  const leftIds = new Set(left.map((record) => record[list.id ?? '']));
  const gone = listed.find((record) => !isDeleted(record) && !leftIds.has(record[list.id ?? '']));
  return gone && report(`another record is gone from ${list.operation.id} too: ${nameOf(list, gone)}`);
}

/** Reads all records of the list that a call deletes from. @returns a function that returns `undefined` if they cannot be read. */
async function listReader(
  context: RuleContext,
  list: RecordList,
  { path, headers }: Call,
): Promise<() => Promise<readonly Json[] | undefined>> {
  const prepared = await unlessNotTried(context.prepare(list.operation));
  const calls = prepared?.map((call) => ({ ...call, path: { ...call.path, ...path }, headers: { ...call.headers, ...headers } }));
  return async () => {
    const pages = calls && (await unlessNotTried(readPages(context, list, calls)));
    return pages && isSuccess(pages.response) && isWhole(list, pages) ? pages.records : undefined;
  };
}

async function unlessNotTried<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof NotTriedError) return undefined;
    throw error;
  }
}
