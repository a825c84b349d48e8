/** Holds what the server is about to say against the contract: status, headers, media type and body, for every status. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { CompileAt } from './schema-compiler.ts';
import { UNDECLARED_HEADERS } from './framework-headers.ts';
import { bodyKind } from './media-types.ts';
import {
  pointerTo,
  resolveAt,
  resolve,
  type Document,
  type Header,
  type Place,
  type Reference,
  type Response,
  type Schema,
} from './openapi.ts';
import { createStripUndeclared, type Project } from './strip-undeclared.ts';
import type { UncheckedResponse } from './handler-response.ts';

/** A response that can be sent: header values are strings, `type` is set if there is a body. */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: unknown;
  /** What breaks the contract, each with its place: `response/body/name is required`. */
  readonly problems: readonly string[];
}

export type ResponseChecker = (response: UncheckedResponse) => CheckedResponse;

interface Body {
  /** The media type as it is declared, and as it is sent. */
  readonly type: string;
  readonly sent: string;
  /** Whether the body is a JSON value; else it is sent as it is. */
  readonly isValue: boolean;
  readonly validate: ValidateFunction | undefined;
  readonly project: Project;
}

interface Rule {
  readonly bodies: readonly Body[];
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, { name: string; required: boolean; numeric: boolean; validate: ValidateFunction | undefined }>;
}

/**
 * Makes the response checkers of a document, one for each operation.
 *
 * Ours rather than express-openapi-validator's, because that one looks only at what passes through `res.json`, not at
 * statuses from 500 on, not at headers, and takes an undeclared media type for the first declared one.
 *
 * A checker throws an Error if a schema does not compile; `npm run generate` has tried them all.
 */
export function createResponseCheckers(document: Document, compile: CompileAt): (place: Place) => ResponseChecker {
  const project = createStripUndeclared(document);
  return (place) => createResponseChecker(document, compile, project, place);
}

type Projector = ReturnType<typeof createStripUndeclared>;

function createResponseChecker(document: Document, compile: CompileAt, project: Projector, place: Place): ResponseChecker {
  const { responses } = place.operation;
  const rules = new Map<string, Rule>();
  // Compiled when a status is first answered: most of a large contract is not spoken in the first minutes.
  const ruleAt = (key: string): Rule | undefined => {
    const response = responses[key];
    if (response === undefined) return undefined;
    const rule =
      rules.get(key) ?? createRule(document, compile, project, response, pointerTo('paths', place.path, place.method, 'responses', key));
    rules.set(key, rule);
    return rule;
  };

  return (response) => {
    const { status, body } = response;
    const headers = Object.fromEntries(
      Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    // OpenAPI 3.0.3, section 4.7.16: an explicit code takes precedence over a range, a range over `default`.
    const rule = ruleAt(String(status)) ?? ruleAt(`${Math.floor(status / 100)}XX`) ?? ruleAt('default');
    if (rule === undefined) {
      const type = body === undefined ? undefined : (response.type ?? 'application/json');
      return { status, headers, type, body, problems: [`response status ${status} is not declared`] };
    }
    const problems = headerProblems(rule, headers);
    const chosen = rule.bodies.find(({ type }) => response.type === undefined || type === response.type);
    if (body === undefined) {
      if (rule.bodies.length > 0) problems.push('response/body is required');
      return { status, headers, type: undefined, body, problems };
    }
    if (chosen === undefined) {
      problems.push(rule.bodies.length === 0 ? 'response/body is not declared' : `response media type ${response.type} is not declared`);
      // Without a schema nothing says what may leave.
      return { status, headers, type: undefined, body: undefined, problems };
    }
    if (!chosen.isValue && typeof body !== 'string' && !Buffer.isBuffer(body))
      problems.push(`response/body must be a string or a Buffer, to be sent as ${chosen.sent}`);
    if (chosen.validate !== undefined && !chosen.validate(body))
      problems.push(...(chosen.validate.errors ?? []).map((e) => describe('response/body', e)));
    return { status, headers, type: chosen.sent, body: chosen.project(body), problems };
  };
}

function createRule(document: Document, compile: CompileAt, project: Projector, reference: Response | Reference, place: string): Rule {
  // Where the response really stands, so that one that many operations refer to is compiled once.
  const { value: response, pointer } = resolveAt<Response>(document, reference, place);
  const bodies = Object.entries(response.content ?? {}).map(([type, { schema }]): Body => {
    const isValue = bodyKind(type) === 'json';
    const sent = sentAs(type);
    if (schema === undefined || !isValue) return { type, sent, isValue, validate: undefined, project: (value) => value };
    const validate = compile(pointer + pointerTo('content', type, 'schema').slice(1));
    return { type, sent, isValue, validate, project: project(schema) };
  });
  const headers = Object.entries(response.headers ?? {})
    // OpenAPI 3.0.3, section 4.7.17: a response header of this name shall be ignored.
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => {
      const at = resolveAt<Header>(document, header, pointer + pointerTo('headers', name).slice(1));
      const { type } = resolve<Schema>(document, at.value.schema ?? {});
      const numeric = type === 'integer' || type === 'number';
      const required = at.value.required ?? false;
      // A header that is described by `content`, or not at all, is text.
      const validate = at.value.schema === undefined ? undefined : compile(`${at.pointer}/schema`);
      return [name.toLowerCase(), { name, required, numeric, validate }] as const;
    });
  return { bodies, headers: new Map(headers) };
}

/** A range is declared, but one type is sent. */
function sentAs(type: string): string {
  if (!type.includes('*')) return type;
  return { json: 'application/json', text: 'text/plain', form: type, bytes: 'application/octet-stream' }[bodyKind(type)];
}

function headerProblems(rule: Rule, headers: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [key, { name, required, numeric, validate }] of rule.headers) {
    const value = given.get(key);
    if (value === undefined) {
      if (required) problems.push(`response/header/${name} is required`);
    } else if (validate !== undefined && !validate(numeric ? Number(value) : value)) {
      problems.push(...(validate.errors ?? []).map((error) => describe(`response/header/${name}`, error)));
    }
  }
  for (const name of given.keys()) {
    if (!rule.headers.has(name) && !UNDECLARED_HEADERS.has(name)) problems.push(`response/header/${name} is not declared`);
  }
  return problems;
}

function describe(at: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${at}${error.instancePath} ${error.message ?? 'is not valid'}${detail}`;
}
