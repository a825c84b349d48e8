/** Finds the collections of a contract and what each operation does to them: from paths, links and `Location`. */
import { type Document, type Link, type Schema, bodyKind, examplesOf, parametersOf, resolve } from '@specwright/contract/document';
import type { MockRequest } from '@specwright/server';
import type { Json } from '../../testing/contract/document.ts';
import { exampleValues } from '../../testing/contract/values/build-value.ts';
import type { LocatedSchema, Schemas } from '../../testing/contract/values/schema-view.ts';
import { textOf } from '../../testing/contract/values/text-of.ts';
import type { ContractAnswers } from '../answer-from-contract.ts';
import { responseFor, successStatus } from '../mock-body.ts';
import type { MockValues } from '../mock-values.ts';

type Role = 'list' | 'create' | 'read' | 'replace' | 'merge' | 'delete';

export interface Collection {
  /** `/pets`; for a single thing, such as `/account`, its path. */
  readonly path: string;
  /** Whether it is one thing, which has no id. */
  readonly isSingle: boolean;
  /** Where its records are read: what `Location` names. */
  itemPath: string | undefined;
  /** The property that has the id. */
  idName: string | undefined;
  /** What a record is like. */
  place: RecordPlace | undefined;
  list: ContractAnswers | undefined;
  read: ContractAnswers | undefined;
  hasCreate: boolean;
  /** The examples of ids in the contract. */
  exampleIds: readonly unknown[];
}

export interface Resource {
  readonly role: Role;
  readonly collection: Collection;
  /** The parameter of the path that has the id; `undefined` for lists, for what creates, and where the body has it. */
  readonly parameter: string | undefined;
  readonly place: RecordPlace | undefined;
}

export interface ResourceParts {
  readonly document: Document;
  readonly values: MockValues;
  readonly answers: ReadonlyMap<string, ContractAnswers>;
}

const ITEM_PATH = /^(.*)\/\{([^/{}]+)\}$/;
const CHANGES: Readonly<Record<string, Role>> = { put: 'replace', patch: 'merge', delete: 'delete' };
const ID_NAMES = ['id', 'uuid', 'guid', 'key', 'code', 'slug'];

