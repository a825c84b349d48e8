/** Makes the document that types are made of: the model, in the parts of OpenAPI 3.1 that openapi-typescript knows. */
import {
  bodyKind,
  descriptionOf,
  isObject,
  itemSchemaOf,
  listOutgoing,
  mapSchemas,
  methodsOf,
  multipartParts,
  operationAt,
  referenceOf,
  resolve,
  valueAt,
  visitDocument,
  withOperation,
  type Document,
  type FileRule,
  type DocumentOutgoing,
  type PathItem,
} from '@specwright/contract/document';
import { moveAdditionalMethods } from './additional-methods.ts';
import { hoistReferences } from './hoist-references.ts';
import { describesObjects } from './own-keywords.ts';
import { simplifySchema } from './simplify-schema.ts';

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
  const hoisted = hoistReferences(moveAdditionalMethods(copy));
  return mapSchemas(hoisted, false, (given, isWithinObject) => {
    if (!isObject(given)) return [given, () => false];
    const isOfObject = referenceOf(given) === undefined && (isWithinObject || describesObjects(hoisted, given));
    return [simplifySchema(hoisted, given, isWithinObject), (keyword) => isOfObject && ['allOf', 'oneOf', 'anyOf'].includes(keyword)];
  });
}

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

/** The key of an outgoing request in the interface `webhooks`. */
export const outgoingTypeKey = ({ source, key, name }: DocumentOutgoing): string => (source === 'callbacks' ? `callback ${name}` : key);

/** The items of a sequence are not its body: `$items` tells the types of handlers, which openapi-typescript does not know, so. */
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
