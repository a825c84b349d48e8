/** Makes records for rules about lists, with the operation that creates them and the calls of its scenarios. */
import { isReadOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import type { SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { isSameValue } from '../values/compare-values.ts';
import { some, viewSchema } from '../values/schema-view.ts';
import { requestSchemas, withProperty, type Variant } from '../values/variants.ts';
import type { Witness } from '../witnesses/witness.ts';
import type { RecordList } from './record-list.ts';
import { propertyIn, type RuleContext } from './rule-context.ts';

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
