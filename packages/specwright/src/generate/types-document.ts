/** Makes the document that types are made of: the model, with what handlers get in place of sequences and multipart bodies, and a name for each schema that is referred to. */
import {
  type Document,
  type DocumentOutgoing,
  type DynamicScope,
  type FileRule,
  type PathItem,
  type RequestBody,
  type Schema,
  bodyKind,
  createDynamicScopes,
  descriptionOf,
  alternativesOf,
  isDefinitions,
  isObject,
  itemSchemaOf,
  listOutgoing,
  mapSchemas,
  methodsOf,
  multipartParts,
  operationAt,
  pointerKeys,
  referenceOf,
  resolve,
  tagAlternatives,
  valueAt,
  visitDocument,
  withOperation,
} from '@specwright/contract/document';
import { describesObjects, simplifySchema } from './simplify-schema.ts';

/** @param published the document that the model was made of. @returns a copy. */
export function typesDocument(model: Document, published: Document): Document {
  const copy = structuredClone(model);
  addDescriptions(copy, published);
  addItems(copy);
  addParts(copy);
  copy.paths = mapValues(copy.paths, (item) => resolve<PathItem>(copy, item));
  if (copy.webhooks !== undefined) copy.webhooks = mapValues(copy.webhooks, (item) => withoutIds(resolve<PathItem>(copy, item)));
  addOutgoing(copy);
  // What referred to path items has them now.
  copy.components = { ...copy.components, pathItems: undefined };
  const hoisted = hoistReferences(withTags(copy));
  return mapSchemas(hoisted, false, (given, isWithinObject) => {
    if (!isObject(given)) return [given, () => false];
    const isOfObject = referenceOf(given) === undefined && (isWithinObject || describesObjects(hoisted, given));
    return [simplifySchema(hoisted, given, isWithinObject), (keyword) => isOfObject && ['allOf', 'oneOf', 'anyOf'].includes(keyword)];
  });
}

/** Before references get other names, which would be values of discriminators. */
const withTags = (document: Document): Document =>
  mapSchemas(document, undefined, (schema) => [
    isObject(schema) && alternativesOf(schema).every((part) => describesObjects(document, part))
      ? tagAlternatives(document, schema)
      : schema,
    () => undefined,
  ]);

/** What a service sends beside `webhooks`: `x-webhooks` under their keys, callbacks under the names of their functions. */
function addOutgoing(copy: Document): void {
  const others = listOutgoing(copy).filter(({ source }) => source !== 'webhooks');
  for (const outgoing of others) {
    const { requestBody, responses = {} } = outgoing.operation;
    // A copy: what follows changes each part of the document once.
    const operation = structuredClone({ ...(requestBody && { requestBody }), responses });
    copy.webhooks ??= {};
    const key = outgoingTypeKey(outgoing);
    copy.webhooks[key] = { ...copy.webhooks[key], [outgoing.method]: operation };
  }
}

/** The type of the body of an outgoing request. @param type its media type. */
export const outgoingBodyType = (outgoing: DocumentOutgoing, type: string): string =>
  `NonNullable<webhooks[${JSON.stringify(outgoingTypeKey(outgoing))}]['${outgoing.method}']['requestBody']>['content'][${JSON.stringify(type)}]`;

/** The schema of the body of an outgoing request, in what `typesDocument` has made. @param type its media type. */
export const outgoingSchema = (document: Document, outgoing: DocumentOutgoing, type: string): Schema | undefined => {
  const body = document.webhooks?.[outgoingTypeKey(outgoing)]?.[outgoing.method]?.requestBody;
  return body === undefined ? undefined : resolve<RequestBody>(document, body).content[type]?.schema;
};

/** The key of an outgoing request in the interface `webhooks`. */
const outgoingTypeKey = ({ source, key, name }: DocumentOutgoing): string => (source === 'callbacks' ? `callback ${name}` : key);

/** The items of a sequence are not its body: `$items` tells the types of handlers so. */
function addItems(model: Document): void {
  visitDocument(model, {
    mediaType: (media, path) => {
      const schema = itemSchemaOf(String(path.at(-1)), media)?.schema;
      if (schema !== undefined) Object.assign(media, { schema: { type: 'object', required: ['$items'], properties: { $items: schema } } });
    },
  });
}

/** Of a multipart body handlers get the fields as an object, and its files by name: `$fields`, `$files` and, if they are spooled, `$spooled`. */
function addParts(model: Document): void {
  visitDocument(model, {
    mediaType: (media, path) => {
      if (bodyKind(String(path.at(-1))) !== 'multipart' || path.includes('responses')) return;
      const { fields, files, isSpooled } = multipartParts(model, media);
      const properties: Record<string, unknown> = { $fields: fields };
      if (files.size > 0) properties['$files'] = filesSchema(files);
      if (isSpooled) properties['$spooled'] = { const: true };
      Object.assign(media, { schema: { type: 'object', required: Object.keys(properties), properties } });
    },
  });
}

