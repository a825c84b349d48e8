/** Operations that list records: what the contract says of them, and how all of their pages are read. */
import { type Limits, isReadOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import type { Json, SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { declaredHeaders, matchPath, parseBody, responseSchemas } from '../read-back.ts';
import { isSameValue } from '../values/compare-values.ts';
import { type SchemaView, some, viewSchema } from '../../../schema/schema-view.ts';
import { type RequestSchemas, type Variant, requestSchemas, withProperty } from '../values/variants.ts';
import type { HttpResponse, Witness } from '../witnesses/witness.ts';
import { type RuleContext, propertyIn, withValues } from './rule.ts';

export interface RecordList {
  readonly operation: SpecOperation;
  readonly query: RequestSchemas['query'];
  /** The property of the body that has the records; `undefined` if the body is the list. */
  readonly within: string | undefined;
  readonly items: SchemaView;
  /** The property that tells one record from another, if there is one. */
  readonly id: string | undefined;
  /** The parameter that says how many records a page has at most. */
  readonly limit: { readonly name: string; readonly minimum: number; readonly maximum: number } | undefined;
  /** Whether pages have a `Link` to the next one (RFC 8288). */
  readonly hasLinks: boolean;
}

export interface Pages {
  readonly pages: readonly (readonly Json[])[];
  /** Those of all pages. */
  readonly records: readonly Json[];
  /** The last request and its response. */
  readonly call: Call;
  readonly response: HttpResponse;
  /** Why there is no further page though there should be one. */
  readonly problem?: string;
  /** Whether there is a further page, which was not asked for. */
  readonly hasNext: boolean;
}

const LIMIT = /^(limit|per_?page|page_?size)$/i;
const PAGE = /^(cursor|offset|page|skip|start|after|before|(next_?)?(page_?)?token)$/i;
const DEFAULT_MAX = 100;
/** Of a list that is read whole. */
const MAX_PAGES = 30;

export function recordListOf({ document, operations }: Witness, operation: SpecOperation): RecordList | undefined {
  const schemas = operation.method === 'GET' ? responseSchemas(document, operation, 200) : undefined;
  if (schemas === undefined) return undefined;
  const body = viewSchema(document, schemas);
  const lists = body.items === undefined ? [...body.properties] : [[undefined, schemas] as const];
  const found = lists.flatMap(([within, parts]) => {
    const { type, items } = viewSchema(document, parts);
    const view = items && viewSchema(document, items);
    return type === 'array' && view?.type === 'object' && view.properties.size > 0 ? [{ within, items: view }] : [];
  });
  const [list] = found;
  if (list === undefined || found.length > 1) return undefined;
  const { query } = requestSchemas(document, operation);
  const parameter = query.find((one) => LIMIT.test(one.parameter.name));
  const limit = parameter && viewSchema(document, parameter.schemas);
  const ofItem = operations.flatMap(({ path }) => itemParameter(operation.path, path) ?? [])[0];
  return {
    operation,
    query,
    ...list,
    id: [ofItem, 'id', 'uuid', 'key', 'code'].find((name) => name !== undefined && list.items.properties.has(name)),
    limit: limit && { name: parameter.parameter.name, ...integerRange(limit.limits) },
    hasLinks: declaredHeaders(document, operation, 200).includes('link'),
  };
}

const integerRange = ({ minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity }: Limits) => {
  const least = Math.max(minimum, exclusiveMinimum + 1);
  const most = Math.min(maximum, exclusiveMaximum - 1);
  return { minimum: Number.isFinite(least) ? least : 1, maximum: Number.isFinite(most) ? most : DEFAULT_MAX };
};

/** The parameter of a path of one record of a collection: `petId` of `/pets/{petId}`. */
export function itemParameter(collection: string, path: string): string | undefined {
  const rest = path.startsWith(collection) ? path.slice(collection.length) : '';
  return /^\/?\{([^/{}]+)\}$/.exec(rest)?.[1];
}

const recordsIn = ({ within }: RecordList, response: HttpResponse): readonly Json[] => {
  const body = parseBody(response);
  const list = within === undefined ? body : (body as Json | undefined)?.[within];
  return Array.isArray(list) ? (list as Json[]) : [];
};

/** A record in a message: with its id, if it has one. */
export const nameOf = ({ id }: RecordList, record: Json): string =>
  id === undefined ? JSON.stringify(record) : `${id} ${JSON.stringify(record[id])}`;

/** Reads a page and those after it, as long as there are some. @throws NoValueError, NotTriedError */
export async function readPages(
  context: RuleContext,
  list: RecordList,
  calls: readonly Call[],
  {
    filter = {},
    limit = list.limit?.maximum,
    most = MAX_PAGES,
  }: { readonly filter?: Readonly<Record<string, unknown>>; readonly limit?: number | undefined; readonly most?: number } = {},
): Promise<Pages> {
  const size = list.limit && limit !== undefined ? { [`query/${list.limit.name}`]: limit } : {};
  let call = await context.build(list.operation, calls, withValues({ ...filter, ...size }));
  const pages: Json[][] = [];
  for (;;) {
    const response = await context.send(list.operation, call);
    const result = (hasNext: boolean, problem?: string): Pages => ({
      pages,
      records: pages.flat(),
      call,
      response,
      hasNext,
      ...(problem !== undefined && { problem }),
    });
    if (!isSuccess(response)) return result(false, `page ${pages.length + 1} is answered with ${response.status}`);
    pages.push([...recordsIn(list, response)]);
    const next = nextLink(response);
    if (next === undefined) return result(false);
    const following = followLink(context.spec, list, call, next);
    if (following === undefined) return result(true, `Link leads to ${next}, which is not a page of ${list.operation.id}`);
    if (following.query === call.query) return result(true, `Link leads from page ${pages.length} to the same page`);
    if (pages.length >= most) return result(true);
    call = following;
  }
}

/** Whether all records were read: no parameter divides the list into pages, or the last page has no next one. */
export const isWhole = (list: RecordList, { records, hasNext, problem }: Pages): boolean =>
  problem === undefined &&
  !hasNext &&
  (list.hasLinks ||
    (list.limit === undefined ? !list.query.some(({ parameter }) => PAGE.test(parameter.name)) : records.length < list.limit.maximum));

/** The target of `Link` with `rel="next"`. */
function nextLink({ headers }: HttpResponse): string | undefined {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^<>]*)>([^<]*)/g)];
  return links.find(([, , parameters = '']) => /;\s*rel="?([^",;]*\s)?next(?=[\s",;]|$)/i.test(parameters))?.[1];
}

function followLink(spec: Witness, { operation }: RecordList, call: Call, target: string): Call | undefined {
  const found = target.startsWith('?') ? { operation, path: call.path, query: target.slice(1) } : matchPath(spec, target);
  if (found === undefined || found.operation.id !== operation.id) return undefined;
  // The client sends the credentials.
  const query = new URLSearchParams(found.query);
  for (const { scheme } of operation.security.flat()) if (scheme.type === 'apiKey' && scheme.in === 'query') query.delete(scheme.name);
  return { ...call, ...(found.path !== undefined && { path: found.path }), query: query.toString() };
}

/** Makes records for rules about lists, with the operation that creates them and the calls of its scenarios. */
export interface MadeRecord {
  /** The request that made it. */
  readonly call: Call;
  /** What the property was written as; `undefined` if it was not written. */
  readonly value: unknown;
  /** That of the list's records, if it can be told. */
  readonly id: unknown;
}

/** The operation that adds a record to a list. */
export const creatorOf = ({ operations }: Witness, { operation }: RecordList): SpecOperation | undefined =>
  operations.find(({ method, path }) => method === 'POST' && path === operation.path);

/**
 * Two records with different values of a property, as far as they can be made.
 *
 * @param values that it can have; by default those of the scenarios. @throws NoValueError
 */
export async function makeRecords(
  context: RuleContext,
  list: RecordList,
  property: string,
  values: readonly unknown[] | undefined,
): Promise<MadeRecord[]> {
  const creator = creatorOf(context.spec, list);
  if (creator === undefined || !isWritable(context.spec, creator, property)) return [];
  const place = `body/${property}`;
  const made: MadeRecord[] = [];
  for (const pick of values ?? [undefined, undefined]) {
    const calls = await context.prepare(creator).catch(() => []);
    if (calls.length === 0 || made.length === 2) break;
    const variant = withProperty(place);
    const picked: Variant = pick === undefined ? variant : { ...variant, picks: new Map([[place, pick]]) };
    let call = await context.build(creator, calls, picked);
    const [first] = made;
    if (first !== undefined && isSameValue(propertyIn(call.body, property), first.value))
      call = await context.build(creator, calls, { ...variant, changed: place }, first.call.body);
    const record = await send(context, creator, call, list);
    const value = propertyIn(call.body, property);
    if (record !== undefined && !made.some((one) => isSameValue(one.value, value))) made.push({ ...record, value });
  }
  return made;
}

/** New records as the scenarios make them. @param path of the list that they are for, which may be one of many: `/pets/{petId}/photos`. */
export async function makeMore(context: RuleContext, list: RecordList, count: number, path: Call['path'] = {}): Promise<MadeRecord[]> {
  const creator = creatorOf(context.spec, list);
  const made: MadeRecord[] = [];
  for (let i = 0; creator !== undefined && i < count; i++) {
    const [call] = await context.prepare(creator).catch(() => []);
    const record = call && (await send(context, creator, { ...call, path: { ...call.path, ...path } }, list));
    if (record !== undefined) made.push({ ...record, value: undefined });
  }
  return made;
}

/** @returns `undefined` if it is rejected, or not there yet. */
async function send(
  context: RuleContext,
  creator: SpecOperation,
  call: Call,
  { id }: RecordList,
): Promise<Omit<MadeRecord, 'value'> | undefined> {
  const response = await context.send(creator, call);
  if (!isSuccess(response) || response.status === 202) return undefined;
  return { call, id: id === undefined ? undefined : propertyIn(await context.readWritten(creator, call, response), id) };
}

function isWritable({ document }: Witness, creator: SpecOperation, property: string): boolean {
  const { body } = requestSchemas(document, creator);
  const declared = body && viewSchema(document, body.schemas).properties.get(property);
  if (declared === undefined) return false;
  const view = viewSchema(document, declared);
  return view.items === undefined && !some(view, isReadOnly);
}
