/** Finds constructs of OpenAPI 3.1 and 3.2, and of its servers, that are read and not served as written. */
import { METHODS } from 'node:http';
import {
  isObject,
  listOperations,
  operationKeys,
  sentMethod,
  type Document,
  type MediaType,
  type PathItem,
  type Server,
} from './document/openapi.ts';
import { formProblems } from './codec/form-problems.ts';
import { bodyKind } from './http/media-types.ts';
import { listOutgoing, unsentReason } from './outgoing/list-outgoing.ts';
import { unsupportedExpressions } from './outgoing/callback-expressions.ts';
import { sequenceKind } from './schema/item-schema.ts';
import { visitDocument, type DocumentPath } from './document/visit-schemas.ts';
import type { Feature } from './unsupported-feature.ts';

/** @returns the features that are no operation's own: those of the document and of its components, wherever they are. */
export function* constructFeatures(document: Document): Generator<Feature> {
  yield* outgoingFeatures(document);
  yield* serverFeatures(document, []);
  for (const [path, item] of Object.entries(document.paths)) yield* serverFeatures(item, ['paths', path]);
  for (const { path, method, operation } of listOperations(document)) yield* serverFeatures(operation, operationKeys({ path, method }));
  yield* visited(document);
}

/** Webhooks and callbacks that cannot be sent, or whose URL no request tells. */
function* outgoingFeatures(document: Document): Generator<Feature> {
  for (const outgoing of listOutgoing(document)) {
    const { name, path, callback, operation } = outgoing;
    for (const inner of Object.keys(isObject(operation.callbacks) ? operation.callbacks : {}))
      yield {
        path: [...path, 'callbacks', inner],
        feature: `the callback ${inner} of ${name}`,
        behavior: 'what its receiver sends is not served: declare a path for it',
        construct: 'callbacks of what is sent: what its receivers send is not served: declare paths for it',
      };
    const kind = callback === undefined ? 'webhook' : 'callback';
    const reason = unsentReason(document, outgoing);
    if (reason !== undefined)
      yield {
        path,
        feature: `the ${kind} ${name}`,
        behavior: `it has no function: ${reason}`,
        construct: `${kind}s without a function: ${reason}`,
      };
    for (const expression of unsupportedExpressions(callback?.expression ?? ''))
      yield {
        path,
        feature: `the expression ${expression} of the callback ${name}`,
        behavior: 'it has no URL: use $request.body#/..., .query., .header. or .path., or give the URL to its function',
        construct: 'callbacks whose URL is not of the request: give it to their functions',
      };
  }
}

/** A method that Node's parser does not know is answered 400 before anything else (RFC 9110, section 9.1, leaves methods open). */
export function methodFeature(method: string): Omit<Feature, 'path'> | undefined {
  const sent = sentMethod(method);
  if (METHODS.includes(sent)) return undefined;
  return {
    feature: 'an additional operation',
    behavior: `never reached: Node does not read the method ${sent}`,
    construct: 'additional operations: never reached, Node does not read their methods',
    isUnreached: true,
    fix: 'take a method that is registered at IANA, such as POST',
  };
}

function* serverFeatures({ servers }: { servers?: Server[] } | PathItem, path: DocumentPath): Generator<Feature> {
  for (const [i, server] of (Array.isArray(servers) ? servers : []).entries()) {
    if (!isObject(server.variables) || Object.keys(server.variables).length === 0) continue;
    yield { path: [...path, 'servers', i, 'variables'], feature: 'server variables', behavior: 'the defaults are used' };
  }
}

function visited(document: Document): Feature[] {
  const features: Feature[] = [];
  const examples = (value: object, path: DocumentPath) => {
    const { examples: named } = value as { examples?: unknown };
    for (const [name, example] of Object.entries(isObject(named) ? named : {})) {
      if (!isObject(example) || !('dataValue' in example || 'serializedValue' in example)) continue;
      features.push({
        path: [...path, 'examples', name],
        feature: 'an example with dataValue or serializedValue',
        behavior: 'it is documentation only',
      });
    }
  };
  visitDocument(document, {
    mediaType: (media, path) => {
      const sequence = sequenceKind(String(path.at(-1)));
      // Events are sent by servers alone.
      const isServed = sequence !== undefined && (path.includes('responses') || sequence !== 'events');
      if (media.itemSchema !== undefined && !isServed)
        features.push({ path: [...path, 'itemSchema'], feature: 'itemSchema', behavior: 'the items of a sequence are not validated' });
      for (const key of ['itemEncoding', 'prefixEncoding'] as const) {
        if (key in media)
          features.push({ path: [...path, key], feature: key, behavior: 'the parts of a multipart body are passed on as they are' });
      }
      for (const [name, encoding] of Object.entries(media.encoding ?? {})) {
        if (!isObject(encoding) || !['encoding', 'itemEncoding', 'prefixEncoding'].some((key) => key in encoding)) continue;
        features.push({
          path: [...path, 'encoding', name],
          feature: 'an encoding within an encoding',
          behavior: 'the part is passed on as it is',
        });
      }
      if (bodyKind(String(path.at(-1))) === 'form' && !path.includes('responses')) features.push(...formFeatures(document, media, path));
      examples(media, path);
    },
    parameter: (parameter, path) => {
      examples(parameter, path);
    },
    header: examples,
  });
  return features;
}

/** Properties of a form whose encoding has no text for them. */
function formFeatures(document: Document, media: MediaType, path: DocumentPath): Feature[] {
  const behavior = 'such a value is refused, or taken for another field';
  const construct = `a property of a form that its encoding has no text for: ${behavior}`;
  return [...formProblems(document, media)]
    .filter(({ isUnwritable }) => isUnwritable)
    .map(({ name, message }) => ({ path: [...path, 'encoding', name], feature: message, behavior, construct }));
}