/** What is sent for a file is the client's to say: what is told here is which there are, and which are lists. */
const filesSchema = (files: ReadonlyMap<string, FileRule>): object => ({
  type: 'object',
  required: [...files].filter(([, { minCount }]) => minCount > 0).map(([name]) => name),
  properties: Object.fromEntries([...files].map(([name, { isList }]) => [name, isList ? { type: 'array', items: {} } : {}])),
});

/** Restores descriptions beside a `$ref`, which become comments: the model drops what means nothing to a validator. */
function addDescriptions(model: Document, document: Document): void {
  visitDocument(model, {
    reference: (_, path, section) => {
      const original = section === 'schemas' ? valueAt(document, path as string[]) : undefined;
      const description = isObject(original) && referenceOf(original) !== undefined ? descriptionOf(original) : undefined;
      if (description !== undefined) Object.assign(valueAt(model, path as string[]) as object, { description });
    },
  });
}

/** Handlers are for the operations of `paths` only. */
const withoutIds = (item: PathItem): PathItem =>
  methodsOf(item).reduce((copy, method) => {
    const operation = operationAt(item, method);
    return operation === undefined ? copy : withOperation(copy, method, { ...operation, operationId: undefined });
  }, item);

const mapValues = <T>(given: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

/**
 * Gives every schema that a reference finds inside another one a name in components, and drops what is beside a `$ref`:
 * a type inside another one has no name, and TypeScript ignores neither what is beside it nor that it is optional.
 */
type Json = Record<string, unknown>;

/** Changes the model of a document in place, and returns it. Its meaning stays the same, but `$dynamicRef`s and references to media types are gone. */
export function hoistReferences(document: Document): Document {
  const scopes = createDynamicScopes(document);
  const names = new Map<string, string>();
  const schemas: Json = { ...document.components?.schemas };
  const queue: [node: unknown, scope: DynamicScope][] = [];
  const nameOf = (pointer: string, scope: DynamicScope): string | undefined => {
    const key = `${pointer} ${scope.key}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    // Before the reference is resolved: its target may be a reference that was renamed.
    Object.assign(document, { components: { ...document.components, schemas } });
    const target = objectAt(document, pointer);
    if (target === undefined) return undefined;
    const keys = pointerKeys(pointer);
    let name = isDefinitions(keys.at(-2)) || !isInsideOfSchema(pointer) ? (keys.at(-1) ?? '') : `Inline${names.size + 1}`;
    while (name in schemas) name += '_';
    names.set(key, name);
    queue.push([(schemas[name] = structuredClone(target)), scope]);
    return name;
  };
  const follow = (node: Json, $ref: string, outer: DynamicScope): void => {
    if ($ref.startsWith('#/components/mediaTypes/')) {
      delete node['$ref'];
      queue.push([Object.assign(node, structuredClone(objectAt(document, $ref))), outer]);
      return;
    }
    // OpenAPI 3.0.3, section 4.7.23: properties beside a $ref are ignored. A description is only a comment.
    for (const key of Object.keys(node)) if (key !== '$ref' && key !== 'description') delete node[key];
    const scope = scopes.enter(outer, $ref);
    const isGeneric = scope.key !== scopes.enter(scopes.outermost, $ref).key;
    const name = isGeneric || isInsideOfSchema($ref) ? nameOf($ref, scope) : undefined;
    node['$ref'] = name === undefined ? $ref : `#/components/schemas/${encodeName(name)}`;
  };

  for (const [name, schema] of Object.entries(schemas))
    queue.push([schema, scopes.enter(scopes.outermost, `#/components/schemas/${encodeName(name)}`)]);
  queue.push([{ ...document, components: { ...document.components, schemas: undefined } }, scopes.outermost]);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [node, scope] = next;
    if (typeof node !== 'object' || node === null) continue;
    const { $ref, $dynamicRef } = node as Json;
    if (typeof $dynamicRef === 'string') resolveDynamic(node as Json, scopes.resolve(scope, $dynamicRef));
    if (typeof $ref === 'string') follow(node as Json, $ref, scope);
    else for (const child of Object.values(node)) queue.push([child, scope]);
  }
  return document;
}

const encodeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Makes a `$dynamicRef` a part of `allOf`, which other keywords may be beside. */
function resolveDynamic(node: Json, $ref: string): void {
  delete node['$dynamicRef'];
  node['allOf'] = [...((node['allOf'] as unknown[] | undefined) ?? []), { $ref }];
}

/** Whether a reference leads to a part of a named schema, or to a schema that has no name. */
function isInsideOfSchema(reference: string): boolean {
  if (!reference.startsWith('#/')) return false;
  const [root, section, , ...below] = pointerKeys(reference);
  return root === 'components' && section === 'schemas' ? below.length > 0 : below.includes('schema');
}

/** `undefined` for what is no reference, such as text in an example. */
function objectAt(document: Document, $ref: string): Json | undefined {
  try {
    const value = resolve<unknown>(document, { $ref });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
