/** Rules of references: one to a record that does not exist is rejected, and a record that others refer to is deleted or kept as declared. */
import { isReadOnly } from '@specwright/contract/document';
import { isSuccess } from '../attempt.ts';
import type { SpecOperation } from '../document.ts';
import { unlikelyId } from '../generic-scenarios.ts';
import { readingOfPath, textsOf } from '../read-back.ts';
import { NoValueError } from '../values/build-options.ts';
import { leafCandidates, nearbyValues } from '../values/leaf-values.ts';
import { type SchemaView, some, viewSchema } from '../../../schema/schema-view.ts';
import { requestSchemas, withProperty } from '../values/variants.ts';
import type { Witness } from '../witnesses/witness.ts';
import { itemParameter } from './record-list.ts';
import { type Finding, type Rule, type RuleContext, propertyIn, withValues } from './rule.ts';

/** Rule: a body that refers to a record which does not exist is rejected. */
export const UNKNOWN_REFERENCES: Rule = {
  title: 'rejects a reference to a record that does not exist',
  cases: (spec, operation) =>
    referencesOf(spec, operation).map(({ property }) => ({
      name: `reference ${property}`,
      check: (context) => checkReference(context, operation, property),
    })),
};

interface Reference {
  readonly property: string;
  /** The path of the records that it refers to, and the parameter with the id of one: `/pets` and `petId`. */
  readonly collection: string;
  readonly parameter: string;
}

/**
 * The properties of a body that are called as the id of another record: `petId` where there is a path `/pets/{petId}` or `/pets/{id}`,
 * and `firstPetId` too.
 */
function referencesOf({ document, operations }: Witness, operation: SpecOperation): Reference[] {
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
    const noun = some(view, isReadOnly) ? undefined : nouns.find(isOf);
    return noun === undefined ? [] : [{ property, collection: noun.collection, parameter: noun.name }];
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
  const fix = `answer ${accepted[0] ?? 400} in the handler of ${operation.id} if there is no such record`;
  return problems.length === 0 ? undefined : { operation, call, response, problems, fix };
}

/** What the contract says of a body that is not right: 400 or 422, else what a record in the way or none may be. */
function statusesOf({ statuses }: SpecOperation): number[] {
  const declared = (keys: readonly number[]) => keys.filter((status) => statuses.includes(String(status)));
  return declared([400, 422]).length > 0 ? declared([400, 422]) : declared([404, 409]);
}

function unknownId({ valueProblems }: Witness, view: SchemaView, existing: unknown): unknown {
  const isValid = (one: unknown) => view.parts.every(({ pointer }) => valueProblems(pointer, one).length === 0);
  const candidates = [unlikelyId(view), ...nearbyValues(existing, view), ...leafCandidates(view, 'unknown')];
  return candidates.find((one) => one !== undefined && one !== null && one !== existing && isValid(one));
}

/**
 * Rule: a record that others refer to is deleted, or refused to be with a status that is declared. It reaches the foreign key of each
 * reference: one that the service does not translate becomes an internal error.
 */
export const REFERENCES_IN_USE: Rule = {
  title: 'deletes a record that others refer to, or rejects that',
  cases: (spec, operation) => {
    if (operation.method !== 'DELETE') return [];
    return spec.operations.flatMap((creator) => {
      if (creator.method !== 'POST') return [];
      const found = referencesOf(spec, creator).filter(({ collection }) => itemParameter(collection, operation.path) !== undefined);
      return found.map((reference) => ({
        name: `referred to by ${creator.id} ${reference.property}`,
        check: (context: RuleContext) => checkInUse(context, operation, creator, reference),
      }));
    });
  },
};

async function checkInUse(
  context: RuleContext,
  operation: SpecOperation,
  creator: SpecOperation,
  { property, parameter }: Reference,
): Promise<Finding | undefined> {
  const child = await context.build(creator, await context.prepare(creator), withProperty(`body/${property}`));
  await context.sendSuccessfully(creator, child);
  const [prepared = {}] = await context.prepare(operation);
  const id = propertyIn(child.body, property) as string | number;
  const call = { ...prepared, path: { ...prepared.path, [parameter]: id } };
  const response = await context.send(operation, call);
  const reading = readingOfPath(context.spec, operation, textsOf(call.path));
  const isRefused = response.status >= 400 && response.status < 500;
  const isKept = !isRefused || reading === undefined || isSuccess(await context.read(reading, call));
  const problems = [
    ...(isSuccess(response) || isRefused
      ? []
      : [`what ${creator.id} refers to with ${property} is deleted with status ${response.status}`]),
    ...(isKept ? [] : [`the status is ${response.status}, but the record is gone`]),
    ...context.problems(operation, response),
  ];
  if (problems.length === 0) return undefined;
  const fix = `answer 409 in the handler of ${operation.id}, by an entry of the foreign key in onDelete, or delete with the record what refers to it`;
  return { operation, call, response, problems, fix };
}
