/** Rule: a record that one account has created is neither read, listed nor changed with the credentials of another one. */
import { isSuccess } from '../attempt.ts';
import type { SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { isSameValue } from '../values/compare-values.ts';
import type { Witness } from '../witnesses/witness.ts';
import { creatorOf, makeMore } from './make-records.ts';
import { nameOf, readPages, recordListOf, type RecordList } from './record-list.ts';
import { NotTriedError, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

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
