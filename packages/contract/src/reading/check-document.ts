/** Finds everything that is wrong with a document, together: the structure of OpenAPI, then the rules of this package. */
import { bodyLimitProblem } from '../extensions/body-limit.ts';
import { multipartProblems } from '../extensions/multipart-bodies.ts';
import { rateLimitCostProblems, rateLimitPlanProblems } from '../extensions/rate-limit-extensions.ts';
import { HIGHEST_STREAM_LIMIT, isAllStreamed, streamProblems } from '../extensions/stream-bodies.ts';
import { toolProblems } from '../extensions/tools.ts';
import { isDate } from '../json/date-formats.ts';
import { dialectProblems, isVersion30, versionProblem } from '../document/openapi-version.ts';
import { didYouMean } from '../document/nearest-name.ts';
import { isDataAt, kindAt } from '../document/object-places.ts';
import { type Document, METHODS, isObject, listOperations, operationKeys, pointerKeys, valueAt } from '../document/openapi.ts';
import { type Problem, displayFile, problemAt } from '../document/problems.ts';
import { wholeQueryProblems } from '../requests/whole-query.ts';
import { misplacedReferences, nearestPointers } from './misplaced-references.ts';
import { OPENAPI_TYPES } from './openapi-types.ts';
import { nullType, withoutOtherVersions, wrongKey } from './structure-causes.ts';
import { textWithPointers, type SourceDocument } from './source-document.ts';

/** The rules of Redocly without which a document cannot be served; style is left to linters. */
const REDOCLY_RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'operation-parameters-unique': 'error',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
} as const;

/** OpenAPI requires descriptions, but a response without one can be served. */
const IGNORED_MESSAGE = /^The field `description` must be present/;

/** Fields that do not affect serving; a pattern that is not a string is reported by `listUnsupported`. */
const IGNORED_FIELDS = ['description', 'summary', 'title', 'externalDocs', 'contact', 'license', 'termsOfService', 'tags', 'pattern'];

/**
 * A parameter in the query of a path template is not a path parameter (`parsePathTemplate`); the name of a webhook is no path, and Redocly
 * looks at two levels of callbacks only.
 */
const NOT_OF_PATHS = /`\{([^}`]+)\}` expected by path `[^?`]*\?[^`]*\{\1\}|^Maximum callback nesting depth/;

/**
 * Finds every problem of a document.
 *
 * @returns the problems with their lines; none if the document can be served.
 */
export async function checkDocument(source: SourceDocument): Promise<Problem[]> {
  if (source.wasChecked) return [];
  const { document } = source;
  const version = versionProblem(document, displayFile(source.file));
  if (version !== undefined) return [problemAt(source, ['openapi'], `${version} (struct)`)];
  const problems = [...source.defaultsProblems, ...(await checkStructure(source))];
  // The rules of this package need a document that is OpenAPI.
  return withoutRepeated(problems.length > 0 ? problems : checkRules(source));
}

/** What is said once for many operations is wrong in each of them. */
function withoutRepeated(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ line, column, message }) => {
    const key = `${line}:${column} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

async function checkStructure(source: SourceDocument): Promise<Problem[]> {
  // Imported only here: a server that starts with a document that was checked before does not need it.
  const { createConfig, lintFromString, NoFilesResolver } = await import('../libraries/redocly.ts');
  const config = await createConfig({ rules: REDOCLY_RULES }, { plugins: [OPENAPI_TYPES] });
  const problems = await lintFromString({
    source: textWithPointers(source),
    absoluteRef: source.file,
    config,
    externalRefResolver: new NoFilesResolver(),
  });
  const isWithin = (target: string) => (problem: (typeof problems)[number]) =>
    `${problem.location[0]?.pointer ?? ''}/`.startsWith(`${target}/`);
  // Redocly reports them within the target, once for each part that is another there.
  const misplaced = misplacedReferences(source.document).filter(({ target }) => problems.some(isWithin(target)));
  const found = problems
    .filter(({ ruleId, message, location }) => {
      const keys = pointerKeys(location[0]?.pointer ?? '#/');
      return (
        !(ruleId === 'no-unresolved-refs' && (isDataAt(keys.filter((key) => key !== '$ref')) || isResolved(source.document, keys))) &&
        !(ruleId === 'path-parameters-defined' && (keys[0] !== 'paths' || NOT_OF_PATHS.test(message))) &&
        !IGNORED_MESSAGE.test(message) &&
        !isIgnored(keys) &&
        !isWrittenOut(keys) &&
        !isBesideReference(source.original, keys) &&
        !isAnnotation(source.original, keys, message) &&
        !isBooleanSchema(source.original, keys, message)
      );
    })
    .filter((problem) => !misplaced.some(({ target }) => isWithin(target)(problem)))
    .map((problem) => {
      const keys = pointerKeys(problem.location[0]?.pointer ?? '#/');
      const reference = problem.ruleId === 'no-unresolved-refs' ? referenceAt(source.document, keys) : undefined;
      const suggestions = reference === undefined ? problem.suggest.slice(0, 3) : nearestPointers(source.document, reference);
      const cause = problem.ruleId === 'struct' ? causeOf(source.original, keys, problem.message) : undefined;
      if (cause !== undefined) return problemAt(source, keys, `${cause} (struct)`);
      const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(', ')}?` : '';
      return problemAt(
        source,
        keys,
        `${nameKeyword(problem.message, keys)}${reference === undefined ? '' : ` ${reference}`}${hint} (${problem.ruleId})`,
      );
    });
  const all = [...found, ...misplaced.map(({ path, message }) => problemAt(source, path, message))];
  return withoutOtherVersions(source, all);
}

