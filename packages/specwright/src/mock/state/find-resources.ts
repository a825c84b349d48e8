/** Finds the collections of a contract and what each operation does to them: from paths, links and `Location`. */
import { type Document, type Link, type Schema, bodyKind, examplesOf, parametersOf, resolve } from '@specwright/contract/document';
import type { MockRequest } from '@specwright/server';
import type { Json } from '../../testing/contract/document.ts';
import { exampleValues } from '../../testing/contract/values/build-value.ts';
import type { LocatedSchema, Schemas } from '../../schema/schema-view.ts';
import { textOf } from '../../testing/contract/values/compare-values.ts';
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

export const findResources = (parts: ResourceParts): ReadonlyMap<string, Resource> => new ResourceSearch(parts).find();

/** The search for the collections of one contract: each step adds to what the steps before it have found. */
class ResourceSearch {
  readonly #parts: ResourceParts;
  readonly #all: readonly ContractAnswers[];
  readonly #paths: readonly string[];
  readonly #resources = new Map<string, Resource>();
  readonly #collections: Collection[] = [];

  constructor(parts: ResourceParts) {
    this.#parts = parts;
    this.#all = [...parts.answers.values()];
    this.#paths = [...new Set(this.#all.map(({ operation }) => operation.path))];
  }

  find(): ReadonlyMap<string, Resource> {
    for (const path of this.#paths) this.#addCollection(path);
    for (const path of this.#paths) this.#addListed(path);
    for (const collection of this.#collections) {
      const identity = collection.place && identityOf(this.#parts.values, collection.place);
      this.#addReaders(collection, identity);
      this.#addLists(collection, identity);
    }
    for (const path of this.#paths) this.#addSingle(path);
    return this.#resources;
  }

  #at(path: string, method: string): ContractAnswers | undefined {
    return this.#all.find(({ operation }) => operation.path === path && operation.method === method);
  }

  #add(answers: ContractAnswers, role: Role, collection: Collection, place: RecordPlace | undefined, parameter?: string): void {
    this.#resources.set(answers.operation.id, { role, collection, parameter, place });
  }

  #placeOf(answers: ContractAnswers | undefined): RecordPlace | undefined {
    return answers && recordPlace(this.#parts.values, answers);
  }

  #isChanged(path: string): boolean {
    return Object.keys(CHANGES).some((method) => this.#at(path, method) !== undefined);
  }

  /** Adds the collection that records of a path such as `/pets/{petId}` are in. */
  #addCollection(itemPath: string): void {
    const [, path = '', parameter = ''] = ITEM_PATH.exec(itemPath) ?? [];
    if (path === '') return;
    const [list, create] = [this.#at(path, 'get'), this.#at(path, 'post')];
    const listed = list && listPlace(this.#parts.values, list);
    const isRead = this.#at(itemPath, 'get') !== undefined;
    if (listed === undefined && !(isRead && (create !== undefined || this.#isChanged(itemPath)))) return;
    const collection = this.#startCollection(path, itemPath, listed && list, create);
    this.#addItemPath(itemPath, parameter, collection);
    this.#addWhole(collection, parameter, listed, create);
    // As `PUT /pet` with the id in the body.
    const replace = this.#at(path, 'put');
    if (replace !== undefined) this.#add(replace, 'replace', collection, this.#placeOf(replace));
  }

  /** Adds a collection whose records have no paths, such as `/notes` with `GET` and `POST` alone: what is created is what is listed. */
  #addListed(path: string): void {
    const [list, create] = [this.#at(path, 'get'), this.#at(path, 'post')];
    if (list === undefined || create?.operation.operation.requestBody === undefined || this.#resources.has(list.operation.id)) return;
    const listed = listPlace(this.#parts.values, list);
    const created = this.#placeOf(create);
    if (listed === undefined || this.#resources.has(create.operation.id)) return;
    const isSame = created === undefined || identityOf(this.#parts.values, created) === identityOf(this.#parts.values, listed);
    if (isSame || successStatus(create.responses) === 201)
      this.#addWhole(this.#startCollection(path, undefined, list, create), '', listed, create);
  }

  #startCollection(path: string, itemPath: string | undefined, list?: ContractAnswers, create?: ContractAnswers): Collection {
    const unknown = { idName: undefined, place: undefined, read: undefined, exampleIds: [] };
    const collection: Collection = { ...unknown, path, isSingle: false, itemPath, list, hasCreate: create !== undefined };
    this.#collections.push(collection);
    return collection;
  }

  /** Adds what lists a collection and what adds to it. @param parameter of its item path. */
  #addWhole(collection: Collection, parameter: string, listed: RecordPlace | undefined, create: ContractAnswers | undefined): void {
    collection.place ??= listed ?? this.#placeOf(create);
    collection.idName = collection.place && idNameOf(this.#parts.values, collection.place, parameter);
    if (collection.list !== undefined && listed !== undefined) this.#add(collection.list, 'list', collection, listed);
    if (create?.operation.operation.requestBody !== undefined) this.#add(create, 'create', collection, this.#placeOf(create));
  }

  /** Adds what the operations of a path do to records of a collection. */
  #addItemPath(path: string, parameter: string, collection: Collection): void {
    const read = this.#at(path, 'get');
    const place = this.#placeOf(read);
    const examples = this.#all
      .filter(({ operation }) => operation.path === path)
      .flatMap((one) => parameterExamples(this.#parts.document, one, parameter));
    collection.exampleIds = [...new Set([...collection.exampleIds, ...examples])];
    if (read !== undefined && place !== undefined) {
      this.#add(read, 'read', collection, place, parameter);
      collection.read ??= read;
      collection.place ??= place;
    }
    this.#addChanges(path, collection, parameter);
  }

  #addChanges(path: string, collection: Collection, parameter?: string): void {
    for (const [method, role] of Object.entries(CHANGES)) {
      const found = this.#at(path, method);
      if (found !== undefined) this.#add(found, role, collection, this.#placeOf(found), parameter);
    }
  }

  /** Adds the other paths where created records are read. */
  #addReaders(collection: Collection, identity: string | undefined): void {
    const { document, values } = this.#parts;
    const create = this.#at(collection.path, 'post');
    const readers = (create === undefined ? [] : readersOf(document, create, this.#all)).flatMap((answers) => {
      const { path } = answers.operation;
      const [, , parameter] = ITEM_PATH.exec(path) ?? [];
      const place = this.#placeOf(answers);
      const isSame = place !== undefined && identityOf(values, place) === identity;
      return isSame && parameter !== undefined && depthOf(path) === depthOf(collection.itemPath) ? [{ path, parameter }] : [];
    });
    for (const { path, parameter } of readers) if (path !== collection.itemPath) this.#addItemPath(path, parameter, collection);
    collection.itemPath = readers[0]?.path ?? collection.itemPath;
  }

  /** Adds lists of the same records below the collection, as `/pets/findByStatus`. */
  #addLists(collection: Collection, identity: string | undefined): void {
    for (const answers of this.#all) {
      const { path, method, id } = answers.operation;
      const rest = path.startsWith(`${collection.path}/`) ? path.slice(collection.path.length) : undefined;
      if (method !== 'get' || rest === undefined || rest.includes('{') || this.#resources.has(id)) continue;
      const place = listPlace(this.#parts.values, answers);
      if (place === undefined || identityOf(this.#parts.values, place) !== identity) continue;
      this.#add(answers, 'list', collection, place);
      collection.list ??= answers;
    }
  }

  /** Adds a record without an id, such as `/account`. */
  #addSingle(path: string): void {
    const read = this.#at(path, 'get');
    const place = this.#placeOf(read);
    if (read === undefined || place === undefined || this.#resources.has(read.operation.id) || ITEM_PATH.test(path)) return;
    if (!this.#isChanged(path)) return;
    const common = { path, itemPath: undefined, idName: undefined, list: undefined, hasCreate: false, exampleIds: [] };
    const collection: Collection = { ...common, isSingle: true, place, read };
    this.#add(read, 'read', collection, place);
    this.#addChanges(path, collection);
  }
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
