/** Validates values that are sent as JSON: the value that parsing the text gives is validated, not the one that a handler has given. */
import type { ErrorObject } from 'ajv';
import { types } from 'node:util';
import { type Document, type Schema, resolve } from '../document/openapi.ts';
import { isWriteOnly } from '../schema/model.ts';
import type { CompileSchemaAt } from '../schema/compile-schema.ts';
import { type SchemaShape, schemaShape } from '../schema/schema-shape.ts';
import { formatAjvError, withoutConditions } from '../schema/validation-error.ts';

/** @param location of the value: `response/body`. @returns the value to send; what breaks the contract is added to `problems`. */
export type ValidateSent = (value: unknown, location: string, problems: string[]) => unknown;

/** Compiles the schema of what is sent. @param pointer of the schema. */
export type CompileSent = (schema: Schema, pointer: string) => ValidateSent;

export type DescribeErrors = (location: string, errors: readonly ErrorObject[]) => string[];

const formatErrors: DescribeErrors = (location, errors) => withoutConditions(errors).map((error) => formatAjvError(location, error));

/** Creates the compiler of a document's schemas; one that several places use is compiled once. */
export function createCompileSent(document: Document, compile: CompileSchemaAt, describe = formatErrors): CompileSent {
  const progress = new Progress();
  const compileStrip = createStripUndeclared(document, progress);
  return (schema, pointer) => {
    const strip = compileStrip([schema]);
    const { isValid, problems: problemsOf } = compile.validatorAt(pointer);
    return (given, location, problems) => {
      progress.begin(true);
      const value = strip.copy(given);
      const { isUnwritable, hasForbidden } = progress;
      const isAccepted = isValid(value);
      if (isAccepted && !isUnwritable && !hasForbidden) return value;
      const refused = isAccepted ? [] : describe(location, problemsOf(value));
      const before = problems.length;
      if (isUnwritable) toPlainJson(given, (problem, path) => void problems.push(`${location}${path} ${problem}`));
      problems.push(...refused);
      if (isUnwritable && problems.length === before) problems.push(`${location} has a value that its JSON text would not have`);
      if (!hasForbidden) return value;
      // One part of a composition forbids them, and another one was valid with them: without them it may not be.
      progress.begin(false);
      const stripped = strip.copy(given);
      if (problems.length === before && !isValid(stripped)) problems.push(...describe(location, problemsOf(stripped)));
      return stripped;
    };
  };
}

/** What is found while a value is copied: one for all, because copying does not wait. */
class Progress {
  /** Whether undeclared properties are kept where a part of a schema forbids them, so that they are reported. */
  keepsForbidden = false;
  /** Whether a part has no text in JSON, or one of another type. */
  isUnwritable = false;
  /** Whether there are undeclared properties that a part of a schema forbids. */
  hasForbidden = false;

  begin(keepsForbidden: boolean): void {
    this.keepsForbidden = keepsForbidden;
    this.isUnwritable = this.hasForbidden = false;
  }
}

type Copy = (value: unknown) => unknown;

/** Copies the values of some schemas without what is not to be sent. Made for the first value: much of a large contract is seldom used. */
interface Strip {
  copy: Copy;
}

type CompileStrip = (schemas: readonly Schema[]) => Strip;

/**
 * Compiles what strips the values of a document's schemas; of one that several places use it is compiled once.
 *
 * JSON Schema allows undeclared properties unless `additionalProperties` is false; a server must not send them. A property
 * is sent if any part of a composition declares it. A schema that declares no properties is a map, whose values are sent
 * as they are. `writeOnly` properties are never sent (OpenAPI 3.0.3, section 4.7.24.2).
 */
function createStripUndeclared(document: Document, progress: Progress): CompileStrip {
  // Keyed by the schemas themselves, so that a recursive schema gets one that refers to itself.
  const compiled = new Map<string, Strip>();
  const ids = new Map<Schema, number>();
  const idOf = (schema: Schema) => ids.get(schema) ?? (ids.set(schema, ids.size), ids.size - 1);

  const compile: CompileStrip = (schemas) => {
    // Each once: alternatives that lead to the same schema would double what is below it, level by level.
    const resolved = [...new Set(schemas.map((schema) => resolve<Schema>(document, schema)))];
    const key = resolved
      .map(idOf)
      .sort((a, b) => a - b)
      .join();
    const existing = compiled.get(key);
    if (existing !== undefined) return existing;
    const strip: Strip = {
      copy: (value) => (strip.copy = build(document, schemaShape(document, resolved), compile, progress))(value),
    };
    compiled.set(key, strip);
    return strip;
  };
  return compile;
}

function build(document: Document, shape: SchemaShape, compile: CompileStrip, progress: Progress): Copy {
  const isTyped = shape.types.size > 0;
  const report = () => void (progress.isUnwritable = true);
  const any: Strip = { copy: (value) => (isPlainJson(value) ? value : toPlainJson(value, report)) };
  const copyScalar: Copy = (value) => {
    if (shape.isBigInteger && typeof value === 'bigint') return value;
    // The schema of a text is not that of a `Date`, although it would be written as a text.
    if (isTyped) report();
    return isTyped ? value : toPlainJson(value, report);
  };
  const items = shape.items.length > 0 ? compile(shape.items) : any;
  const copyObject = buildObject(document, shape, any, compile, progress);
  const copyValue: Copy = (given) => {
    if (isPlainScalar(given)) return given;
    if (typeof given !== 'object' || given === null) return copyScalar(given);
    const value = isPlainObject(given) ? given : unboxed(given);
    if (typeof value !== 'object' || value === null) return isPlainScalar(value) && !isTyped ? value : copyScalar(isTyped ? given : value);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (let i = 0; i < value.length; i++) list.push(isPlainScalar(value[i]) ? value[i] : items.copy(value[i]));
      return list;
    }
    return copyObject(value);
  };
  return shape.isDateObject ? (given) => (types.isDate(given) ? sentDate(given) : copyValue(given)) : copyValue;
}

