/** The record that a request writes: its body, and what the server of the contract would add. */
import {
  type Document,
  type DocumentOperation,
  type RequestBody,
  bodyKind,
  formatOf,
  isReadOnly,
  isWriteOnly,
  resolve,
} from '@specwright/contract/document';
import type { MockRequest } from '@specwright/server';
import type { Json } from '../../testing/contract/document.ts';
import { NoValueError } from '../../testing/contract/values/build-options.ts';
import { seedOf } from '../../testing/contract/values/leaf-values.ts';
import type { LocatedSchema, Schemas } from '../../schema/schema-view.ts';
import { type MockValues, isPlainObject } from '../mock-values.ts';
import type { RecordStore } from './answer-list.ts';
import { type Collection, type Resource, idText } from './find-resources.ts';

export interface WriteParts {
  readonly document: Document;
  readonly values: MockValues;
  /** Of the record. */
  readonly schemas: Schemas;
  readonly operation: DocumentOperation;
  readonly now: Date;
  /** What it is told from other records by. */
  readonly seed: string;
}

/** A new record, or one in the place of another. @param before the one that is replaced. */
export function replaceRecord(parts: WriteParts, body: Json, before: Json | undefined): Json {
  const { values, schemas, now } = parts;
  const view = values.view(schemas);
  const accepted = acceptedProperties(parts);
  const [schema] = schemas;
  const made = before === undefined && schema !== undefined ? generate(values, schema, parts.seed) : {};
  const record: Record<string, unknown> = {};
  for (const [name, property] of view.properties) {
    const { parts: own } = values.view(property);
    const isServers = own.some(({ value }) => isReadOnly(value)) || (accepted !== undefined && !accepted.has(name));
    const isTime = isServers && own.some(({ value }) => formatOf(value) === 'date-time');
    if (own.some(({ value }) => isWriteOnly(value))) continue;
    if (Object.hasOwn(body, name)) record[name] = body[name];
    else if (isTime && (before === undefined || isTimeOfChange(name))) record[name] = now.toISOString();
    else if (isServers && before !== undefined && Object.hasOwn(before, name)) record[name] = before[name];
    else if ((isServers || view.required.has(name)) && Object.hasOwn(made, name)) record[name] = made[name];
  }
  // Of a union, and of a map: what is declared depends on the value.
  const others = Object.entries(body).filter(([name]) => !view.properties.has(name) && !(view.isClosed && view.properties.size > 0));
  return { ...record, ...Object.fromEntries(others) };
}

