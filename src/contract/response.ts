/** Holds what the server is about to say against the contract: status, headers, media type and body, for every status. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { CompileAt } from './ajv.ts';
import { PROTOCOL_HEADERS } from './line-headers.ts';
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
import { createProjection, type Project } from './project.ts';
import type { Outgoing } from './reply.ts';

/** A response that can be sent: header values are strings, `type` is set if there is a body. */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: unknown;
  /** What breaks the contract, each with its place: `response/body/name is required`. */
  readonly faults: readonly string[];
}

export type ResponseChecker = (response: Outgoing) => CheckedResponse;

interface Body {
  readonly type: string;
  readonly validate: ValidateFunction | undefined;
  readonly project: Project;
}

interface Rule {
  readonly bodies: readonly Body[];
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, { name: string; required: boolean; numeric: boolean; validate: ValidateFunction }>;
}

/**
 * Makes the response checker of an operation.
 *
 * Ours rather than express-openapi-validator's, because that one looks only at what passes through `res.json`, not at
 * statuses from 500 on, not at headers, and takes an undeclared media type for the first declared one.
 *
 * The checker throws an Error if a schema does not compile; `npm run generate` has tried them all.
 */
export function createResponseChecker(document: Document, compile: CompileAt, place: Place): ResponseChecker {
  const { responses } = place.operation;
  const rules = new Map<string, Rule>();
  // Compiled when a status is first answered: most of a large contract is not spoken in the first minutes.
  const ruleAt = (key: string): Rule | undefined => {
    const response = responses[key];
    if (response === undefined) return undefined;
    const rule = rules.get(key) ?? createRule(document, compile, response, pointerTo('paths', place.path, place.method, 'responses', key));
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
      return { status, headers, type, body, faults: [`response status ${status} is not declared`] };
    }
    const faults = headerFaults(rule, headers);
    const chosen = rule.bodies.find(({ type }) => response.type === undefined || type === response.type);
    if (body === undefined) {
      if (rule.bodies.length > 0) faults.push('response/body is required');
      return { status, headers, type: undefined, body, faults };
    }
    if (chosen === undefined) {
      faults.push(rule.bodies.length === 0 ? 'response/body is not declared' : `response media type ${response.type} is not declared`);
      // Without a schema nothing says what may leave.
      return { status, headers, type: undefined, body: undefined, faults };
    }
    if (chosen.validate !== undefined && !chosen.validate(body))
      faults.push(...(chosen.validate.errors ?? []).map((e) => describe('response/body', e)));
    return { status, headers, type: chosen.type, body: chosen.project(body), faults };
  };
}

function createRule(document: Document, compile: CompileAt, reference: Response | Reference, place: string): Rule {
  // Where the response really stands, so that one that many operations refer to is compiled once.
  const { value: response, pointer } = resolveAt<Response>(document, reference, place);
  const bodies = Object.entries(response.content ?? {}).map(([type, { schema }]): Body => {
    if (schema === undefined || !isJson(type)) return { type, validate: undefined, project: (value) => value };
    return {
      type,
      validate: compile(pointer + pointerTo('content', type, 'schema').slice(1)),
      project: createProjection(document, schema),
    };
  });
  const headers = Object.entries(response.headers ?? {})
    // OpenAPI 3.0.3, section 4.7.17: a response header of this name shall be ignored.
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => {
      const at = resolveAt<Header>(document, header, pointer + pointerTo('headers', name).slice(1));
      const { type } = resolve<Schema>(document, at.value.schema ?? {});
      const numeric = type === 'integer' || type === 'number';
      return [
        name.toLowerCase(),
        { name, required: at.value.required ?? false, numeric, validate: compile(`${at.pointer}/schema`) },
      ] as const;
    });
  return { bodies, headers: new Map(headers) };
}

function headerFaults(rule: Rule, headers: Readonly<Record<string, string>>): string[] {
  const faults: string[] = [];
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [key, { name, required, numeric, validate }] of rule.headers) {
    const value = given.get(key);
    if (value === undefined) {
      if (required) faults.push(`response/header/${name} is required`);
    } else if (!validate(numeric ? Number(value) : value)) {
      faults.push(...(validate.errors ?? []).map((error) => describe(`response/header/${name}`, error)));
    }
  }
  for (const name of given.keys()) {
    if (!rule.headers.has(name) && !(PROTOCOL_HEADERS as readonly string[]).includes(name))
      faults.push(`response/header/${name} is not declared`);
  }
  return faults;
}

function describe(at: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${at}${error.instancePath} ${error.message ?? 'is not valid'}${detail}`;
}

/** `application/json`, `application/problem+json`, with or without parameters. */
export const isJson = (type: string): boolean => /^[^;]*[/+]json\s*(;|$)/i.test(type);
