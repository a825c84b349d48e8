/** The rules of the contract walk, and how each is tried with an operation. */
import { formatOf, isReadOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import type { SpecOperation } from '../document.ts';
import { describeFailure } from '../failure.ts';
import { NoValueError } from '../values/build-options.ts';
import { leafCandidates, nearbyValues } from '../values/leaf-values.ts';
import { type SchemaView, first, some, viewSchema } from '../values/schema-view.ts';
import { requestSchemas, withProperty } from '../values/variants.ts';
import { type Walk, exemptionsOf, needless, orExempt } from '../walk-options.ts';
import type { Witness } from '../witnesses/witness.ts';
import { DELETION, LOCATION, OTHER_ACCOUNTS } from './deletion.ts';
import { FILTERS, PAGES } from './lists.ts';
import { itemParameter } from './record-list.ts';
import {
  type Finding,
  NotTriedError,
  type Rule,
  type RuleCase,
  type RuleContext,
  createRuleContext,
  propertyIn,
  withValues,
} from './rule.ts';
import { OMITTED_PROPERTIES, PRECONDITIONS } from './writes.ts';

/** Rule: a body that refers to a record which does not exist is rejected. */
const UNKNOWN_REFERENCES: Rule = {
  title: 'rejects a reference to a record that does not exist',
  cases: (spec, operation) =>
    referencesOf(spec, operation).map((property) => ({
      name: `reference ${property}`,
      check: (context) => checkReference(context, operation, property),
    })),
};

/**
 * The properties of a body that are called as the id of another record: `petId` where there is a path `/pets/{petId}` or `/pets/{id}`,
 * and `firstPetId` too.
 */
function referencesOf({ document, operations }: Witness, operation: SpecOperation): string[] {
  const { body } = requestSchemas(document, operation);
  if (body === undefined || !['POST', 'PUT', 'PATCH'].includes(operation.method)) return [];
  const nouns = operations.flatMap(({ method, path, parameters }) => {
    const [, collection = '', name = ''] = /^(.*)\/\{([^/{}]+)\}$/.exec(path) ?? [];
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema;
    const { type } = viewSchema(document, schema ? [{ value: schema, pointer: '#' }] : []);
    return method === 'GET' && name !== '' ? [{ collection, name, type, ids: idsOf(collection, name) }] : [];
  });
  return [...viewSchema(document, body.schemas).properties].flatMap(([property, schemas]) => {
    const view = viewSchema(document, schemas);
    const words = wordsOf(property);
    const isOf = (noun: (typeof nouns)[number]) => {
      if (noun.type !== view.type || !noun.ids.some((id) => words.endsWith(id))) return false;
      // The id of the record itself is no reference.
      const isOwn = operation.path === noun.collection || itemParameter(noun.collection, operation.path) !== undefined;
      return !(isOwn && noun.ids.includes(words));
    };
    return !some(view, isReadOnly) && nouns.some(isOf) ? [property] : [];
  });
}

/** `petId`, `pet_id` -> ` pet id` */
const wordsOf = (name: string): string =>
  ` ${name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()}`;

/** How a record is referred to: as its parameter is called; `{id}` with what the collection is of: `/pets/{id}` -> ` pet id`. */
function idsOf(collection: string, name: string): string[] {
  const words = wordsOf(name);
  if (!/^(id|uuid|key)$/i.test(name)) return [/ id$/.test(words) ? words : `${words} id`];
  const many = wordsOf(collection.split('/').at(-1) ?? '');
  const plurals: readonly (readonly [ending: RegExp, singular: string])[] = [
    [/ies$/, 'y'],
    [/ves$/, 'f'],
    [/es$/, ''],
    [/s$/, ''],
    [/$/, ''],
  ];
  return plurals.flatMap(([ending, singular]) => (ending.test(many) ? [`${many.replace(ending, singular)} id`] : []));
}

async function checkReference(context: RuleContext, operation: SpecOperation, property: string): Promise<Finding | undefined> {
  const { spec } = context;
  const place = `body/${property}`;
  const calls = await context.prepare(operation);
  const { body } = requestSchemas(spec.document, operation);
  const view = viewSchema(spec.document, viewSchema(spec.document, body?.schemas ?? []).properties.get(property) ?? []);
  const existing = propertyIn((await context.build(operation, calls, withProperty(place))).body, property);
  const unknown = unknownId(spec, view, existing);
  if (unknown === undefined) throw new NoValueError(`no id of a record that does not exist can be made for ${place}`);
  const call = await context.build(operation, calls, withValues({ [place]: unknown }, operation.method === 'PATCH' ? 'none' : 'given'));
  const response = await context.send(operation, call);
  const accepted = statusesOf(operation);
  const isRejected = accepted.length > 0 ? accepted.includes(response.status) : response.status >= 400 && response.status < 500;
  const problems = [
    ...(isRejected
      ? []
      : [`${place} refers to a record that does not exist: status ${response.status}, not ${accepted.join(' or ') || '4XX'}`]),
    ...(isSuccess(response) ? [] : context.problems(operation, response)),
  ];
  if (problems.length === 0) return undefined;
  return {
    operation,
    call,
    response,
    problems,
    fix: `answer ${accepted[0] ?? 400} in the handler of ${operation.id} if there is no such record`,
  };
}

/** What the contract says of a body that is not right: 400 or 422, else what a record in the way or none may be. */
function statusesOf({ statuses }: SpecOperation): number[] {
  const declared = (keys: readonly number[]) => keys.filter((status) => statuses.includes(String(status)));
  return declared([400, 422]).length > 0 ? declared([400, 422]) : declared([404, 409]);
}

function unknownId({ valueProblems }: Witness, view: SchemaView, existing: unknown): unknown {
  const format = first(view, formatOf);
  const { maximum, exclusiveMaximum = Infinity } = view.limits;
  const largest = maximum ?? Math.min(exclusiveMaximum - 1, format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER);
  const fixed = view.type === 'integer' ? [largest] : format === 'uuid' ? ['00000000-0000-4000-8000-000000000000'] : [];
  const isValid = (one: unknown) => view.parts.every(({ pointer }) => valueProblems(pointer, one).length === 0);
  const candidates = [...fixed, ...nearbyValues(existing, view), ...leafCandidates(view, 'unknown')];
  return candidates.find((one) => one !== undefined && one !== null && one !== existing && isValid(one));
}

export const RULES: readonly Rule[] = [
  FILTERS,
  PAGES,
  LOCATION,
  UNKNOWN_REFERENCES,
  OMITTED_PROPERTIES,
  PRECONDITIONS,
  DELETION,
  OTHER_ACCOUNTS,
];

/** The rules that apply to an operation. */
export const rulesOf = <World>({ spec, otherClient }: Pick<Walk<World>, 'spec' | 'otherClient'>, operation: SpecOperation): Rule[] =>
  RULES.filter((rule) => (otherClient !== undefined || rule.needsOtherClient !== true) && rule.cases(spec, operation).length > 0);

/** Everything that the rules apply to, as exemptions name it: `listPets filter status`. */
export const ruleCases = (spec: Witness): string[] =>
  spec.operations.flatMap((operation) => RULES.flatMap((rule) => rule.cases(spec, operation).map(({ name }) => `${operation.id} ${name}`)));

/**
 * Tries a rule with an operation.
 *
 * @param unwritten whether an operation may still answer 501: then a rule that needs it is not tried.
 * @throws Error with what breaks the rule, or with exemptions that are not needed.
 */
export async function tryRule<World>(
  walk: Walk<World>,
  operation: SpecOperation,
  rule: Rule,
  { unwritten = false }: { readonly unwritten?: boolean } = {},
): Promise<void> {
  const exempt = exemptionsOf(walk, operation);
  const failures: string[] = [];
  for (const one of rule.cases(walk.spec, operation)) {
    const { failure, notTried } = await tryCase(walk, operation, one);
    if (!exempt.has(one.name)) failures.push(...[failure ?? (unwritten ? undefined : notTried)].filter((text) => text !== undefined));
    else if (failure === undefined && notTried === undefined) failures.push(needless(walk, operation, one.name, 'the rule is kept'));
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** @returns what is wrong, or why it was not tried. */
async function tryCase<World>(
  walk: Walk<World>,
  operation: SpecOperation,
  { name, check }: RuleCase,
): Promise<{ readonly failure?: string; readonly notTried?: string }> {
  try {
    const found = await check(createRuleContext(walk));
    if (found === undefined) return {};
    const { operation: at, call, response, problems, fix } = found;
    return { failure: describeFailure(at, call, response, [...problems, `fix: ${fix}${orExempt(walk, operation, name)}`], walk) };
  } catch (error) {
    const text = `"${operation.id} ${name}" was not tried: ${error instanceof Error ? error.message : ''}${orExempt(walk, operation, name)}`;
    if (error instanceof NotTriedError) return { notTried: text };
    if (error instanceof NoValueError) return { failure: text };
    throw error;
  }
}