/** Compiles what copies objects. @param any copies the values of any schema. */
function buildObject(document: Document, shape: SchemaShape, any: Strip, compile: CompileStrip, progress: Progress): Copy {
  // `undefined` for a property that is only `writeOnly`: not sent by an open schema either.
  const properties = new Map<string, Strip | undefined>();
  for (const [name, schemas] of shape.properties) {
    const readable = schemas.filter((schema) => !isWriteOnly(resolve<Schema>(document, schema)));
    properties.set(name, readable.length > 0 ? compile(readable) : undefined);
  }
  const isOpen = shape.isOpen || !shape.declaresProperties;
  // What is required and has no schema is declared all the same: without it the value would not be valid.
  if (!isOpen && !shape.forbidsUndeclared) for (const name of shape.required) if (!properties.has(name)) properties.set(name, any);
  const additional = !isOpen ? undefined : shape.additionalProperties.length > 0 ? compile(shape.additionalProperties) : any;
  if (additional === any && properties.size === 0) return any.copy;

  /** Those that are sent, in the order of the schema, and their places in it. */
  const names = [...properties.keys()].filter((name) => properties.get(name) !== undefined);
  const places = new Map(names.map((name, place) => [name, place]));

  /** @param given what has no getters. */
  const copyDeclared = (given: Record<string, unknown>): Record<string, unknown> => {
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      const part = given[name];
      if (part === undefined) continue;
      const strip = properties.get(name) ?? (properties.has(name) ? undefined : additional);
      if (strip !== undefined) {
        if (name === '__proto__') setProperty(result, name, strip.copy(part));
        else result[name] = isPlainScalar(part) ? part : strip.copy(part);
      } else if (shape.forbidsUndeclared && !properties.has(name)) {
        progress.hasForbidden = true;
        if (progress.keepsForbidden) setProperty(result, name, any.copy(part));
      }
    }
    return result;
  };

  /** Most objects have declared properties only, and most of these are scalars: then nothing is built property by property. */
  return (value) => {
    // Reads each property once, so that what is validated is what is sent.
    const copy: Record<string, unknown> = { ...(value as object) };
    let place = 0;
    let hasParts = false;
    for (const name in copy) {
      if (name !== names[place]) {
        const found = places.get(name);
        if (found === undefined) return copyDeclared(copy);
        place = found;
      }
      place++;
      const part = copy[name];
      if (typeof part === 'string' || isPlainScalar(part)) continue;
      if (part === undefined) return copyDeclared(copy);
      hasParts = true;
    }
    if (hasParts)
      for (const name of Object.keys(copy)) if (!isPlainScalar(copy[name])) copy[name] = (properties.get(name) as Strip).copy(copy[name]);
    return copy;
  };
}

/** One that is invalid, or of a year that RFC 3339 does not have, gets a text that its format refuses. */
const sentDate = (date: Date): string => (Number.isNaN(date.getTime()) ? String(date) : date.toISOString());

// Finds what `JSON.stringify` would alter in a value, and makes the value that parsing its text would give.

/** Whether a value is the one that parsing its text gives: no `NaN`, no `undefined`, no `Date`, no inherited property. */
function isPlainJson(value: unknown): boolean {
  if (isPlainScalar(value)) return true;
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlainJson(value[i])) return false;
    return true;
  }
  for (const name in value) if (!isPlainJson((value as Record<string, unknown>)[name])) return false;
  return true;
}

/** Only of a number that is finite the difference to itself is 0. */
const isPlainScalar = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' ? value - value === 0 : typeof value === 'boolean' || value === null);

/** A list, or an object whose properties are its own, that is written as it is. */
function isPlainObject(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Is told of each part that has no text in JSON. `path` is below the value: `/0`, `/name`. */
type ReportUnwritable = (problem: string, path: string) => void;

/**
 * The value that parsing the text of a value would give.
 *
 * Reports `NaN` and `Infinity`, and `undefined`, functions and symbols in lists, whose text would be `null`, and each `bigint` beyond the exact
 * integers: it is written to the digit, and read as its neighbour.
 */
function toPlainJson(given: unknown, report: ReportUnwritable, path = ''): unknown {
  const value = unboxed(given);
  if (typeof value === 'bigint') {
    const isExact = BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
    if (!isExact) report('is a bigint beyond the exact integers: the contract needs x-int64: bigint', path);
    return Number(value);
  }
  const isWritable = typeof value === 'number' ? Number.isFinite(value) : !['undefined', 'function', 'symbol'].includes(typeof value);
  if (!isWritable) {
    report(`is ${typeof value === 'function' ? 'a function' : String(value)}, which JSON has no text for`, path);
    return null;
  }
  if (typeof value !== 'object' || value === null) return value;
  // A hole of a list is undefined.
  if (Array.isArray(value)) return Array.from(value as unknown[], (part, i) => toPlainJson(part, report, `${path}/${i}`));
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[name];
    if (part !== undefined) setProperty(result, name, toPlainJson(part, report, `${path}/${name}`));
  }
  return result;
}

/** The value that `JSON.stringify` writes for a value (ECMA-262, section 25.5.2.2). */
function unboxed(given: unknown): unknown {
  let value = given;
  if (typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function')
    value = (value as { toJSON: (key: string) => unknown }).toJSON('');
  return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value;
}

/** Also for a property that is called `__proto__`. */
function setProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}