/** What says more than Redocly does about a problem of the structure. */
const causeOf = (document: Document, keys: readonly string[], message: string): string | undefined =>
  nullType(document, keys) ?? (isUnexpected(message) ? wrongKey(keys) : undefined);

const isUnexpected = (message: string): boolean => /^Property `[^`]*` is not expected here/.test(message);

/** Examples are data: a `$ref` in them is not a reference. */
const isIgnored = (keys: readonly string[]): boolean =>
  (IGNORED_FIELDS.includes(keys.at(-1) ?? '') && keys.at(-2) !== 'properties') ||
  keys.some((key, i) => (key === 'example' || key === 'examples') && keys[i - 1] !== 'properties' && keys[i - 1] !== 'components');

/** Components that have been written out wherever they are used, and are checked there. */
const isWrittenOut = ([section, name]: readonly string[]): boolean =>
  section === 'components' && (name === 'pathItems' || name === 'mediaTypes');

/** A keyword that JSON Schema 2020-12 does not know is an annotation (section 6.5 of its core). */
const isAnnotation = (document: Document, keys: readonly string[], message: string): boolean =>
  !isVersion30(document) && isUnexpected(message) && kindAt(keys.slice(0, -1)) === 'schema';

/** `true` and `false` are schemas wherever a schema is (JSON Schema 2020-12, core, section 4.3.2); Redocly knows them in four keywords only. */
const isBooleanSchema = (document: Document, keys: readonly string[], message: string): boolean =>
  !isVersion30(document) && /`Schema` \(object\) but got `boolean`/.test(message) && kindAt(keys) === 'schema';

/** What is beside a `$ref` is ignored in OpenAPI 3.0, whatever it is (3.0.3, section 4.7.23). */
function isBesideReference(document: Document, keys: readonly string[]): boolean {
  if (!isVersion30(document)) return false;
  let parent: unknown = document;
  for (const key of keys) {
    if (!isObject(parent) && !Array.isArray(parent)) return false;
    if (key !== '$ref' && typeof (parent as { $ref?: unknown }).$ref === 'string') return true;
    parent = (parent as Record<string, unknown>)[key];
  }
  return false;
}

/** The `$ref` at these keys, as written. */
function referenceAt(document: Document, keys: readonly string[]): string {
  const value = valueAt(document, keys);
  const reference = typeof value === 'string' ? value : (value as { $ref?: unknown } | undefined)?.$ref;
  return typeof reference === 'string' ? reference : '';
}

/** Redocly does not find a key that is the empty text. */
function isResolved(document: Document, keys: readonly string[]): boolean {
  const reference = referenceAt(document, keys);
  return reference.startsWith('#/') && valueAt(document, pointerKeys(reference)) !== undefined;
}

/** What the types, the validators and the pipeline require beyond OpenAPI. */
function checkRules(source: SourceDocument): Problem[] {
  const { document } = source;
  const problems: Problem[] = dialectProblems(source.original).map(([path, problem]) => problemAt(source, path, problem));
  const ids = new Set(listOperations(document).map(({ id }) => id));
  for (const [path, problem] of rateLimitPlanProblems(document['x-rate-limit-plans'], ids))
    problems.push(problemAt(source, ['x-rate-limit-plans', ...path], problem));
  const limitProblem = bodyLimitProblem(document['x-body-limit']);
  if (limitProblem !== undefined) problems.push(problemAt(source, ['x-body-limit'], limitProblem));
  (document.security ?? []).forEach((schemes, i) => problems.push(...unknownSchemes(source, schemes, ['security', i])));
  problems.push(...repeatedIds(source));
  for (const documentOperation of listOperations(document)) {
    const { path, method, operation } = documentOperation;
    const keys = operationKeys({ path, method });
    if (METHODS.some((name) => name.toUpperCase() === method))
      problems.push(problemAt(source, keys, `${method} is a field of the path item: write it as \`${method.toLowerCase()}:\` there`));
    (operation.security ?? []).forEach((schemes, i) => problems.push(...unknownSchemes(source, schemes, [...keys, 'security', i])));
    for (const [key, problem] of lifecycleProblems(operation as unknown as Record<string, unknown>, ids)) {
      problems.push(problemAt(source, [...keys, key], problem));
    }
    for (const problem of rateLimitCostProblems(operation['x-rate-limit-cost'], document['x-rate-limit-plans']))
      problems.push(problemAt(source, [...keys, 'x-rate-limit-cost'], problem));
    const ownLimitProblem = bodyLimitProblem(
      operation['x-body-limit'],
      isAllStreamed(document, documentOperation) ? HIGHEST_STREAM_LIMIT : undefined,
    );
    if (ownLimitProblem !== undefined) problems.push(problemAt(source, [...keys, 'x-body-limit'], ownLimitProblem));
    for (const [at, problem] of [...streamProblems(document, documentOperation), ...multipartProblems(document, documentOperation)])
      problems.push(problemAt(source, at, problem));
    for (const problem of wholeQueryProblems(document, documentOperation)) problems.push(problemAt(source, keys, problem));
    for (const status of Object.keys(operation.responses)) {
      if (!/^([1-5]\d\d|[1-5]XX|default)$/.test(status))
        problems.push(problemAt(source, [...keys, 'responses', status], `${status} is not an HTTP status`));
    }
  }
  for (const [at, problem] of toolProblems(document)) problems.push(problemAt(source, at, problem));
  return problems;
}

