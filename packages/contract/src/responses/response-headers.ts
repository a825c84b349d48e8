/** Validates the header fields of a response, those of the pipeline and its own, and makes the text of its head. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { decodeStyled, type Field } from '../codec/decode.ts';
import { createScalarReader, createValueShape } from '../codec/typed-values.ts';
import { type Document, type Header, type Response, pointerTo, resolve, resolveAt, type Schema } from '../document/openapi.ts';
import { type HeaderFields, FORMS, FRAMEWORK_HEADERS, RATE_LIMIT_HEADERS } from '../http/header-fields.ts';
import type { CompileSchemaAt } from '../schema/compile-schema.ts';
import { limitsOf, patternOf, typeOf } from '../schema/model.ts';
import type { SchemaValidator } from '../schema/schema-validator.ts';
import { formatAjvError, withoutConditions } from '../schema/validation-error.ts';

interface HeaderCheck {
  readonly name: string;
  /** The value that its text stands for; `undefined` for a text. */
  readonly valueOf: ((text: string) => unknown) | undefined;
  readonly validator: SchemaValidator | undefined;
  /** Whether each text of the form in which the framework builds the field is valid. */
  readonly acceptsForm: boolean;
  /** The last value that was valid: many are the same in response after response. */
  lastValid: string | undefined;
}

interface Fields {
  readonly names: readonly string[];
  readonly checks: readonly HeaderCheck[];
  /** What precedes each value in the head of the response. */
  readonly prefixes: readonly string[];
  readonly ofPipeline: number;
  /** Whether no field is one that Node has to read, because it is about the connection or the length, or that the pipeline sets after them. */
  readonly isPlain: boolean;
}

export interface DeclaredHeaders {
  /** By name, as declared and in lower case. */
  readonly checks: ReadonlyMap<string, HeaderCheck>;
  readonly required: readonly string[];
  /** Of the last response whose names were as they should be. Most have the same in the same order: only their values are to be checked. */
  lastFields: Fields;
}

const NO_FIELDS: Fields = { names: [], ofPipeline: 0, checks: [], prefixes: [], isPlain: true };
const READ_BY_NODE = /^(connection|content-length|content-type|transfer-encoding|date|expect|trailer|keep-alive|upgrade)$/i;

const uncheckedHeader = (name: string): HeaderCheck => ({
  name,
  valueOf: undefined,
  validator: undefined,
  acceptsForm: FORMS.has(name.toLowerCase()),
  lastValid: undefined,
});

export function compileHeaders(
  document: Document,
  compile: CompileSchemaAt,
  { headers = {} }: Pick<Response, 'headers'>,
  pointer: string,
): DeclaredHeaders {
  const checks = new Map([...UNDECLARED_HEADERS].map((name) => [name, uncheckedHeader(name)]));
  const required: string[] = [];
  for (const [name, header] of Object.entries(headers)) {
    // OpenAPI 3.0.3, section 4.7.17: a response header of this name shall be ignored.
    if (name.toLowerCase() === 'content-type') continue;
    const resolved = resolveAt<Header>(document, header, pointer + pointerTo('headers', name).slice(1));
    const valueOf = readerOf(document, name, resolved.value);
    // A header without a schema is text.
    const validator = resolved.value.schema === undefined ? undefined : compile.validatorAt(`${resolved.pointer}/schema`);
    const check = { name, valueOf, validator, acceptsForm: acceptsForm(document, name, resolved.value), lastValid: undefined };
    checks.set(name, check).set(name.toLowerCase(), check);
    if (resolved.value.required === true) required.push(name);
  }
  return { checks, required, lastFields: NO_FIELDS };
}

/** Numbers, booleans, lists and objects are read as those of a header parameter. */
function readerOf(document: Document, name: string, { schema = {}, explode = false }: Header): HeaderCheck['valueOf'] {
  const shape = createValueShape(document, schema);
  if (shape.types.size === 0 || (shape.types.size === 1 && shape.types.has('string'))) return undefined;
  const field: Field = { name, in: 'header', shape, encoding: { style: 'simple', explode, allowReserved: false }, readPlain: undefined };
  const decode = (text: string) => decodeStyled(field, [text], () => undefined);
  if (shape.types.has('array') || shape.types.has('object')) return decode;
  return createScalarReader(shape, decode);
}

/** What a proof knows of a schema: with any other keyword it may refuse a text. */
const READ_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'pattern',
  'minLength',
  'maxLength',
  'title',
  'description',
  'example',
  'examples',
]);

