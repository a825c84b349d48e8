/** The record that a request writes: its body, and what the server of the contract would add. */
import {
  bodyKind,
  formatOf,
  isReadOnly,
  isWriteOnly,
  resolve,
  type DocumentOperation,
  type RequestBody,
  type Document,
} from '@specwright/contract/document';
import { seedOf } from '../../testing/contract/values/seeded-values.ts';
import type { Json } from '../../testing/contract/document.ts';
import type { LocatedSchema, Schemas } from '../../testing/contract/values/schema-parts.ts';
import type { MockValues } from '../mock-values.ts';
import { isPlainObject } from '../plain-object.ts';

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