/** An id must be unique (OpenAPI 3.0.3, section 4.7.10.1). A path item that several paths refer to is written once. */
function* repeatedIds(source: SourceDocument): Generator<Problem> {
  const firsts = new Map<string, Problem>();
  for (const { path, method } of listOperations(source.document)) {
    const keys = [...operationKeys({ path, method }), 'operationId'];
    const id = valueAt(source.original, keys);
    if (typeof id !== 'string' || id === '') continue;
    const problem = problemAt(source, keys, '');
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, problem);
    else if (first.file !== problem.file || first.line !== problem.line || first.column !== problem.column) {
      const place = first.file === undefined ? `line ${first.line}` : `${displayFile(first.file)}:${first.line}`;
      yield { ...problem, message: `the operationId ${id} is that of another operation, at ${place}: give each its own` };
    }
  }
}

/** A scheme that the document does not define could not be enforced. */
function unknownSchemes(source: SourceDocument, schemes: Record<string, string[]>, path: (string | number)[]): Problem[] {
  const defined = Object.keys(source.document.components?.securitySchemes ?? {});
  const unknown = Object.keys(schemes).filter((name) => !defined.includes(name));
  return unknown.map((name) =>
    problemAt(source, [...path, name], `there is no security scheme ${name} in components/securitySchemes${didYouMean(name, defined)}`),
  );
}

function* lifecycleProblems(operation: Record<string, unknown>, ids: ReadonlySet<unknown>): Generator<[key: string, problem: string]> {
  const stability = operation['x-stability'];
  if (stability !== undefined && stability !== 'experimental' && stability !== 'beta') {
    yield ['x-stability', `x-stability must be experimental or beta, not ${JSON.stringify(stability)}`];
  }
  for (const key of ['x-deprecated-since', 'x-deprecated-sunset'] as const) {
    const value = operation[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !isDate(value)) {
      yield [key, `${key} must be a date in quotes, 'YYYY-MM-DD', not ${JSON.stringify(value)}`];
    }
    if (operation['deprecated'] !== true) yield [key, `${key} needs deprecated: true`];
  }
  const { 'x-deprecated-since': since, 'x-deprecated-sunset': sunset } = operation;
  // RFC 9745, section 5. Both are checked above; dates of this form compare as texts.
  if (typeof since === 'string' && typeof sunset === 'string' && isDate(since) && isDate(sunset) && sunset < since) {
    yield ['x-deprecated-sunset', `the sunset ${sunset} is before the deprecation ${since}`];
  }
  const successor = operation['x-deprecated-successor'];
  if (successor !== undefined && !ids.has(successor)) {
    yield [
      'x-deprecated-successor',
      `there is no operation ${JSON.stringify(successor)}${
        didYouMean(
          JSON.stringify(successor),
          [...ids].map((id) => JSON.stringify(id)),
        ) || ': name an operationId'
      }`,
    ];
  }
}

/** Keywords whose content has names as keys. */
const NAMED = [
  'paths',
  'properties',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'requestBodies',
  'securitySchemes',
  'links',
  'examples',
];

/**
 * @param keys of the part, from the root of the document.
 * @returns the message, with the keyword if it says only which type was expected.
 */
export function nameKeyword(message: string, keys: readonly (string | number)[]): string {
  const [parent, key] = [keys.at(-2), keys.at(-1)];
  if (key === undefined) return message;
  const isKeyword = !/^\d+$/.test(String(key)) && !NAMED.includes(String(parent));
  const name = isKeyword || parent === undefined ? key : `${parent}/${key}`;
  return message.replace(/^Expected type (.*) but got/, (_, type: string) => `Expected \`${name}\` to be of type ${type} but got`);
}
