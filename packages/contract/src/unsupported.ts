/** Lists what of a contract is not served as written, and what happens instead. It blocks nothing. */
import { ALL_MODULES } from './all-modules.ts';
import type { SourceDocument } from './reading/source-document.ts';
import { bodyLimitOf, DEFAULT_MAX_BODY_BYTES } from './extensions/body-limit.ts';
import { defaultOf, schemasWithDefaults } from './schema/default-value.ts';
import { otherStatuses } from './responses/error-values.ts';
import { createErrorBodies, type ErrorBodyOf } from './responses/error-body.ts';
import { sequenceKind } from './schema/item-schema.ts';
import { sentSequence } from './requests/item-bodies.ts';
import { isValidatedText } from './requests/declared-bodies.ts';
import { securityRequirementsOf } from './requests/security-requirements.ts';
import { bodyKind } from './http/media-types.ts';
import {
  listOperations,
  operationKeys,
  resolve,
  type Document,
  type DocumentOperation,
  type MediaType,
  type OperationObject,
  type RequestBody,
  type Response,
  type Schema,
} from './document/openapi.ts';
import { declaredDefault, declaredPattern, formatOf, limitsOf, patternOf, typeOf, typesOf, valuesOf } from './schema/model.ts';
import { compilePattern } from './patterns/pattern.ts';
import { partsWithFiles } from './extensions/multipart-bodies.ts';
import { constructFeatures } from './unsupported-constructs.ts';
import type { Feature, UnsupportedFeature } from './unsupported-feature.ts';
import { operationIdFeatures, pathFeatures, routesOf } from './unsupported-operations.ts';
import { DEFINITIONS, schemasBelow, subschemasOf } from './document/subschemas.ts';
import { formatContradiction } from './proofs/contradiction.ts';
import { listUnsatisfiableResponses } from './unsatisfiable-responses.ts';
import { visitSchemas } from './document/visit-schemas.ts';
import { remember } from './remember.ts';

