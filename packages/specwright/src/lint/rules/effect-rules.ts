/** Rules of what is written and has no effect: extensions beside what they do not apply to, and names that nothing can match. */
import {
  type Document,
  type DocumentOperation,
  type Schema,
  bodyKind,
  bodyLimitOf,
  DEFAULT_MAX_BODY_BYTES,
  extensionOf,
  itemsOf,
  listOperations,
  multipartParts,
  operationKeys,
  parametersOf,
  pointerTo,
  type RequestBody,
  resolve,
  schemaShape,
  sequenceKind,
} from '@specwright/contract/document';
import { type Keys, type Node, type Rule, type RuleContext, type RuleProblem, requestBodiesOf, responsesOf } from './rule.ts';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MEDIA_RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))(?:\s*;.*)?$/;

function* formsOf(document: Document): Generator<Node<RequestBody['content'][string]> & { readonly operation: DocumentOperation }> {
  for (const { operation, value: body, path } of requestBodiesOf(document))
    for (const [type, value] of Object.entries(body.content))
      if (bodyKind(type) === 'multipart') yield { operation, value, path: [...path, 'content', type] };
}

/** The schemas of files: those of the properties, and of the items of lists. */
function fileSchemas(document: Document): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  for (const { value } of formsOf(document)) {
    const { files } = multipartParts(document, value);
    for (const [name, schemas] of schemaShape(document, [value.schema ?? {}]).properties)
      for (const schema of files.has(name) ? schemas : []) {
        const given = resolve<Schema>(document, schema);
        for (const one of [schema, given, resolve<Schema>(document, itemsOf(given) ?? given)]) found.add(one);
      }
  }
  return found;
}

function* unusedExtensions({ document, schemas, mediaTypes }: RuleContext): Generator<RuleProblem> {
  const files = fileSchemas(document);
  for (const { value, path } of schemas)
    if (extensionOf(value, 'x-max-bytes') !== undefined && !files.has(value))
      yield { path: [...path, 'x-max-bytes'], message: 'x-max-bytes has no effect: this is no file of a multipart body' };
  for (const operation of listOperations(document))
    if (Object.hasOwn(operation.operation, 'x-max-bytes'))
      yield {
        path: [...operationKeys(operation), 'x-max-bytes'],
        message: 'x-max-bytes has no effect: it belongs to the schema of a file',
      };
  for (const { value, path } of mediaTypes)
    for (const keyword of ['x-item-schema', 'itemSchema'] as const)
      if (value[keyword] !== undefined && sequenceKind(String(path.at(-1))) === undefined)
        yield { path: [...path, keyword], message: `${keyword} has no effect: ${String(path.at(-1))} is no sequence of items` };
}

function* unusedParts({ document }: RuleContext): Generator<RuleProblem> {
  for (const { value, path, operation } of formsOf(document)) {
    const encodings = Object.entries((value.encoding ?? {}) as Record<string, { contentType?: string; headers?: object }>);
    for (const [name, { contentType, headers }] of encodings) {
      const at: Keys = [...path, 'encoding', name];
      const wrong = contentType?.split(',').find((type) => !MEDIA_RANGE.test(type.trim()));
      if (wrong !== undefined)
        yield { path: [...at, 'contentType'], message: `${wrong.trim()} is no media type and no range of them: no file matches it` };
      if (headers !== undefined)
        yield { path: [...at, 'headers'], message: `the headers of ${name} have no effect: those of a part are not read` };
    }
    const limit = bodyLimitOf(document, operation.operation) ?? DEFAULT_MAX_BODY_BYTES;
    if (operation.operation['x-body-limit'] === undefined) continue;
    for (const [name, { maxBytes }] of multipartParts(document, value).files)
      if (Number.isFinite(maxBytes) && maxBytes > limit)
        yield {
          path: [...operationKeys(operation), 'x-body-limit'],
          message: `x-body-limit ${limit} is below the ${maxBytes} bytes that the file ${name} may have`,
        };
  }
}

function* unmetSuccessors({ document }: RuleContext): Generator<RuleProblem> {
  const operations = new Map(listOperations(document).map((operation) => [operation.id, operation]));
  for (const operation of operations.values()) {
    const next = operations.get(String(operation.operation['x-deprecated-successor']));
    const path: Keys = [...operationKeys(operation), 'x-deprecated-successor'];
    if (next === operation) yield { path, message: 'the operation is its own successor' };
    else if (next?.operation.deprecated === true) yield { path, message: `the successor ${next.id} is deprecated too` };
  }
}

function* unmetHeaders({ document }: RuleContext): Generator<RuleProblem> {
  const isNone = (name: string) => `${name} is no name of a header (RFC 9110, section 5.1)`;
  for (const operation of listOperations(document))
    for (const { name, in: location } of parametersOf(document, operation))
      if (location === 'header' && !TOKEN.test(name))
        yield { path: operationKeys(operation), message: `the header parameter ${isNone(name)}` };
  for (const { value, path } of responsesOf(document))
    for (const name of Object.keys(value.headers ?? {}))
      if (!TOKEN.test(name)) yield { path: [...path, 'headers', name], message: `the header ${isNone(name)}` };
}

/** One problem at a place, however many operations have it. */
function* once(problems: Iterable<RuleProblem>): Generator<RuleProblem> {
  const seen = new Set<string>();
  for (const problem of problems) {
    const key = `${pointerTo(...problem.path)} ${problem.message}`;
    if (!seen.has(key)) yield problem;
    seen.add(key);
  }
}

export const EFFECT_RULES: readonly Rule[] = [
  {
    name: 'without-effect',
    reason: 'It changes nothing, though readers take it for a part of the contract; or it refuses what the contract allows.',
    fix: 'Correct it, put it where it is read, or remove it.',
    *check(context) {
      yield* once([...unusedExtensions(context), ...unusedParts(context), ...unmetSuccessors(context), ...unmetHeaders(context)]);
    },
  },
];
