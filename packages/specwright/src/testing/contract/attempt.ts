/** Sends a variant of an operation's request, and finds what is wrong with the answer: its status, or what does not come back. */
import { declaredDefault, isReadOnly } from '@specwright/contract/document';
import { compareValues, locateRecord, type Difference } from './values/compare-values.ts';
import type { Json, SpecOperation } from './document.ts';
import { fillIn } from './values/fill-in.ts';
import type { Call } from './operation-client.ts';
import { findReading, parseBody, readingOfPath, responseSchemas, textsOf, type Reading } from './read-back.ts';
import { first, some, viewSchema, type Schemas } from '../../schema/schema-view.ts';
import { withProperty, type RequestSchemas, type Variant } from './values/variants.ts';
import type { Walk } from './walk-options.ts';
import type { HttpResponse } from './witnesses/witness.ts';

/** A request that was sent, and what is wrong with how it was answered. */
export interface Attempt {
  readonly variant: Variant;
  readonly call: Call;
  readonly response: HttpResponse;
  readonly problems: readonly string[];
  /** The operation that should read what was written, and the status that it answers with instead. */
  readonly unread?: { readonly reader: string; readonly status: number };
  /** What was written and did not come back; `reader` is what it was expected of. */
  readonly differences: readonly (Difference & { readonly reader: string })[];
}

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;
export const isSuccessKey = (status: string): boolean => status.startsWith('2');
export const isInside = (place: string, outer: string): boolean => place === outer || place.startsWith(`${outer}/`);

/** The calls of its scenarios that succeed, without their conditions: other requests are made of them. */
export async function successfulCalls<World>(
  { world, scenarioFor, canSend = () => true }: Walk<World>,
  operation: SpecOperation,
): Promise<Call[]> {
  const calls: Call[] = [];
  for (const status of operation.statuses.filter(isSuccessKey)) calls.push(...((await scenarioFor(operation, status)?.(world)) ?? []));
  const optional = operation.parameters.filter((parameter) => parameter.in === 'header' && !parameter.required);
  const dropped = ['content-type', ...optional.map(({ name }) => name.toLowerCase())];
  return calls
    .filter((call) => canSend(call) && call.raw === undefined)
    .map(({ headers = {}, ...call }) => ({
      ...call,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name.toLowerCase()))),
    }));
}

/**
 * Sends the variant, made of calls that are prepared for it alone, so that none depends on another.
 *
 * @param omitted places that are left out where they are optional, and not compared. @throws NoValueError if no request can be made.
 */
export async function attempt<World>(
  walk: Walk<World>,
  operation: SpecOperation,
  schemas: RequestSchemas,
  variant: Variant,
  omitted: readonly string[],
): Promise<Attempt> {
  const { spec, client } = walk;
  const { id, method } = operation;
  const sample = await client.sample(id);
  const make = (calls: readonly Call[], before?: unknown, of = variant): Call =>
    fillIn({ spec, schemas, sample, calls, variant: of, omitted, before });
  const calls = await successfulCalls(walk, operation);
  const isChange = method === 'PUT' || method === 'PATCH';
  // What is removed has to be there before.
  if (isChange && variant.place !== undefined && variant.picks.get(variant.place) === null)
    await client.send(id, make(calls, undefined, { ...withProperty(variant.place), branches: variant.branches }));
  const before = isChange
    ? await readBefore(walk, operation, schemas, { ...calls[0], path: { ...sample.path, ...calls[0]?.path } })
    : undefined;
  let call = make(calls, before);
  let response = await client.send(id, call);
  if (before !== undefined && response.status >= 400 && response.status < 500) {
    // It may be that only the value before is accepted.
    call = make(await successfulCalls(walk, operation));
    response = await client.send(id, call);
  }
  const { differences, ...found } = await examine(walk, operation, schemas.body?.schemas, call, response);
  return {
    variant,
    call,
    response,
    ...found,
    differences: differences.filter(({ place }) => !omitted.some((one) => isInside(place, one))),
  };
}