/** The unsupported features of a document that has passed `checkDocument`, in the order of its lines. */
export function listUnsupported(source: SourceDocument): UnsupportedFeature[] {
  const { document } = source;
  const features: UnsupportedFeature[] = [];
  const add = (
    operationId: string | undefined,
    { path, feature, behavior, construct, isUnreached = false, isReported = false, fix }: Feature,
  ): void =>
    void features.push({
      ...source.locate(path),
      operationId,
      feature,
      behavior,
      construct: construct ?? `${feature}: ${behavior}`,
      isUnreached,
      ...(isReported && { isReported }),
      fix,
    });
  for (const feature of constructFeatures(document)) add(undefined, feature);
  const idsByRoute = routesOf(listOperations(document));
  const errorBodyOf = createErrorBodies(document, ALL_MODULES);
  for (const operation of listOperations(document)) {
    for (const feature of [
      ...operationIdFeatures(source, operation),
      ...pathFeatures(operation, idsByRoute),
      ...securityFeatures(document, operation),
      ...requestFeatures(source, operation),
      ...responseFeatures(source, operation),
      ...otherStatusFeatures(errorBodyOf, operation),
    ])
      add(operation.id, { ...feature, path: [...operationKeys(operation), ...feature.path] });
  }
  for (const [operationId, feature] of [...unsatisfiableFeatures(source), ...errorBodyFeatures(document, errorBodyOf)])
    add(operationId, feature);
  const inRequests = schemasWithDefaults(document);
  visitSchemas(document, (schema, path) => {
    const [pattern, value] = [declaredPattern(schema), declaredDefault(schema)];
    if (value !== undefined && inRequests.has(schema) && defaultOf(document, schema) === undefined)
      add(undefined, {
        path: [...path, 'default'],
        feature: `the default ${JSON.stringify(value)} is not valid for its schema`,
        behavior: 'it is not filled in',
        construct: 'a default that is not valid for its schema: it is not filled in',
        isReported: true,
        fix: 'give a default that its own schema accepts',
      });
    if (pattern !== undefined && (typeof pattern !== 'string' || compilePattern(pattern) === undefined))
      add(undefined, {
        path: [...path, 'pattern'],
        feature: `the pattern ${typeof pattern === 'string' ? pattern : JSON.stringify(pattern)} is not an ECMAScript regular expression`,
        behavior: 'values are not validated against it',
        construct: 'a pattern that is not an ECMAScript regular expression: values are not validated against it',
        isReported: true,
        fix: 'write it in the syntax of ECMA-262, without flags',
      });
  });
  return features.sort((a, b) => (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line || a.column - b.column);
}

/** Client certificates (OpenAPI 3.1) end where TLS does, which is before this server as a rule. */
function* securityFeatures(document: Document, operation: DocumentOperation): Generator<Feature> {
  const alternatives = securityRequirementsOf(document, operation);
  const unread = alternatives.map((schemes) => schemes.find(({ definition }) => definition.type === 'mutualTLS'));
  const [first] = unread;
  if (first === undefined || unread.includes(undefined)) return;
  yield {
    path: [],
    feature: `the security scheme ${first.name} of type mutualTLS`,
    behavior: 'never reached: client certificates are not read',
    isUnreached: true,
    fix: 'have a proxy check certificates and send what it found in a header, with a scheme of type apiKey beside it',
  };
}

function* requestFeatures({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Feature> {
  if (operation.requestBody === undefined) return;
  yield* bodyLimitFeatures(document, operation);
  for (const [type, media] of Object.entries(resolve<RequestBody>(document, operation.requestBody).content)) {
    if (media['x-stream'] === true || sentSequence(type, media) !== undefined || isOpaque(document, type, media)) continue;
    if (isValidatedText(document, type, media)) continue;
    for (const name of bodyKind(type) === 'multipart' ? partsWithFiles(document, media) : [])
      yield {
        path: ['requestBody'],
        feature: `a file within the part ${name}`,
        behavior: 'the part is a value, and what is within it a text',
        construct: 'files within parts of multipart: the parts are values, and what is within them texts',
        fix: 'make the file a property of the body, or an item of one',
      };
    const value = { text: 'a string', bytes: 'a Buffer', json: undefined, form: undefined, multipart: undefined }[bodyKind(type)];
    if (value !== undefined)
      yield {
        path: ['requestBody'],
        feature: `a request body of ${type}`,
        behavior: `the handler gets ${value}, without validation`,
        fix: 'declare application/json beside it, or parse and check it in the handler',
      };
  }
}

/** A contract that allows more than is read. Lists and texts without bounds, which nearly all contracts have, say nothing. */
function* bodyLimitFeatures(document: Document, operation: OperationObject): Generator<Feature> {
  if (bodyLimitOf(document, operation) !== undefined) return;
  const { content } = resolve<RequestBody>(document, operation.requestBody ?? { content: {} });
  const allowed = Math.max(
    ...Object.entries(content).map(([type, media]) => (sentSequence(type, media) ? 0 : largestText(document, type, media.schema))),
  );
  if (allowed <= DEFAULT_MAX_BODY_BYTES) return;
  const size = allowed === Infinity ? 'files of any size' : `a text of ${allowed} characters`;
  const behavior = `more than ${DEFAULT_MAX_BODY_BYTES} bytes are answered 413: set x-body-limit here, or MAX_BODY_BYTES in the environment`;
  yield {
    path: ['requestBody'],
    feature: `a request body that may have ${size}`,
    behavior,
    construct: `a request body that may be larger than what is read: ${behavior}`,
  };
}

/** Keywords whose schemas are not those of parts of the value. */
const CONDITIONS: readonly string[] = ['not', 'if', 'propertyNames', ...DEFINITIONS];

/** The longest text that a schema declares, in characters; Infinity for files. */
function largestText(document: Document, type: string, root: Schema | undefined): number {
  if (bodyKind(type) === 'bytes' && !/xml\s*(;|$)|^multipart\//i.test(type)) return Infinity;
  if (root === undefined || !hasLargeText(document)) return 0;
  const ofValue = schemasBelow(document, [root], (keyword, within) => !isText(within) && !CONDITIONS.includes(keyword));
  return Math.max(0, ...[...ofValue].filter(isText).map(lengthOf));
}

const isText = (schema: Schema): boolean => typeOf(schema) === 'string';
const lengthOf = (text: Schema): number => limitsOf(text).maxLength ?? (formatOf(text) === 'binary' ? Infinity : 0);

/** Whether any schema is a text that the default limit may not hold: most documents have none, and need no search for each body. */
const hasLargeText = remember((document: Document): boolean => {
  let found = false;
  visitSchemas(document, (schema) => {
    found ||= isText(schema) && lengthOf(schema) > DEFAULT_MAX_BODY_BYTES;
  });
  return found;
}, new WeakMap<Document, boolean>());

function* responseFeatures({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Feature> {
  for (const [status, reference] of Object.entries(operation.responses)) {
    for (const [type, media] of Object.entries(resolve<Response>(document, reference).content ?? {})) {
      if (bodyKind(type) !== 'json' && !isOpaque(document, type, media)) {
        yield {
          path: ['responses', status],
          feature: `a response of ${type}`,
          behavior: 'the handler gives a string or a Buffer, which is sent without validation',
          fix:
            sequenceKind(type) === undefined
              ? 'declare application/json beside it, or test what the handler writes'
              : `declare what each item is in ${/^3\.[01]/.test(document.openapi) ? 'x-item-schema' : 'itemSchema'}, in the place of schema: it is then sent and validated item by item`,
        };
      }
    }
    if (/^1/.test(status))
      yield { path: ['responses', status], feature: `the status ${status}`, behavior: 'it is not sent: only a final status is' };
  }
}

/** An error whose body says a status, where the contract has no number for it. */
function* otherStatusFeatures(errorBodyOf: ErrorBodyOf, { operation }: DocumentOperation): Generator<Feature> {
  for (const name of Object.keys(operation.responses).filter((key) => /^[45]\d\d$/.test(key))) {
    const status = Number(name);
    const [other] = otherStatuses(errorBodyOf(operation, status).make({ code: '', message: '', status }), status);
    if (other === undefined) continue;
    const behavior = 'the nearest that its schema allows is sent';
    yield {
      path: ['responses', name],
      feature: `${other} in the body of ${name}`,
      behavior,
      construct: `another status in the body of an error than its own: ${behavior}`,
    };
  }
}

const unsatisfiableFeatures = ({ document, locate }: SourceDocument): [operationId: string, feature: Feature][] =>
  listUnsatisfiableResponses(document).map(({ operationId, status, path, proof }) => {
    const cause = formatContradiction(proof, locate);
    const behavior = 'sent as 500';
    const construct = `no value satisfies a response: ${cause}: ${behavior}`;
    const fix = 'change one of the keywords; in parts of an allOf, leave additionalProperties: false out';
    return [
      operationId,
      { path, feature: `no value satisfies the response ${status}: ${cause}`, behavior, construct, isReported: true, fix },
    ];
  });

/** Operations that are alike are listed once: most contracts use the same errors everywhere. */
function errorBodyFeatures(document: Document, errorBodyOf: ErrorBodyOf): [operationId: string, feature: Feature][] {
  const byStatuses = new Map<string, DocumentOperation[]>();
  for (const documentOperation of listOperations(document)) {
    const { operation } = documentOperation;
    const statuses = Object.keys(operation.responses).filter(
      (status) => /^[45]/.test(status) && !errorBodyOf(operation, Number(status.replace('XX', '99'))).hasMessage,
    );
    const key = statuses.join(', ');
    if (key !== '') byStatuses.set(key, [...(byStatuses.get(key) ?? []), documentOperation]);
  }
  return [...byStatuses].flatMap(([statuses, [first, ...others]]): [string, Feature][] => {
    if (first === undefined) return [];
    const more = others.length > 0 ? ` (and in ${others.length} other operation${others.length > 1 ? 's' : ''})` : '';
    const feature = `no place for the reason in the body of ${statuses}${more}`;
    const behavior = 'the reason is sent in code, message and status';
    const construct = `no place for the reason in the body of an error: ${behavior}`;
    return [[first.id, { path: [...operationKeys(first), 'responses'], feature, behavior, construct }]];
  });
}

/** Whether the contract says nothing of a body but that it is text or bytes, so that there is nothing to validate. */
function isOpaque(document: Document, type: string, { schema }: MediaType): boolean {
  if (/xml\s*(;|$)|^multipart\/|^application\/x-www-form-urlencoded/i.test(type) || bodyKind(type) === 'json') return false;
  if (schema === undefined) return true;
  const declared = resolve<Schema>(document, schema);
  const { minLength, maxLength } = limitsOf(declared);
  const isRestricted = [valuesOf(declared), patternOf(declared), minLength, maxLength].some((limit) => limit !== undefined);
  return typesOf(declared).every((kind) => kind === 'string') && !isRestricted && subschemasOf(declared).length === 0;
}
