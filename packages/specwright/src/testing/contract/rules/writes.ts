/** Rule: a request whose `If-Match` names another version changes nothing, and each change gives the record another `ETag` (RFC 9110, section 13.1.1). */
import { declaredDefault, isWriteOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import { type SpecOperation, child } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { declaredHeaders, parseBody, readingOfPath, responseSchemas, textsOf } from '../read-back.ts';
import { isSameValue, locateRecord } from '../values/compare-values.ts';
import { first, some, viewSchema } from '../../../schema/schema-view.ts';
import { ALL, REQUIRED, listVariants, optionalPlaces, requestSchemas } from '../values/variants.ts';
import { type HttpResponse, type Witness, statusKey } from '../witnesses/witness.ts';
import { type Finding, NotTriedError, type Rule, type RuleContext, propertyIn } from './rule.ts';

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

/** Rule: PUT replaces the whole record, so an optional property that is not given is removed or has its default (RFC 9110, section 9.3.4). */
export const OMITTED_PROPERTIES: Rule = {
  title: 'removes an optional property that is not given',
  cases: (spec, operation) => {
    // One pair of requests shows it for all of them.
    let replaced: Promise<Replaced> | undefined;
    return omittable(spec, operation).map((property) => ({
      name: `omitted ${property}`,
      check: async (context) => examine(context, operation, property, await (replaced ??= replace(context, operation))),
    }));
  },
};

interface Replaced {
  /** The record with all properties, and then without those that are optional. */
  readonly before: unknown;
  readonly after: unknown;
  /** The second request. */
  readonly call: Call;
  readonly response: HttpResponse;
}

/** The optional properties that can be read. */
function omittable(spec: Witness, operation: SpecOperation): string[] {
  const { document } = spec;
  const schemas = requestSchemas(document, operation);
  const reader = operation.method === 'PUT' ? readingOfPath(spec, operation, {})?.operation : undefined;
  const read = reader && responseSchemas(document, reader, 200);
  if (schemas.body === undefined || read === undefined) return [];
  const request = viewSchema(document, schemas.body.schemas);
  const names = [...request.properties.keys()];
  let record = viewSchema(document, read);
  for (const name of locateRecord(document, read, names)?.path ?? []) record = viewSchema(document, record.properties.get(name) ?? []);
  const isHidden = (name: string) => some(viewSchema(document, request.properties.get(name) ?? []), isWriteOnly);
  return optionalPlaces(document, schemas).flatMap((place) => {
    const name = place.slice('body/'.length);
    return place.startsWith('body/') && record.properties.has(name) && !isHidden(name) ? [name] : [];
  });
}

async function replace(context: RuleContext, operation: SpecOperation): Promise<Replaced> {
  const calls = await context.prepare(operation);
  const variants = listVariants(context.spec.document, requestSchemas(context.spec.document, operation));
  const send = async (name: string) => {
    const variant = variants.find((one) => one.name === name);
    if (variant === undefined) throw new Error(`${operation.id} has no request with ${name}`);
    const call = await context.build(operation, calls, variant);
    const response = await context.sendSuccessfully(operation, call);
    return { call, response, record: await context.readWritten(operation, call, response) };
  };
  const { record: before } = await send(ALL);
  const { call, response, record: after } = await send(REQUIRED);
  return { before, after, call, response };
}

async function examine(
  { spec }: RuleContext,
  operation: SpecOperation,
  property: string,
  { before, after, call, response }: Replaced,
): Promise<Finding | undefined> {
  const [was, is] = [propertyIn(before, property), propertyIn(after, property)];
  // It may have to be there: an object has a least number of properties.
  const isGiven = propertyIn(call.body, property) !== undefined;
  if (isGiven || is === undefined || is === null || !isSameValue(was, is)) return undefined;
  const { body } = requestSchemas(spec.document, operation);
  const view = body && viewSchema(spec.document, viewSchema(spec.document, body.schemas).properties.get(property) ?? []);
  if (view && isSameValue(first(view, declaredDefault), is)) return undefined;
  return {
    operation,
    call,
    response,
    problems: [`body/${property} is not given, and is still ${JSON.stringify(is)}, as it was before`],
    fix: `replace the whole record in the handler of ${operation.id}`,
  };
}