export function findResources({ document, values, answers }: ResourceParts): Map<string, Resource> {
  const all = [...answers.values()];
  const at = (path: string, method: string) => all.find(({ operation }) => operation.path === path && operation.method === method);
  const resources = new Map<string, Resource>();
  const collections = new Map<string, Collection>();

  /** Adds what the operations of a path do to records of a collection. */
  function addItemPath(path: string, parameter: string, collection: Collection): void {
    const read = at(path, 'get');
    const place = read && recordPlace(values, read);
    const examples = all.filter(({ operation }) => operation.path === path).flatMap((one) => parameterExamples(document, one, parameter));
    collection.exampleIds = [...new Set([...collection.exampleIds, ...examples])];
    if (read !== undefined && place !== undefined) {
      resources.set(read.operation.id, { role: 'read', collection, parameter, place });
      collection.read ??= read;
      collection.place ??= place;
    }
    for (const [method, role] of Object.entries(CHANGES)) {
      const found = at(path, method);
      if (found !== undefined) resources.set(found.operation.id, { role, collection, parameter, place: recordPlace(values, found) });
    }
  }

  const paths = [...new Set(all.map(({ operation }) => operation.path))];
  for (const itemPath of paths) {
    const [, path = '', parameter = ''] = ITEM_PATH.exec(itemPath) ?? [];
    const list = at(path, 'get');
    const create = at(path, 'post');
    const listed = list && listPlace(values, list);
    const isRead = at(itemPath, 'get') !== undefined;
    const isChanged = ['put', 'patch', 'delete'].some((method) => at(itemPath, method) !== undefined);
    if (path === '' || !(listed !== undefined || (isRead && create !== undefined) || (isRead && isChanged))) continue;
    const collection: Collection = {
      path,
      isSingle: false,
      itemPath,
      idName: undefined,
      place: undefined,
      list: listed && list,
      read: undefined,
      hasCreate: create !== undefined,
      exampleIds: [],
    };
    collections.set(path, collection);
    addItemPath(itemPath, parameter, collection);
    collection.place ??= listed ?? (create && recordPlace(values, create));
    collection.idName = collection.place && idNameOf(values, collection.place, parameter);
    if (list !== undefined && listed !== undefined)
      resources.set(list.operation.id, { role: 'list', collection, parameter: undefined, place: listed });
    if (create?.operation.operation.requestBody !== undefined)
      resources.set(create.operation.id, { role: 'create', collection, parameter: undefined, place: recordPlace(values, create) });
    // As `PUT /pet` with the id in the body.
    const replace = at(path, 'put');
    if (replace !== undefined)
      resources.set(replace.operation.id, { role: 'replace', collection, parameter: undefined, place: recordPlace(values, replace) });
  }

  for (const collection of collections.values()) {
    const identity = collection.place && identityOf(values, collection.place);
    // Where what is created is read may be another path.
    const create = at(collection.path, 'post');
    const readers = (create === undefined ? [] : readersOf(document, create, all)).flatMap(({ operation }) => {
      const [, , parameter] = ITEM_PATH.exec(operation.path) ?? [];
      const place = recordPlace(values, answers.get(operation.id) as ContractAnswers);
      const isSame = place !== undefined && identityOf(values, place) === identity;
      return isSame && parameter !== undefined && depthOf(operation.path) === depthOf(collection.itemPath)
        ? [{ path: operation.path, parameter }]
        : [];
    });
    for (const { path, parameter } of readers) if (path !== collection.itemPath) addItemPath(path, parameter, collection);
    collection.itemPath = readers[0]?.path ?? collection.itemPath;
    // As `/pets/findByStatus`: lists of the same records below the collection.
    for (const answer of all) {
      const { path, method, id } = answer.operation;
      const rest = path.startsWith(`${collection.path}/`) ? path.slice(collection.path.length) : undefined;
      if (method !== 'get' || rest === undefined || rest.includes('{') || resources.has(id)) continue;
      const place = listPlace(values, answer);
      if (place === undefined || identityOf(values, place) !== identity) continue;
      resources.set(id, { role: 'list', collection, parameter: undefined, place });
      collection.list ??= answer;
    }
  }

  for (const path of paths) {
    const read = at(path, 'get');
    const place = read && recordPlace(values, read);
    if (read === undefined || place === undefined || resources.has(read.operation.id) || ITEM_PATH.test(path)) continue;
    if (!['put', 'patch', 'delete'].some((method) => at(path, method) !== undefined)) continue;
    const common = { path, itemPath: undefined, idName: undefined, list: undefined, hasCreate: false, exampleIds: [] };
    const collection: Collection = { ...common, isSingle: true, place, read };
    resources.set(read.operation.id, { role: 'read', collection, parameter: undefined, place });
    for (const [method, role] of Object.entries(CHANGES)) {
      const found = at(path, method);
      if (found !== undefined)
        resources.set(found.operation.id, { role, collection, parameter: undefined, place: recordPlace(values, found) });
    }
  }
  return resources;
}

function parameterExamples(document: Document, { operation }: ContractAnswers, parameter: string): readonly unknown[] {
  const found = parametersOf(document, operation).find((one) => one.in === 'path' && one.name === parameter);
  if (found === undefined) return [];
  const schema = found.schema && resolve<Schema>(document, found.schema);
  const [example] = [...exampleValues(document as unknown as Json, found), ...(schema === undefined ? [] : examplesOf(schema))];
  return example === undefined ? [] : [example];
}

/** How many parameters a path has. */
const depthOf = (path = ''): number => path.split('{').length;

/** `petId` is the id of a record that has `petId`, `pet_id` or, if it has none, `id`. */
function idNameOf(values: MockValues, place: RecordPlace, parameter: string): string | undefined {
  const { properties, unions } = values.view(place.schemas);
  const branches = unions.flatMap((union) => union.branches.flatMap(({ schema }) => [...values.view(schema).properties.keys()]));
  const names = [...properties.keys(), ...branches];
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return [parameter, ...ID_NAMES].map((wanted) => names.find((name) => plain(name) === plain(wanted))).find((name) => name !== undefined);
}

