/** Rule: a request whose `If-Match` names another version changes nothing, and each change gives the record another `ETag` (RFC 9110, section 13.1.1). */
import { isSuccess } from '../attempt.ts';
import type { SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { declaredHeaders, parseBody, readingOfPath, textsOf } from '../read-back.ts';
import { listVariants, requestSchemas } from '../values/variants.ts';
import { statusKey, type HttpResponse, type Witness } from '../witnesses/witness.ts';
import { child } from '../document.ts';
import { NotTriedError, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

const IF_MATCH = 'if-match';

export const PRECONDITIONS: Rule = {
  title: 'changes nothing unless If-Match names the version that is stored',
  cases: (spec, operation) => {
    const reader = readingOfPath(spec, operation, {})?.operation;
    const applies =
      ['PUT', 'PATCH', 'DELETE'].includes(operation.method) &&
      headerOf(operation) !== undefined &&
      statusKey(operation.statuses, 412) !== undefined &&
      reader !== undefined &&
      declaredHeaders(spec.document, reader, 200).includes('etag');
    return applies ? [{ name: 'If-Match', check: (context) => checkPrecondition(context, operation) }] : [];
  },
};

const headerOf = ({ parameters }: SpecOperation) => parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === IF_MATCH);

/** A response with the record. */
interface Version {
  readonly response: HttpResponse;
  readonly etag: string | undefined;
}

async function checkPrecondition(context: RuleContext, operation: SpecOperation): Promise<Finding | undefined> {
  const { spec } = context;
  const calls = await context.prepare(operation);
  const [first = {}] = calls;
  const read = async (): Promise<Version> => {
    const reading = readingOfPath(spec, operation, textsOf(first.path));
    if (reading === undefined) throw new NotTriedError(`nothing reads what ${operation.id} changes`);
    const response = await context.read(reading, first);
    return { response, etag: response.headers.get('etag') ?? undefined };
  };
  const send = async (call: Call, etag: string) => {
    const made = { ...call, headers: { ...call.headers, 'If-Match': etag } };
    return { call: made, response: await context.send(operation, made) };
  };
  let before = await read();
  if (!isSuccess(before.response) && operation.method === 'PUT') {
    await context.sendSuccessfully(operation, first);
    before = await read();
  }
  const { etag } = before;
  if (!isSuccess(before.response) || etag === undefined)
    throw new NotTriedError(`the record that ${operation.id} would change is read with ${before.response.status} and no ETag`);
  const change = await changeOf(context, operation, calls, parseBody(before.response));
  const report = ({ call, response }: { call: Call; response: HttpResponse }, ...problems: string[]): Finding => ({
    operation,
    call,
    response,
    problems,
    fix: `compare If-Match with the stored version in the handler of ${operation.id}, and give a changed record another ETag`,
  });
  const isUnchanged = (after: Version) => after.response.text === before.response.text && after.etag === etag;

  const other = await send(change, otherTag(spec, operation, etag));
  const unchanged = await read();
  if (other.response.status !== 412)
    return report(other, `If-Match names a version that is not stored: status ${other.response.status}, not 412`);
  if (!isUnchanged(unchanged))
    return report(
      other,
      `the status is 412, but the record has changed: it is read with ${unchanged.response.status} and ETag ${unchanged.etag ?? 'none'}, not ${etag}`,
    );

  const matching = await send(change, etag);
  if (!isSuccess(matching.response))
    return report(matching, `If-Match names the version that is stored: status ${matching.response.status}`);
  if (operation.method === 'DELETE') return undefined;
  const after = await read();
  const sent = matching.response.headers.get('etag');
  if (sent !== null && isSuccess(after.response) && sent !== after.etag)
    return report(matching, `the response has ETag ${sent}, but the record is read with ${after.etag ?? 'none'}`);
  if (!isSuccess(after.response) || after.response.text === before.response.text) return undefined;
  if (after.etag === etag) return report(matching, `the record has changed, but its ETag is still ${etag}`);
  const late = await send(change, etag);
  return late.response.status === 412
    ? undefined
    : report(late, `If-Match names the version before the last change: status ${late.response.status}, not 412`);
}

/** A call that changes something, where there is something to change. */
async function changeOf(context: RuleContext, operation: SpecOperation, calls: readonly Call[], before: unknown): Promise<Call> {
  const { document } = context.spec;
  const variant = listVariants(document, requestSchemas(document, operation)).find(({ changed }) => changed !== undefined);
  return variant === undefined ? (calls[0] ?? {}) : context.build(operation, calls, variant, before);
}

/** A tag that the contract accepts, of another version. */
function otherTag({ valueProblems }: Witness, operation: SpecOperation, etag: string): string {
  const header = headerOf(operation);
  const isValid = (tag: string) => header?.schema === undefined || valueProblems(child(header.pointer, 'schema'), tag).length === 0;
  const candidates = ['"0"', etag.replace(/.(?="$)/, (last) => (last === '0' ? '1' : '0')), '"other"'];
  return candidates.find((tag) => tag !== etag && isValid(tag)) ?? '"0"';
}
