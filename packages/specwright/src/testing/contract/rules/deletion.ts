/** Rule: a record that was deleted cannot be read, and is the only one that is gone from the list. */
import { isSuccess } from '../attempt.ts';
import type { Json, SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { declaredHeaders, matchPath, parseBody, readingOfPath, textsOf } from '../read-back.ts';
import { isSameValue } from '../values/compare-values.ts';
import type { Witness } from '../witnesses/witness.ts';
import { type RecordList, creatorOf, isWhole, itemParameter, makeMore, nameOf, readPages, recordListOf } from './record-list.ts';
import { type Finding, NotTriedError, type Rule, type RuleContext, propertyIn } from './rule.ts';

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
  const listed = await watchList(context, operation, call, parseBody(before));
  const response = await context.sendSuccessfully(operation, call);
  // It may be done later.
  if (response.status === 202) return undefined;
  const after = await context.read(reading, call);
  const isGone = after.status === 404 || after.status === 410;
  const problem = isGone ? await listed?.() : `${reading.operation.id} reads the deleted record with status ${after.status}, not 404`;
  const fix = `delete the record, and no other, in the handler of ${operation.id}`;
  return problem === undefined ? undefined : { operation, call, response, problems: [problem], fix };
}

/** @returns a function that says, after the deletion, what is wrong with the list; `undefined` if no list of the records can be read. */
async function watchList(
  context: RuleContext,
  operation: SpecOperation,
  call: Call,
  record: unknown,
): Promise<(() => Promise<string | undefined>) | undefined> {
  const list = listOf(context.spec, operation);
  const id = list?.id === undefined ? undefined : propertyIn(record, list.id);
  if (list === undefined || id === undefined) return undefined;
  const read = await listReader(context, list, call);
  let listed = await read();
  // With another record it is seen that only one is gone.
  if (listed !== undefined && listed.length < 2 && (await makeMore(context, list, 1)).length > 0) listed = await read();
  return async () => {
    const left = await read();
    return listed && left && wrongAfter(list, id, listed, left);
  };
}

function wrongAfter(list: RecordList, id: unknown, listed: readonly Json[], left: readonly Json[]): string | undefined {
  const idOf = (record: Json) => record[list.id ?? ''];
  const stays = left.find((record) => isSameValue(idOf(record), id));
  if (stays !== undefined) return `${list.operation.id} still has the deleted record, ${nameOf(list, stays)}`;
  const leftIds = new Set(left.map(idOf));
  const gone = listed.find((record) => !isSameValue(idOf(record), id) && !leftIds.has(idOf(record)));
  return gone && `another record is gone from ${list.operation.id} too: ${nameOf(list, gone)}`;
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

/** Rule: `Location` of a response 201 is the URL of the record that was created (RFC 9110, section 15.3.2). */
export const LOCATION: Rule = {
  title: 'names the created record in Location',
  cases: (spec, operation) => {
    const gets = spec.operations.filter(({ method }) => method === 'GET');
    const parameter = gets.flatMap(({ path }) => itemParameter(operation.path, path) ?? [])[0];
    const isDeclared = operation.statuses.includes('201') && declaredHeaders(spec.document, operation, 201).includes('location');
    return operation.method === 'POST' && isDeclared && parameter !== undefined
      ? [{ name: 'Location', check: (context) => checkLocation(context, operation, parameter) }]
      : [];
  },
};

async function checkLocation(context: RuleContext, operation: SpecOperation, parameter: string): Promise<Finding | undefined> {
  const [call = {}] = await context.prepare(operation);
  const response = await context.sendSuccessfully(operation, call);
  if (response.status !== 201) throw new NotTriedError(`${operation.id} answers ${response.status}, not 201`);
  const location = response.headers.get('location');
  const report = (problem: string): Finding => {
    const fix = `return the URL of the created record in the handler of ${operation.id}`;
    return { operation, call, response, problems: [problem], fix };
  };
  if (location === null) return report('there is no header Location');
  const reading = matchPath(context.spec, location);
  if (reading === undefined) return report(`Location is ${location}, which no operation of the contract reads`);
  const read = await context.read(reading, call, response);
  if (!isSuccess(read)) return report(`Location is ${location}, which ${reading.operation.id} answers with ${read.status}`);
  const [created, found] = [parseBody(response), parseBody(read)];
  const name = [parameter, 'id', 'uuid', 'key'].find(
    (one) => propertyIn(created, one) !== undefined && propertyIn(found, one) !== undefined,
  );
  if (name === undefined || isSameValue(propertyIn(created, name), propertyIn(found, name))) return undefined;
  return report(
    `Location is ${location}, where ${name} is ${JSON.stringify(propertyIn(found, name))}, not ${JSON.stringify(propertyIn(created, name))}`,
  );
}

/** Rule: a record that one account has created is neither read, listed nor changed with the credentials of another one. */
export const OTHER_ACCOUNTS: Rule = {
  title: 'shows and changes no record of another account',
  needsOtherClient: true,
  cases: (spec, operation) => {
    if (!operation.secured) return [];
    const name = 'other account';
    const creator = creatorOfParent(spec, operation);
    if (creator !== undefined) return [{ name, check: (context) => checkRecord(context, operation, creator) }];
    const list = recordListOf(spec, operation);
    return list?.id === undefined || creatorOf(spec, list) === undefined ? [] : [{ name, check: (context) => checkList(context, list) }];
  },
};

/** The operation that creates what the first parameter of a path names: what clients do not create may belong to all accounts. */
function creatorOfParent({ operations }: Witness, { path }: SpecOperation): SpecOperation | undefined {
  const collection = /^(.*?)\/\{/.exec(path)?.[1];
  return operations.find((one) => one.method === 'POST' && one.path === collection && one.secured);
}

/** What a record of another account is answered with: as one that does not exist, or as one that is not for the caller. */
const REJECTED = [404, 403];

async function checkRecord(context: RuleContext, operation: SpecOperation, creator: SpecOperation): Promise<Finding | undefined> {
  // As long as none can be created, a handler that is written may answer with an example.
  await context.send(creator, {});
  const [prepared = {}] = await context.prepare(operation);
  const call = withoutCredentials(prepared);
  const response = await otherOf(context).send(operation, call);
  if (REJECTED.includes(response.status)) return undefined;
  const problems = [`with the credentials of another account: status ${response.status}, not ${REJECTED.join(' or ')}`];
  return { operation, call, response, problems, fix: fixOf(operation) };
}

async function checkList(context: RuleContext, list: RecordList): Promise<Finding | undefined> {
  const { operation } = list;
  const { id: name = '' } = list;
  const calls = (await context.prepare(operation)).map(withoutCredentials);
  const [made] = await makeMore(context, list, 1);
  if (made?.id === undefined) throw new NotTriedError(`${creatorOf(context.spec, list)?.id ?? ''} creates no record that can be read`);
  const { records, call, response } = await readPages(otherOf(context), list, calls);
  if (!isSuccess(response)) return undefined;
  const leaked = records.find((record) => isSameValue(made.id, record[name]));
  if (leaked === undefined) return undefined;
  const problems = [`with the credentials of another account it has ${nameOf(list, leaked)}`];
  return { operation, call, response, problems, fix: fixOf(operation) };
}

function otherOf({ other }: RuleContext): RuleContext {
  if (other === undefined) throw new NotTriedError('there is no client of another account');
  return other;
}

const withoutCredentials = ({ headers = {}, ...call }: Call): Call => ({
  ...call,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name))),
});

const fixOf = ({ id }: SpecOperation): string => `restrict the handler of ${id} to the records of the caller's account`;