/** The operations that read what another one creates: those of its links, then the one that an example of `Location` is of. */
function readersOf(document: Document, create: ContractAnswers, all: readonly ContractAnswers[]): ContractAnswers[] {
  const response = responseFor(create.responses, successStatus(create.responses));
  if (response === undefined) return [];
  const gets = all.filter(({ operation }) => operation.method === 'get');
  const ids = Object.values(response.response.links ?? {}).map((link) => resolve<Link>(document, link).operationId);
  const linked = gets.filter(({ operation }) => ids.includes(operation.id));
  const location = response.headers.find(({ name }) => name.toLowerCase() === 'location');
  const examples =
    location === undefined
      ? []
      : [...exampleValues(document as unknown as Json, location.media), ...(location.schema ? examplesOf(location.schema.value) : [])];
  const located = gets.filter(({ operation }) => {
    const pattern = operation.path
      .split(/\{[^{}]+\}/)
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+');
    return examples.some((example) => typeof example === 'string' && new RegExp(`^(https?://[^/]+)?${pattern}$`).test(example));
  });
  // An example of a header that many operations share is of one of them.
  return linked.length > 0 ? linked : located.filter(({ operation }) => operation.path.startsWith(`${create.operation.path}/`));
}

/** Where records are in the responses of a contract: the body itself, a list, or a property of an envelope. */
export interface RecordPlace {
  /** The property of the body; `undefined` if it is the body. */
  readonly within: string | undefined;
  readonly schemas: Schemas;
}

/** The schema of the JSON body of a success. */
export function bodySchema({ responses }: ContractAnswers): LocatedSchema | undefined {
  const response = responseFor(responses, successStatus(responses));
  return response?.content.find(({ type, schema }) => schema !== undefined && bodyKind(type) === 'json')?.schema;
}

/** The one list of objects in a response, with the schema of its items. */
function listPlace(values: MockValues, answers: ContractAnswers): RecordPlace | undefined {
  const schema = bodySchema(answers);
  if (schema === undefined) return undefined;
  const body = values.view(schema);
  const lists = body.items === undefined ? [...body.properties] : [[undefined, [schema]] as const];
  const found = lists.flatMap(([within, parts]) => {
    const { type, items } = values.view(parts);
    return type === 'array' && items !== undefined && isRecord(values, items) ? [{ within, schemas: items }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The record in a response: the body, unless that is an envelope of one object that has no id. */
function recordPlace(values: MockValues, answers: ContractAnswers): RecordPlace | undefined {
  const schema = bodySchema(answers);
  if (schema === undefined || !isRecord(values, [schema])) return undefined;
  const { properties } = values.view(schema);
  const inner = [...properties].filter(([, parts]) => values.view(parts).type === 'object');
  const [only] = inner;
  const isEnvelope = only !== undefined && inner.length === 1 && properties.size <= 2 && /^(data|item|result|record)$/i.test(only[0]);
  return isEnvelope ? { within: only[0], schemas: only[1] } : { within: undefined, schemas: [schema] };
}

function isRecord(values: MockValues, schemas: Schemas): boolean {
  const { type, types, unions, properties } = values.view(schemas);
  return type === 'object' || properties.size > 0 || (type === undefined && types.length === 0 && unions.length > 0);
}

/** Where a schema is defined: the same for all that refer to it. */
const identityOf = (values: MockValues, { schemas }: RecordPlace): string => values.view(schemas).parts[0]?.pointer ?? '';

/** Paths with their parameters: they tell the collections of a mock apart, as `/users/5/posts`. */
export const concretePath = (template: string, parameters: Json): string =>
  template.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) =>
    parameters[name] === undefined ? whole : encodeURIComponent(idText(parameters[name])),
  );

/** An id as it is in paths. */
export const idText = (id: unknown): string => (typeof id === 'bigint' ? String(id) : textOf(id));

/** Where a record is read; `undefined` if no operation reads one. */
export function locationOf({ itemPath }: Collection, { input }: MockRequest, id: string): string | undefined {
  const name = /\{([^/{}]+)\}$/.exec(itemPath ?? '')?.[1];
  return itemPath === undefined || name === undefined ? undefined : concretePath(itemPath, { ...input.path, [name]: id });
}

/** The parameters of a path up to one of them. */
export function parametersUpTo(parameters: Json, last: string): Json {
  const entries = Object.entries(parameters);
  return Object.fromEntries(entries.slice(0, entries.findIndex(([name]) => name === last) + 1));
}