async function examine<World>(
  walk: Walk<World>,
  operation: SpecOperation,
  schemas: Schemas | undefined,
  call: Call,
  response: HttpResponse,
): Promise<Pick<Attempt, 'problems' | 'unread' | 'differences'>> {
  const { spec, problems = spec.problems } = walk;
  if (!isSuccess(response)) return { problems: [`status ${response.status}`], differences: [] };
  const found = [...problems(operation.id, response)];
  const { body } = call;
  if (schemas === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return { problems: found, differences: [] };
  const { document } = spec;
  const written = { value: operation.method === 'PATCH' ? body : withDefaults(document, schemas, body), schemas };
  const compare = (reader: SpecOperation, from: HttpResponse, name: string): Attempt['differences'] => {
    const read = recordIn(document, responseSchemas(document, reader, from.status), Object.keys(written.value), parseBody(from));
    return read === undefined ? [] : compareValues(document, 'body', written, read).map((one) => ({ ...one, reader: name }));
  };
  const differences = compare(operation, response, 'the response');
  const reading = findReading(spec, { operation, call, response });
  if (reading === undefined) return { problems: found, differences };
  const { id: reader } = reading.operation;
  const read = await sendReading(walk, reading, call, response);
  if (isSuccess(read)) return { problems: found, differences: [...differences, ...compare(reading.operation, read, reader)] };
  // A stub reads nothing, and what is only accepted may not be there yet.
  const isExpected = read.status === 501 || response.status === 202;
  return { problems: found, differences, ...(!isExpected && { unread: { reader, status: read.status } }) };
}

/** Reads with the credentials and the server of a call. @param response what was written: credentials may be in it. */
export function sendReading(
  { client }: Pick<Walk<unknown>, 'client'>,
  { operation, path, query }: Reading,
  { headers = {}, server, readWith }: Call,
  response?: HttpResponse,
): Promise<HttpResponse> {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'));
  return client.send(operation.id, {
    path,
    ...(query !== undefined && { query }),
    headers: { ...own, ...(response && readWith?.(parseBody(response))) },
    ...(server !== undefined && { server }),
  });
}

/** What is stored where the call will write; `undefined` if that cannot be read. */
async function readBefore<World>(walk: Walk<World>, operation: SpecOperation, { body }: RequestSchemas, call: Call): Promise<unknown> {
  const { document } = walk.spec;
  const reading = body && readingOfPath(walk.spec, operation, textsOf(call.path));
  if (body === undefined || reading === undefined) return undefined;
  const read = await sendReading(walk, reading, call);
  if (!isSuccess(read)) return undefined;
  const names = [...viewSchema(document, body.schemas).properties.keys()];
  return recordIn(document, responseSchemas(document, reading.operation, read.status), names, parseBody(read))?.value;
}

/** A default is what is written where nothing else is. */
function withDefaults(document: Json, schemas: Schemas, body: object): Json {
  const defaults = [...viewSchema(document, schemas).properties].flatMap(([name, parts]): [string, unknown][] => {
    const view = viewSchema(document, parts);
    const value = some(view, isReadOnly) ? undefined : first(view, declaredDefault);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(defaults), ...body };
}

/** The part of a response that has the written properties, with its schemas. */
function recordIn(
  document: Json,
  schemas: Schemas | undefined,
  names: readonly string[],
  body: unknown,
): { value: unknown; schemas: Schemas } | undefined {
  const located = schemas && locateRecord(document, schemas, names);
  if (schemas === undefined || located === undefined) return undefined;
  let [value, parts]: [unknown, Schemas] = [body, schemas];
  for (const name of located.path) {
    value = (value as Json | null | undefined)?.[name];
    parts = viewSchema(document, parts).properties.get(name) ?? [];
  }
  return { value, schemas: parts };
}
