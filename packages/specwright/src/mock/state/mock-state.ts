/** The memory of a mock: what was created, changed and deleted in the collections of the contract. */
import { parametersOf, sentMethod } from '@specwright/contract/document';
import type { MockRequest, MockResponse } from '@specwright/server';
import type { Json } from '../../testing/contract/document.ts';
import { seedOf } from '../../testing/contract/values/leaf-values.ts';
import type { ContractAnswers } from '../answer-from-contract.ts';
import { successStatus } from '../mock-body.ts';
import { isPlainObject } from '../mock-values.ts';
import { CursorError, type RecordStore, type StoredRecord, answerList, createRecordStore, pageParameters } from './answer-list.ts';
import {
  type Collection,
  type RecordPlace,
  type Resource,
  type ResourceParts,
  concretePath,
  findResources,
  idText,
  locationOf,
  parametersUpTo,
} from './find-resources.ts';
import { SINGLE, type WriteParts, mergeRecord, newId, recordWithId, replaceRecord, seedRecords } from './write-record.ts';

type RecordId = string | number | bigint;

export class MockState {
  readonly #parts: ResourceParts;
  readonly #resources: ReadonlyMap<string, Resource>;
  readonly #collectionsByPath: ReadonlyMap<string, Collection>;
  /** The first request of each collection, by its path: what its records are made from. */
  readonly #contexts = new Map<string, { readonly collection: Collection; readonly request: MockRequest }>();
  readonly #store: RecordStore;

