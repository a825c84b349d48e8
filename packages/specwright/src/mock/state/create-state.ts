/** The memory of a mock: what was created, changed and deleted in the collections of the contract. */
import { type Document, parametersOf, sentMethod } from '@specwright/contract/document';
import type { MockRequest, MockResponse } from '@specwright/server';
import type { Json } from '../../testing/contract/document.ts';
import { seedOf } from '../../testing/contract/values/leaf-values.ts';
import type { ContractAnswers } from '../answer-from-contract.ts';
import { successStatus } from '../mock-body.ts';
import { type MockValues, isPlainObject } from '../mock-values.ts';
import { CursorError, type StoredRecord, answerList, createRecordStore, pageParameters } from './answer-list.ts';
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
import { SINGLE, mergeRecord, newId, recordWithId, replaceRecord, seedRecords } from './write-record.ts';

export interface MockState {
  /** @returns `undefined` for an operation, or a body, that is nothing to remember. */
  readonly answer: (request: MockRequest) => MockResponse | undefined;
  readonly explain: () => readonly (readonly [operation: string, does: string])[];
}

export function createState(parts: ResourceParts): MockState {
  const { document, values, answers } = parts;
  const resources = findResources(parts);
  const collectionsByPath = new Map([...resources.values()].map(({ collection }) => [collection.path, collection]));
  const contexts = new Map<string, { readonly collection: Collection; readonly request: MockRequest }>();
  const store = createRecordStore((path) => {
    const context = contexts.get(path);
    return context === undefined ? new Map() : seedRecords(values, resources, path, context.collection, context.request);
  });
  const answersOf = (id: string) => {
    const found = answers.get(id);
    if (found === undefined) throw new Error(`the contract has no operation ${id}`);
    return found;
  };

  /** The response with a record, or without one, in the form that the operation declares. */
  function respond(
    request: MockRequest,
    resource: Resource,
    stored: StoredRecord | undefined,
    code?: number,
    location?: string,
  ): MockResponse {
    const headers = new Map<string, string>();
    if (location !== undefined) headers.set('location', location);
    if (stored !== undefined) headers.set('etag', `"${stored.version}"`);
    const given = stored === undefined || resource.place === undefined ? undefined : within(resource.place, stored.record);
    return answersOf(request.operation.id).answer(request, {
      headers,
      ...(code !== undefined && { code }),
      ...(given !== undefined && { given }),
    });
  }

  function create(request: MockRequest, resource: Resource, path: string, body: Json, given?: string | number): MockResponse | undefined {
    const { collection } = resource;
    const schemas = collection.place?.schemas ?? resource.place?.schemas;
    if (schemas === undefined) return undefined;
    const id = given ?? newId(values, path, collection, store.list(path), body);
    const { operation, responses } = answersOf(request.operation.id);
    const made = replaceRecord({ document, values, schemas, operation, now: request.now, seed: `${path} ${id}` }, body, undefined);
    const stored = store.put(
      path,
      idText(id),
      fit(schemas, { ...made, ...(collection.idName !== undefined && { [collection.idName]: id }) }, `${path} ${id}`),
    );
    const isUpsert = resource.role !== 'create';
    const code = isUpsert && responses.some(({ key }) => key === '201') ? 201 : successStatus(responses);
    return respond(request, resource, stored, code, locationOf(collection, request, idText(id)));
  }

  /** The record with what its schema requires besides. */
  function fit(schemas: RecordPlace['schemas'], record: Json, text: string): Json {
    const [schema] = schemas;
    const value = schema === undefined ? record : values.valueOf(schema, { seed: seedOf(text), given: record });
    return isPlainObject(value) ? value : record;
  }

  function change(request: MockRequest, resource: Resource, path: string, id: string, stored: StoredRecord): MockResponse | undefined {
    const { body } = request.input;
    const { collection, role } = resource;
    const schemas = collection.place?.schemas ?? resource.place?.schemas;
    if (schemas === undefined || !isPlainObject(body)) return undefined;
    const { operation } = answersOf(request.operation.id);
    const written = { document, values, schemas, operation, now: request.now, seed: `${path} ${id}` };
    const changed = role === 'merge' ? mergeRecord(written, body, stored.record) : replaceRecord(written, body, stored.record);
    const { idName } = collection;
    const own = idName === undefined ? {} : { [idName]: stored.record[idName] };
    return respond(request, resource, store.put(path, id, fit(schemas, { ...changed, ...own }, `${path} ${id}`)));
  }

  /** Of a collection that can neither be listed nor added to, what is asked for is there, until it is deleted. */
  function materialize(request: MockRequest, collection: Collection, path: string, id: string): StoredRecord | undefined {
    const { list, hasCreate, isSingle, read } = collection;
    const parameter = read && resources.get(read.operation.id)?.parameter;
    if (list !== undefined || hasCreate || isSingle || parameter === undefined || store.wasRemoved(path, id)) return undefined;
    const given = request.input.path[parameter] ?? id;
    const record = recordWithId(values, resources, path, collection, request, given);
    return record && store.put(path, id, record);
  }

  function onItem(request: MockRequest, resource: Resource, path: string, id: string): MockResponse | undefined {
    const { role, collection, parameter } = resource;
    const { headers, body } = request.input;
    const stored = store.get(path, id) ?? materialize(request, collection, path, id);
    if (stored === undefined) {
      if (role === 'replace' && (!collection.hasCreate || collection.isSingle) && parameter !== undefined && isPlainObject(body))
        return create(request, resource, path, body, request.input.path[parameter] as string | number);
      const place = parameter === undefined ? `body/${collection.idName ?? 'id'}` : `path/${parameter}`;
      return { refusal: { code: 'not_found', message: collection.isSingle ? `${path} was deleted` : `${place}: ${path} has no ${id}` } };
    }
    const conditions = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const tag = `"${stored.version}"`;
    const names = (field: unknown) =>
      typeof field === 'string' && (field.trim() === '*' || field.split(',').some((one) => one.trim().replace(/^W\//, '') === tag));
    if (role === 'read') {
      const isDeclared = answersOf(request.operation.id).responses.some(({ key }) => key === '304');
      return respond(request, resource, stored, isDeclared && names(conditions['if-none-match']) ? 304 : undefined);
    }
    if (conditions['if-match'] !== undefined && !names(conditions['if-match']))
      return { refusal: { code: 'precondition_failed', message: 'header/If-Match: the record has changed since' } };
    if (role !== 'delete') return change(request, resource, path, id, stored);
    store.remove(path, id);
    return respond(request, resource, resource.place === undefined ? undefined : stored);
  }

  /** The record above a collection that is not there: `/users/{userId}` of `/users/{userId}/posts`. */
  function missingParent(collection: Collection, request: MockRequest): MockResponse | undefined {
    const [, above = '', parameter = ''] = /^(.*)\/\{([^/{}]+)\}\/[^{}]*$/.exec(collection.path) ?? [];
    const parent = collectionsByPath.get(above);
    const id = request.input.path[parameter];
    if (parent === undefined || parent.isSingle || id === undefined) return undefined;
    const path = concretePath(above, request.input.path);
    contexts.set(
      path,
      contexts.get(path) ?? {
        collection: parent,
        request: { ...request, input: { ...request.input, path: parametersUpTo(request.input.path, parameter) } },
      },
    );
    if (store.get(path, idText(id)) !== undefined) return undefined;
    return { refusal: { code: 'not_found', message: `path/${parameter}: ${path} has no ${idText(id)}` } };
  }

  return {
    answer(request) {
      const resource = resources.get(request.operation.id);
      if (resource === undefined) return undefined;
      const { role, collection, parameter, place } = resource;
      const { input } = request;
      // Another path of the same records may name its parameters otherwise.
      const path = concretePath(collection.path, input.path);
      if (!contexts.has(path)) contexts.set(path, { collection, request });
      const missing = missingParent(collection, request);
      if (missing !== undefined) return missing;
      try {
        if (role === 'list' && place !== undefined)
          return answerList(request, { document, values, answers: answersOf(request.operation.id), place, records: store.list(path) });
      } catch (error) {
        if (!(error instanceof CursorError)) throw error;
        return { refusal: { code: 'invalid_request', message: error.message } };
      }
      if (role === 'create') return isPlainObject(input.body) ? create(request, resource, path, input.body) : undefined;
      if (collection.isSingle) return onItem(request, resource, path, SINGLE);
      const given = parameter === undefined ? (input.body as Json | undefined)?.[collection.idName ?? 'id'] : input.path[parameter];
      return typeof given === 'string' || typeof given === 'number' || typeof given === 'bigint'
        ? onItem(request, resource, path, String(given))
        : undefined;
    },
    explain: () => explainResources([...answers.values()], resources, document, values),
  };
}

const within = ({ within: name }: RecordPlace, record: Json): unknown => (name === undefined ? record : { [name]: record });

/** What each operation of a mock with a memory does, as a table for the screen. */
type Row = readonly [operation: string, does: string];

function explainResources(
  answers: readonly ContractAnswers[],
  resources: ReadonlyMap<string, Resource>,
  document: Document,
  values: MockValues,
): Row[] {
  return answers.map((answer): Row => {
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
