/** The records that a collection has at first, and the ids of those that are added. */
import type { MockRequest } from '@specwright/server';
import { seedOf } from '../../testing/contract/values/seeded-values.ts';
import type { Json } from '../../testing/contract/document.ts';
import type { MockValues } from '../mock-values.ts';
import { isPlainObject } from '../plain-object.ts';
import type { Collection, Resource } from './find-resources.ts';
import { idText } from './paths.ts';
import type { StoredRecord } from './record-store.ts';

/** The id of a single thing. */
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
  const found = resource.place?.within === undefined ? body : (body as Json | undefined)?.[resource.place.within];
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
  const found = resource.place?.within === undefined ? body : (body as Json | undefined)?.[resource.place.within];
  const given = isPlainObject(found) && idName !== undefined ? { ...found, [idName]: id } : found;
  const record = values.valueOf(schema, { seed: seedOf(`${path} ${idText(id)}`), given });
  return isPlainObject(record) ? record : undefined;
}

/** That of the body, if it has one; else one that its schema allows and no record has. */
export function newId(
  values: MockValues,
  path: string,
  { idName, place }: Collection,
  existing: readonly StoredRecord[],
  body: Json,
): string | number {
  const own = idName === undefined ? undefined : body[idName];
  if (typeof own === 'string' || typeof own === 'number') return own;
  const schemas = idName === undefined ? undefined : values.view(place?.schemas ?? []).properties.get(idName);
  const [schema] = schemas ?? [];
  if (schemas === undefined || schema === undefined || values.view(schemas).types.includes('integer')) {
    const { minimum = 1 } = schemas === undefined ? {} : values.view(schemas).limits;
    return Math.max(minimum - 1, 0, ...existing.map(({ id }) => Number(id)).filter(Number.isSafeInteger)) + 1;
  }
  for (let i = existing.length; i < existing.length + MAX_ID_ATTEMPTS; i++) {
    const id = values.valueOf(schema, { seed: seedOf(`${path} id ${i}`), ignoreExamples: true });
    if ((typeof id === 'string' || typeof id === 'number') && !existing.some((one) => one.id === String(id))) return id;
  }
  throw new Error(`no further id can be made for ${path}: loosen the schema of ${idName ?? 'its id'}`);
}