  constructor(parts: ResourceParts) {
    this.#parts = parts;
    this.#resources = findResources(parts);
    this.#collectionsByPath = new Map([...this.#resources.values()].map(({ collection }) => [collection.path, collection]));
    this.#store = createRecordStore((path) => {
      const context = this.#contexts.get(path);
      return context === undefined ? new Map() : seedRecords(parts.values, this.#resources, path, context.collection, context.request);
    });
  }

  /** @returns `undefined` for an operation, or a body, that is nothing to remember. */
  answer(request: MockRequest): MockResponse | undefined {
    const resource = this.#resources.get(request.operation.id);
    if (resource === undefined) return undefined;
    const { role, collection } = resource;
    const { path: parameters, body } = request.input;
    // Another path of the same records may name its parameters otherwise.
    const path = concretePath(collection.path, parameters);
    if (!this.#contexts.has(path)) this.#contexts.set(path, { collection, request });
    const missing = this.#missingParent(collection, request);
    if (missing !== undefined) return missing;
    if (role === 'list' && resource.place !== undefined) return this.#list(request, resource.place, path);
    if (role === 'create') return isPlainObject(body) ? this.#create(request, resource, path, body) : undefined;
    if (collection.isSingle) return this.#onItem(request, resource, path, SINGLE);
    const id = this.#idOf(request, resource);
    return id === undefined ? undefined : this.#onItem(request, resource, path, String(id));
  }

  explain(): readonly Row[] {
    return explainResources(this.#parts, this.#resources);
  }

  #idOf({ input }: MockRequest, { collection, parameter }: Resource): RecordId | undefined {
    const given = parameter === undefined ? (input.body as Json | undefined)?.[collection.idName ?? 'id'] : input.path[parameter];
    return typeof given === 'string' || typeof given === 'number' || typeof given === 'bigint' ? given : undefined;
  }

  #answersOf({ operation }: MockRequest): ContractAnswers {
    const found = this.#parts.answers.get(operation.id);
    if (found === undefined) throw new Error(`the contract has no operation ${operation.id}`);
    return found;
  }

  #list(request: MockRequest, place: RecordPlace, path: string): MockResponse {
    const { document, values } = this.#parts;
    try {
      return answerList(request, { document, values, answers: this.#answersOf(request), place, records: this.#store.list(path) });
    } catch (error) {
      if (!(error instanceof CursorError)) throw error;
      return { refusal: { code: 'invalid_request', message: error.message } };
    }
  }

  /** The response with a record, or without one, in the form that the operation declares. */
  #respond(request: MockRequest, resource: Resource, stored: StoredRecord | undefined, code?: number, location?: string): MockResponse {
    const headers = new Map<string, string>();
    if (location !== undefined) headers.set('location', location);
    if (stored !== undefined) headers.set('etag', `"${stored.version}"`);
    const given = stored === undefined || resource.place === undefined ? undefined : within(resource.place, stored.record);
    return this.#answersOf(request).answer(request, {
      headers,
      ...(code !== undefined && { code }),
      ...(given !== undefined && { given }),
    });
  }

  #create(request: MockRequest, resource: Resource, path: string, body: Json, given?: string | number): MockResponse | undefined {
    const { collection } = resource;
    const schemas = schemasOf(resource);
    if (schemas === undefined) return undefined;
    const id = given ?? newId(this.#parts.values, path, collection, this.#store, body);
    const { responses } = this.#answersOf(request);
    const made = replaceRecord(this.#writing(request, schemas, `${path} ${id}`), body, undefined);
    const withId = { ...made, ...(collection.idName !== undefined && { [collection.idName]: id }) };
    const stored = this.#store.put(path, idText(id), this.#complete(schemas, withId, `${path} ${id}`));
    const isUpsert = resource.role !== 'create';
    const code = isUpsert && responses.some(({ key }) => key === '201') ? 201 : successStatus(responses);
    return this.#respond(request, resource, stored, code, locationOf(collection, request, idText(id)));
  }

  #writing(request: MockRequest, schemas: RecordPlace['schemas'], seed: string): WriteParts {
    const { document, values } = this.#parts;
    return { document, values, schemas, operation: this.#answersOf(request).operation, now: request.now, seed };
  }

  /** The record with the other properties that its schema requires. */
  #complete([schema]: RecordPlace['schemas'], record: Json, text: string): Json {
    const value = schema === undefined ? record : this.#parts.values.valueOf(schema, { seed: seedOf(text), given: record });
    return isPlainObject(value) ? value : record;
  }

  #change(request: MockRequest, resource: Resource, path: string, id: string, stored: StoredRecord): MockResponse | undefined {
    const { body } = request.input;
    const { collection, role } = resource;
    const schemas = schemasOf(resource);
    if (schemas === undefined || !isPlainObject(body)) return undefined;
    const written = this.#writing(request, schemas, `${path} ${id}`);
    const changed = role === 'merge' ? mergeRecord(written, body, stored.record) : replaceRecord(written, body, stored.record);
    const { idName } = collection;
    const own = idName === undefined ? {} : { [idName]: stored.record[idName] };
    return this.#respond(request, resource, this.#store.put(path, id, this.#complete(schemas, { ...changed, ...own }, `${path} ${id}`)));
  }

  /** A record of a collection that can neither be listed nor added to exists until it is deleted. */
  #materialize(request: MockRequest, collection: Collection, path: string, id: string): StoredRecord | undefined {
    const { list, hasCreate, isSingle, read } = collection;
    const parameter = read && this.#resources.get(read.operation.id)?.parameter;
    if (list !== undefined || hasCreate || isSingle || parameter === undefined || this.#store.wasRemoved(path, id)) return undefined;
    const given = request.input.path[parameter] ?? id;
    const record = recordWithId(this.#parts.values, this.#resources, path, collection, request, given);
    return record && this.#store.put(path, id, record);
  }

  #onItem(request: MockRequest, resource: Resource, path: string, id: string): MockResponse | undefined {
    const { role, collection } = resource;
    const stored = this.#store.get(path, id) ?? this.#materialize(request, collection, path, id);
    if (stored === undefined) return this.#onMissing(request, resource, path, id);
    const headers = Object.fromEntries(Object.entries(request.input.headers).map(([name, value]) => [name.toLowerCase(), value]));
    if (role === 'read') {
      const isDeclared = this.#answersOf(request).responses.some(({ key }) => key === '304');
      return this.#respond(request, resource, stored, isDeclared && namesVersion(headers['if-none-match'], stored) ? 304 : undefined);
    }
    if (headers['if-match'] !== undefined && !namesVersion(headers['if-match'], stored))
      return { refusal: { code: 'precondition_failed', message: 'header/If-Match: the record has changed since' } };
    if (role !== 'delete') return this.#change(request, resource, path, id, stored);
    this.#store.remove(path, id);
    return this.#respond(request, resource, resource.place === undefined ? undefined : stored);
  }

  /** PUT creates a record where nothing else does; any other request of a record that is not there is refused. */
  #onMissing(request: MockRequest, resource: Resource, path: string, id: string): MockResponse | undefined {
    const { role, collection, parameter } = resource;
    const { body, path: parameters } = request.input;
    if (role === 'replace' && (!collection.hasCreate || collection.isSingle) && parameter !== undefined && isPlainObject(body))
      return this.#create(request, resource, path, body, parameters[parameter] as string | number);
    const place = parameter === undefined ? `body/${collection.idName ?? 'id'}` : `path/${parameter}`;
    return { refusal: { code: 'not_found', message: collection.isSingle ? `${path} was deleted` : `${place}: ${path} has no ${id}` } };
  }

  /** The record above a collection that is not there: `/users/{userId}` of `/users/{userId}/posts`. */
  #missingParent(collection: Collection, request: MockRequest): MockResponse | undefined {
    const [, above = '', parameter = ''] = /^(.*)\/\{([^/{}]+)\}\/[^{}]*$/.exec(collection.path) ?? [];
    const parent = this.#collectionsByPath.get(above);
    const id = request.input.path[parameter];
    if (parent === undefined || parent.isSingle || id === undefined) return undefined;
    const path = concretePath(above, request.input.path);
    if (!this.#contexts.has(path)) {
      const input = { ...request.input, path: parametersUpTo(request.input.path, parameter) };
      this.#contexts.set(path, { collection: parent, request: { ...request, input } });
    }
    if (this.#store.get(path, idText(id)) !== undefined) return undefined;
    return { refusal: { code: 'not_found', message: `path/${parameter}: ${path} has no ${idText(id)}` } };
  }
}

