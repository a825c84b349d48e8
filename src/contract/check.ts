/** Everything that can be wrong with a document, found together: the OpenAPI structure, then the rules of this project. */
import { isKnownFormat } from './ajv.ts';
import type { SourceDocument } from './document.ts';
import type { Fault } from './faults.ts';
import { costFaults, planFaults } from './plans.ts';
import { METHODS, parametersOf, places, pointerKeys, pointerTo, resolve, type Document, type Parameter, type Schema } from './openapi.ts';

/** Rules of Redocly without which a document cannot be served; style is the lint script's concern. */
const STRUCTURE = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
  'path-not-include-query': 'error',
} as const;

/**
 * Finds every fault of a document.
 *
 * @returns the faults with their lines; none if the document can be served.
 */
export async function checkDocument(source: SourceDocument): Promise<Fault[]> {
  const { document } = source;
  if (typeof document.openapi !== 'string' || !/^3\.0\.\d+$/.test(document.openapi)) {
    return [at(source, ['openapi'], `openapi must be 3.0.x, not ${JSON.stringify(document.openapi)}`)];
  }
  const faults = await checkStructure(source);
  // The rules below read the document as OpenAPI, so they wait until it is.
  return faults.length > 0 ? faults : checkRules(source);
}

/** A fault at a place of the document. */
export function at(source: SourceDocument, path: readonly (string | number)[], message: string): Fault {
  return { ...source.locate(path), pointer: pointerTo(...path), message };
}

async function checkStructure(source: SourceDocument): Promise<Fault[]> {
  // Loaded only here: a server that boots from a document that `generate` has already checked does not pay for it.
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({ rules: STRUCTURE });
  const problems = await lintFromString({ source: source.source, absoluteRef: source.file, config });
  return problems.map((problem) => {
    const keys = pointerKeys(problem.location[0]?.pointer ?? '#/');
    const hint = problem.suggest.length > 0 ? ` Did you mean ${problem.suggest.slice(0, 3).join(', ')}?` : '';
    const reference = problem.ruleId === 'no-unresolved-refs' ? ` ${referenceAt(source.document, keys)}` : '';
    return at(source, keys, `${problem.message}${reference}${hint} (${problem.ruleId})`);
  });
}

/** The reference that stands at a place, as it is written. */
function referenceAt(document: Document, keys: readonly string[]): string {
  const value = keys.reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], document);
  const reference = typeof value === 'string' ? value : (value as { $ref?: unknown } | undefined)?.$ref;
  return typeof reference === 'string' ? reference : '';
}

/** What the types, the validator and the request line rely on, beyond OpenAPI itself. */
function checkRules(source: SourceDocument): Fault[] {
  const { document } = source;
  const faults: Fault[] = [];
  for (const [path, problem] of planFaults(document['x-rate-limit-plans']))
    faults.push(at(source, ['x-rate-limit-plans', ...path], problem));
  (document.security ?? []).forEach((schemes, i) => faults.push(...unknownSchemes(source, schemes, ['security', i])));
  const ids = new Set(places(document).map((place) => place.operation.operationId));
  for (const { path, method, item, operation } of places(document)) {
    const here = ['paths', path, method];
    (operation.security ?? []).forEach((schemes, i) => faults.push(...unknownSchemes(source, schemes, [...here, 'security', i])));
    for (const [key, problem] of lifecycleFaults(operation as unknown as Record<string, unknown>, ids)) {
      faults.push(at(source, [...here, key], problem));
    }
    for (const problem of costFaults(operation['x-rate-limit-cost'], document['x-rate-limit-plans']))
      faults.push(at(source, [...here, 'x-rate-limit-cost'], problem));
    if ((method === 'get' || method === 'head') && operation.requestBody !== undefined) {
      faults.push(
        at(source, [...here, 'requestBody'], `a ${method.toUpperCase()} request has no body (RFC 9110, section 9.3.1): remove requestBody`),
      );
    }
    for (const parameter of parametersOf(document, { path, method, item, operation })) {
      if (isUnreadable(document, parameter)) {
        faults.push(
          at(
            source,
            [...here, 'parameters'],
            `parameter ${parameter.name}: an object in a ${parameter.in} is only read as style: deepObject or as content: application/json`,
          ),
        );
      }
    }
    for (const status of Object.keys(operation.responses)) {
      if (!/^([1-5]\d\d|[1-5]XX|default)$/.test(status))
        faults.push(at(source, [...here, 'responses', status], `${status} is not a status`));
    }
  }
  walkSchemas(document, (schema, path) => {
    if (typeof schema.format === 'string' && schema.type !== undefined && !isKnownFormat(schema.format)) {
      faults.push(
        at(
          source,
          [...path, 'format'],
          `format ${schema.format} is not known, so it would not be checked: use a known format, or a pattern`,
        ),
      );
    }
    for (const [low, high] of [
      ['minLength', 'maxLength'],
      ['minimum', 'maximum'],
      ['minItems', 'maxItems'],
    ] as const) {
      if (typeof schema[low] === 'number' && typeof schema[high] === 'number' && schema[low] > schema[high]) {
        faults.push(at(source, [...path, low], `${low} ${schema[low]} is greater than ${high} ${schema[high]}: no value can be valid`));
      }
    }
    if (typeof schema['pattern'] === 'string') {
      try {
        new RegExp(schema['pattern'], 'u');
      } catch (error) {
        faults.push(at(source, [...path, 'pattern'], `is not a pattern of ECMAScript with Unicode: ${(error as Error).message}`));
      }
    }
  });
  return faults;
}