/** Whether a schema accepts each text of the form of a field: it has the same pattern, and no narrower bounds. */
function acceptsForm(document: Document, name: string, { schema }: Header): boolean {
  const form = FORMS.get(name.toLowerCase());
  if (form === undefined || schema === undefined) return form !== undefined;
  const resolved = resolve<Schema>(document, schema);
  const { minLength = 0, maxLength = Infinity } = limitsOf(resolved);
  return (
    Object.keys(resolved).every((keyword) => READ_KEYWORDS.has(keyword)) &&
    typeOf(resolved) === 'string' &&
    patternOf(resolved) === form.pattern &&
    minLength <= form.minLength &&
    maxLength >= form.maxLength
  );
}

/** The schemas of the headers of a response. @param pointer of the response. */
export const headerSchemas = (document: Document, { headers = {} }: Pick<Response, 'headers'>, pointer: string): string[] =>
  Object.entries(headers).flatMap(([name, header]) => {
    if (name.toLowerCase() === 'content-type') return [];
    const resolved = resolveAt<Header>(document, header, pointer + pointerTo('headers', name).slice(1));
    return resolved.value.schema === undefined ? [] : [`${resolved.pointer}/schema`];
  });

/**
 * Adds what breaks the contract to `problems`. The fields of the pipeline, which come first, need no declaration.
 *
 * @param ofPipeline how many they are. @returns the fields as the text of a head, each after a line break; `undefined` if one is not ASCII, or of those that Node has to read. @throws
 *   TypeError for what is no name or value of a field (RFC 9110, section 5).
 */
export function checkHeaders(declared: DeclaredHeaders, headers: HeaderFields, ofPipeline: number, problems: string[]): string | undefined {
  const { list } = headers;
  const { checks, prefixes, isPlain } = hasNames(declared.lastFields, list, ofPipeline)
    ? declared.lastFields
    : checkNames(declared, headers, ofPipeline, problems);
  let text = '';
  let isText = isPlain;
  for (let i = 0; i < checks.length; i++) {
    const check = checks[i] as HeaderCheck;
    const value = list[2 * i + 1] as string;
    const isKnown = value === check.lastValid || (check.acceptsForm && headers.isBuilt(2 * i));
    if (!isKnown) isText = checkValue(check, value, problems) && isText;
    text += (prefixes[i] as string) + value;
  }
  return isText ? text : undefined;
}

/** The value of a field without what is obsolete in it (RFC 9110, section 5.5). */
const ASCII = /^[\t -~]*$/;

/** @returns whether it is ASCII. */
function checkValue(check: HeaderCheck, value: string, problems: string[]): boolean {
  const { name, validator, valueOf } = check;
  const isAscii = ASCII.test(value);
  if (!isAscii) validateHeaderValue(name, value);
  const read = validator === undefined || valueOf === undefined ? value : valueOf(value);
  if (validator?.isValid(read) === false)
    problems.push(...withoutConditions(validator.problems(read)).map((error) => formatAjvError(`response/header/${name}`, error)));
  else if (isAscii) check.lastValid = value;
  return isAscii;
}

function hasNames({ names, ofPipeline }: Fields, list: readonly string[], given: number): boolean {
  if (list.length !== 2 * names.length || ofPipeline !== given) return false;
  for (let i = 0; i < names.length; i++) if (list[2 * i] !== names[i]) return false;
  return true;
}

/** Names of headers are the same in any case (RFC 9110, section 5.1). */
function checkNames(declared: DeclaredHeaders, headers: HeaderFields, ofPipeline: number, problems: string[]): Fields {
  const names = headers.list.filter((_, i) => i % 2 === 0);
  const found = problems.length;
  const checks = names.map((name, index) => {
    validateHeaderName(name);
    const check = declared.checks.get(name) ?? declared.checks.get(name.toLowerCase());
    if (check === undefined && index >= ofPipeline) problems.push(`response/header/${name.toLowerCase()} is not declared`);
    return check ?? uncheckedHeader(name);
  });
  for (const name of declared.required) if (!headers.has(name)) problems.push(`response/header/${name} is required`);
  const prefixes = names.map((name) => `\r\n${name}: `);
  const fields: Fields = { names, ofPipeline, checks, prefixes, isPlain: !names.some((name) => READ_BY_NODE.test(name)) };
  if (problems.length === found) declared.lastFields = fields;
  return fields;
}

const WRITTEN = ['Cache-Control', ...FRAMEWORK_HEADERS, ...RATE_LIMIT_HEADERS];

/** Headers that a response may have without a declaration in the contract: those of HTTP and of the pipeline. As written, and in lower case. */
const UNDECLARED_HEADERS: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive'],
  ...WRITTEN,
  ...WRITTEN.map((name) => name.toLowerCase()),
]);