const schemasOf = ({ collection, place }: Resource): RecordPlace['schemas'] | undefined => collection.place?.schemas ?? place?.schemas;

/** Whether If-Match or If-None-Match names the version of a record. */
const namesVersion = (field: unknown, { version }: StoredRecord): boolean =>
  typeof field === 'string' && (field.trim() === '*' || field.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${version}"`));

const within = ({ within: name }: RecordPlace, record: Json): unknown => (name === undefined ? record : { [name]: record });

/** What each operation of a mock with a memory does, as a table for the screen. */
type Row = readonly [operation: string, does: string];

function explainResources({ answers, document, values }: ResourceParts, resources: ReadonlyMap<string, Resource>): Row[] {
  return [...answers.values()].map((answer): Row => {
    const { operation } = answer;
    const resource = resources.get(operation.id);
    const name = `${sentMethod(operation.method)} ${operation.path}`;
    if (resource === undefined) return [name, `answers ${successStatus(answer.responses)}, remembers nothing`];
    const { role, collection } = resource;
    const { path, isSingle, hasCreate } = collection;
    const id = isSingle ? '' : ` by ${collection.idName ?? 'id'}`;
    if (role === 'list' && resource.place !== undefined) {
      const properties = [...values.view(resource.place.schemas).properties.keys()];
      const { filters, ...paging } = pageParameters(parametersOf(document, operation), properties);
      const pages = Object.values(paging).filter((one) => one !== undefined);
      const said = [pages.length > 0 && `pages: ${pages.join(', ')}`, filters.size > 0 && `filters: ${[...filters.values()].join(', ')}`];
      return [name, [`lists ${path}`, ...said.filter((one) => one !== false)].join('; ')];
    }
    const texts = {
      list: `lists ${path}`,
      create: `adds to ${path}`,
      read: isSingle ? `reads what is remembered` : `reads from ${path}${id}`,
      replace: isSingle || hasCreate ? `replaces in ${path}${id}` : `replaces in ${path}${id}, or adds to it`,
      merge: `merges into ${path}${id}`,
      delete: `deletes from ${path}${id}`,
    };
    return [name, texts[role]];
  });
}