/** RFC 7396. */
export function mergeRecord(parts: WriteParts, patch: Json, before: Json): Json {
  const record = { ...(mergePatch(before, patch) as Json) };
  for (const [name, property] of parts.values.view(parts.schemas).properties) {
    const isTime = parts.values.view(property).parts.some(({ value }) => isReadOnly(value) && formatOf(value) === 'date-time');
    if (isTime && isTimeOfChange(name)) record[name] = parts.now.toISOString();
  }
  return record;
}

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch;
  const merged = new Map(Object.entries(isPlainObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

const isTimeOfChange = (name: string): boolean => /updat|modif|chang/i.test(name);

function generate(values: MockValues, schema: LocatedSchema, seed: string): Json {
  const value = values.valueOf(schema, { seed: seedOf(seed), ignoreExamples: true });
  return isPlainObject(value) ? value : {};
}

/** The properties that the request may have; `undefined` if it does not say. */
function acceptedProperties({ document, values, operation }: WriteParts): ReadonlySet<string> | undefined {
  const { requestBody } = operation.operation;
  const body = requestBody && resolve<RequestBody>(document, requestBody);
  const media = Object.entries(body?.content ?? {}).find(([type]) => bodyKind(type) === 'json')?.[1];
  if (media?.schema === undefined) return undefined;
  const { properties } = values.view({ value: media.schema, pointer: '#' });
  return properties.size === 0 ? undefined : new Set(properties.keys());
}

export const SINGLE = '';
const MAX_ID_ATTEMPTS = 1000;

/** What the contract alone would answer. @param path of the collection; @param request one of its operations. */
export function seedRecords(
  values: MockValues,
  resources: ReadonlyMap<string, Resource>,
  path: string,
  collection: Collection,
  request: MockRequest,
): ReadonlyMap<string, Json> {
  const { list, read, place, idName, isSingle } = collection;
  const source = list ?? read;
  const resource = source && resources.get(source.operation.id);
  const schema = place?.schemas[0];
  const records = new Map<string, Json>();
  if (source === undefined || resource === undefined || schema === undefined) return records;
  const { path: parameters } = request.input;
  // With the id that is asked for, nothing would be missing.
  const above = isSingle ? parameters : Object.fromEntries(Object.entries(parameters).slice(0, -1));
  const input = { path: list === undefined ? above : parameters, query: {}, headers: {}, cookies: {}, body: undefined };
  const { body } = source.answer({ ...request, headers: {}, input });
  const found = unwrapped(resource, body);
  for (const [i, given] of [found].flat().entries()) {
    const full = values.valueOf(schema, { seed: seedOf(`${path} ${i}`), given });
    if (!isPlainObject(full)) continue;
    const id = isSingle ? SINGLE : idText((idName === undefined ? undefined : full[idName]) ?? i + 1);
    if (!records.has(id)) records.set(id, full);
  }
  // What a request that is made of the contract's examples asks for.
  for (const id of collection.exampleIds)
    if (!records.has(idText(id))) {
      const record = recordWithId(values, resources, path, collection, request, id);
      if (record !== undefined) records.set(idText(id), record);
    }
  return records;
}

/** The record, or the records, in the body of a response. */
const unwrapped = ({ place }: Resource, body: unknown): unknown =>
  place?.within === undefined ? body : (body as Json | undefined)?.[place.within];

/** What the contract alone would answer for an id. */
export function recordWithId(
  values: MockValues,
  resources: ReadonlyMap<string, Resource>,
  path: string,
  { read, place, idName }: Collection,
  request: MockRequest,
  id: unknown,
): Json | undefined {
  const resource = read && resources.get(read.operation.id);
  const schema = place?.schemas[0];
  if (read === undefined || resource?.parameter === undefined || schema === undefined) return undefined;
  const input = { path: { ...request.input.path, [resource.parameter]: id }, query: {}, headers: {}, cookies: {}, body: undefined };
  const { body } = read.answer({ ...request, headers: {}, input });
  const found = unwrapped(resource, body);
  const given = isPlainObject(found) && idName !== undefined ? { ...found, [idName]: id } : found;
  const record = values.valueOf(schema, { seed: seedOf(`${path} ${idText(id)}`), given });
  return isPlainObject(record) ? record : undefined;
}

/** That of the body, if it has one; else one that its schema allows, and that no record has or had. */
export function newId(values: MockValues, path: string, { idName, place }: Collection, store: RecordStore, body: Json): string | number {
  const own = idName === undefined ? undefined : body[idName];
  if (typeof own === 'string' || typeof own === 'number') return own;
  const schemas = idName === undefined ? undefined : values.view(place?.schemas ?? []).properties.get(idName);
  if (schemas === undefined) return store.given(path).highest + 1;
  for (const id of possibleIds(values, path, schemas, store.given(path)))
    if (
      (typeof id === 'string' || typeof id === 'number') &&
      store.get(path, String(id)) === undefined &&
      !store.wasRemoved(path, String(id))
    )
      return id;
  throw new NoValueError(`no further id can be made for ${path}: loosen the schema of ${idName ?? 'its id'}`);
}

/** Above all integers that were given, then what a maximum left below; of other types as many as the schema gives. */
function* possibleIds(values: MockValues, path: string, schemas: Schemas, { count, highest }: ReturnType<RecordStore['given']>) {
  const [schema] = schemas;
  const { types, limits } = values.view(schemas);
  const attempts = count + MAX_ID_ATTEMPTS;
  if (schema === undefined || types.includes('integer')) {
    const largest = schemas.some(({ value }) => formatOf(value) === 'int32') ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
    const lowest = Math.max(limits.minimum ?? 1, 1);
    for (const from of [Math.max(highest + 1, lowest), lowest])
      for (let id = from; id < from + attempts && id <= largest; id++) if (schemas.every((one) => values.isValid(one, id))) yield id;
  } else for (let i = count; i < attempts; i++) yield values.valueOf(schema, { seed: seedOf(`${path} id ${i}`), ignoreExamples: true });
}