/** A scheme that the document does not define would be enforced by nobody. */
function unknownSchemes(source: SourceDocument, schemes: Record<string, string[]>, path: (string | number)[]): Fault[] {
  const defined = Object.keys(source.document.components?.securitySchemes ?? {});
  const unknown = Object.keys(schemes).filter((name) => !defined.includes(name));
  return unknown.map((name) => at(source, [...path, name], `there is no security scheme ${name} in components/securitySchemes`));
}

/** The styles of objects that contract/parameters.ts does not read (OpenAPI 3.0.3, section 4.7.12.2). */
function isUnreadable(document: Document, { schema, content, style, in: where }: Parameter): boolean {
  if (schema === undefined || content !== undefined) return false;
  return resolve<Schema>(document, schema).type === 'object' && !(where === 'query' && style === 'deepObject');
}

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function* lifecycleFaults(operation: Record<string, unknown>, ids: ReadonlySet<unknown>): Generator<[key: string, problem: string]> {
  const stability = operation['x-stability'];
  if (stability !== undefined && stability !== 'experimental' && stability !== 'beta') {
    yield ['x-stability', `x-stability must be experimental or beta, not ${JSON.stringify(stability)}`];
  }
  for (const key of ['x-deprecated-since', 'x-deprecated-sunset'] as const) {
    const value = operation[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !DAY.test(value) || Number.isNaN(Date.parse(value))) {
      yield [key, `${key} must be a day in quotes, 'YYYY-MM-DD', not ${JSON.stringify(value)}`];
    }
    if (operation['deprecated'] !== true) yield [key, `${key} is for operations with deprecated: true`];
  }
  const successor = operation['x-deprecated-successor'];
  if (successor !== undefined && !ids.has(successor)) {
    yield ['x-deprecated-successor', `there is no operation ${JSON.stringify(successor)}: name an operationId`];
  }
}

/** Calls `visit` for every schema of the document, with its path. References are not followed: their targets are visited as such. */
function walkSchemas(document: Document, visit: (schema: Schema, path: (string | number)[]) => void): void {
  const inSchema = (schema: unknown, path: (string | number)[]): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const node = schema as Schema;
    visit(node, path);
    for (const key of ['items', 'additionalProperties', 'not'] as const) inSchema(node[key], [...path, key]);
    for (const key of ['allOf', 'oneOf', 'anyOf'] as const) (node[key] ?? []).forEach((s, i) => inSchema(s, [...path, key, i]));
    for (const [name, property] of Object.entries(node.properties ?? {})) inSchema(property, [...path, 'properties', name]);
  };
  const outside = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      const here = [...path, Array.isArray(value) ? Number(name) : name];
      if (name === 'schema') inSchema(child, here);
      else if (path.at(-1) === 'schemas' && path.at(-2) === 'components') inSchema(child, here);
      else if (name !== 'example' && name !== 'examples') outside(child, here);
    }
  };
  outside(document.components ?? {}, ['components']);
  for (const [path, item] of Object.entries(document.paths)) {
    outside(item.parameters ?? [], ['paths', path, 'parameters']);
    for (const method of METHODS) outside(item[method] ?? {}, ['paths', path, method]);
  }
}
