/** Validates the header fields of a response: those of the pipeline, and its own. */
import type { ValidateFunction } from 'ajv';
import { indexOfHeader, type HeaderList } from '../http/header-list.ts';
import { withoutConditions } from './discriminator.ts';
import { UNDECLARED_HEADERS } from './framework-headers.ts';
import type { UnvalidatedResponse } from './handler-response.ts';
import { pointerTo, resolve, resolveAt, type Document, type Header, type Response, type Schema } from './openapi.ts';
import { formatAjvError, type CompileSchemaAt } from './schema-compiler.ts';

interface HeaderCheck {
  readonly name: string;
  readonly numeric: boolean;
  readonly validate: ValidateFunction | undefined;
  /** The last value that was valid: many are the same in response after response. */
  lastValid: string | undefined;
}

/** The header fields that a response may and must have. */
export interface DeclaredHeaders {
  /** By name, as declared and in lower case. */
  readonly checks: ReadonlyMap<string, HeaderCheck>;
  readonly required: readonly string[];
  /** Of the last response whose names were as they should be. Most have the same in the same order: only their values are to be checked. */
  lastNames: readonly string[];
  lastChecks: readonly HeaderCheck[];
}

const UNCHECKED: HeaderCheck = { name: '', numeric: false, validate: undefined, lastValid: undefined };
const UNDECLARED: readonly (readonly [string, HeaderCheck])[] = [...UNDECLARED_HEADERS].map((name) => [name, UNCHECKED]);

/** @param pointer of the response. */
export function compileHeaders(
  document: Document,
  compile: CompileSchemaAt,
  { headers = {} }: Pick<Response, 'headers'>,
  pointer: string,
): DeclaredHeaders {
  const checks = new Map(UNDECLARED);
  const required: string[] = [];
  for (const [name, header] of Object.entries(headers)) {
    // OpenAPI 3.0.3, section 4.7.17: a response header of this name shall be ignored.
    if (name.toLowerCase() === 'content-type') continue;
    const resolved = resolveAt<Header>(document, header, pointer + pointerTo('headers', name).slice(1));
    const { type } = resolve<Schema>(document, resolved.value.schema ?? {});
    const numeric = type === 'integer' || type === 'number';
    // A header without a schema is text.
    const validate = resolved.value.schema === undefined ? undefined : compile(`${resolved.pointer}/schema`);
    const check = { name, numeric, validate, lastValid: undefined };
    checks.set(name, check).set(name.toLowerCase(), check);
    if (resolved.value.required === true) required.push(name);
  }
  return { checks, required, lastNames: [], lastChecks: [] };
}

/** The headers of the pipeline and of the response, as text; both may link (RFC 8288, section 3). */
export function mergeHeaders(pipeline: Readonly<HeaderList>, own: UnvalidatedResponse['headers']): HeaderList {
  const headers = pipeline.slice();
  for (const name in own) {
    const value = own[name];
    if (value === undefined) continue;
    const text = String(value);
    const index = indexOfHeader(headers, name);
    if (index === -1) headers.push(name, text);
    else headers[index] = name === 'Link' ? `${headers[index]}, ${text}` : text;
  }
  return headers;
}

/** Adds what breaks the contract to `problems`. */
export function checkHeaders(declared: DeclaredHeaders, headers: Readonly<HeaderList>, problems: string[]): void {
  const checks = hasLastNames(declared, headers) ? declared.lastChecks : checkNames(declared, headers, problems);
  for (let i = 0; i < checks.length; i++) {
    const check = checks[i] as HeaderCheck;
    const { validate, numeric } = check;
    const value = headers[2 * i + 1] as string;
    if (validate === undefined || value === check.lastValid) continue;
    if (validate(numeric ? Number(value) : value)) check.lastValid = value;
    else problems.push(...withoutConditions(validate.errors ?? []).map((error) => formatAjvError(`response/header/${check.name}`, error)));
  }
}

function hasLastNames({ lastNames }: DeclaredHeaders, headers: Readonly<HeaderList>): boolean {
  if (headers.length !== 2 * lastNames.length) return false;
  for (let i = 0; i < lastNames.length; i++) if (headers[2 * i] !== lastNames[i]) return false;
  return true;
}

/** Names of headers are the same in any case (RFC 9110, section 5.1). @returns the checks of the fields, in their order. */
function checkNames(declared: DeclaredHeaders, headers: Readonly<HeaderList>, problems: string[]): readonly HeaderCheck[] {
  const names = headers.filter((_, i) => i % 2 === 0);
  const found = problems.length;
  const checks = names.map((name) => {
    const check = declared.checks.get(name) ?? declared.checks.get(name.toLowerCase());
    if (check === undefined) problems.push(`response/header/${name.toLowerCase()} is not declared`);
    return check ?? UNCHECKED;
  });
  for (const name of declared.required) if (!hasHeader(headers, name)) problems.push(`response/header/${name} is required`);
  if (problems.length === found) {
    declared.lastNames = names;
    declared.lastChecks = checks;
  }
  return checks;
}

const hasHeader = (headers: Readonly<HeaderList>, name: string): boolean =>
  indexOfHeader(headers, name) !== -1 || headers.some((other, i) => i % 2 === 0 && other.toLowerCase() === name.toLowerCase());
