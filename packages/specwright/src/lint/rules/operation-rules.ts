/** Rules of operations: operationId, request body, error responses. */
import {
  type Document,
  type DocumentOperation,
  type Link,
  type MediaType,
  type RequestBody,
  type UnsatisfiableResponse,
  callbackExpressions,
  decodePercent,
  formProblems,
  hasNullable,
  listOperations,
  listOutgoing,
  listUnsatisfiableResponses,
  operationKeys,
  parametersOf,
  pointerTo,
  refusalKey,
  resolve,
  schemaShape,
  toolExtensionOf,
  typesOf,
  unsupportedExpressions,
} from '@specwright/contract/document';
import { formatContradiction } from '@specwright/contract/proofs';
import { didYouMean, plural } from '@specwright/server/command';
import { type Node, type Rule, type RuleContext, requestBodiesOf, responsesOf } from './rule.ts';

const METHODS_WITHOUT_BODY = ['get', 'head', 'delete'];

export const OPERATION_RULES: readonly Rule[] = [
  {
    name: 'no-request-body',
    reason: 'The content of such a request has no defined meaning (RFC 9110, section 9.3): clients do not send it, proxies drop it.',
    fix: 'Remove requestBody: use parameters, or another method.',
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        if (METHODS_WITHOUT_BODY.includes(method) && operation.requestBody !== undefined)
          yield { path: [...operationKeys({ path, method }), 'requestBody'], message: `a ${method.toUpperCase()} request has no body` };
      }
    },
  },
  {
    name: 'operation-id-identifier',
    reason: 'The operationId names the handler, its types and its stub.',
    fix: 'Begin with a letter and use letters, digits and _ only, as in listUsers.',
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        const { operationId } = operation;
        if (operationId === undefined || /^[A-Za-z_$][\w$]*$/.test(operationId)) continue;
        yield {
          path: [...operationKeys({ path, method }), 'operationId'],
          message: `operationId ${operationId} is not a JavaScript identifier`,
        };
      }
    },
  },
  {
    name: 'tool-description',
    reason: 'A model chooses a tool, and its arguments, by its description.',
    fix: 'Set x-mcp/description: what it does, when to use it, and where its arguments come from.',
    *check({ document }) {
      for (const operation of listOperations(document)) {
        const tool = toolExtensionOf(operation);
        if (tool !== undefined && !tool.description)
          yield { path: [...operationKeys(operation), 'x-mcp'], message: `the tool ${tool.name} has no description` };
      }
    },
  },
  {
    name: 'error-body',
    reason: 'Every step of the pipeline that refuses a request answers with this body: another schema is never met.',
    fix: "Declare application/json with schema: { $ref: '#/components/schemas/Error' }.",
    *check({ document }) {
      // Without that schema each body is made from the one that the response declares.
      const hasSchema = document.components?.schemas?.['Error'] !== undefined;
      for (const { status, operation, ...response } of hasSchema ? responsesOf(document) : []) {
        if (!/^([45]|default$)/.test(status)) continue;
        const types = Object.entries(response.value.content ?? {});
        const wrong = types.find(([, { schema }]: [string, MediaType]) => schema?.$ref !== pointerTo('components', 'schemas', 'Error'));
        if (types.length > 0 && wrong === undefined) continue;
        const what = wrong === undefined ? 'has no body' : `has another body than Error as ${wrong[0]}`;
        const at = wrong === undefined ? response.path : [...response.path, 'content', wrong[0]];
        yield { path: at, message: `response ${status} of ${operation.method.toUpperCase()} ${operation.path} ${what}` };
      }
    },
  },
  {
    name: 'refusal-declared',
    reason: 'A request that is not valid is refused, whatever is declared: clients meet a status that they do not know.',
    fix: 'Declare 400, 422, 4XX or default; 429 where there are limits.',
    *check({ document }) {
      const statuses = document['x-rate-limit-plans'] === undefined ? [400] : [400, 429];
      for (const { path, method, operation } of listOperations(document)) {
        const missing = statuses.filter((status) => refusalKey(Object.keys(operation.responses), status) === undefined);
        if (missing.length === 0) continue;
        const message = `${method.toUpperCase()} ${path} does not declare ${missing.join(' and ')}, which it is refused with`;
        yield { path: [...operationKeys({ path, method }), 'responses'], message };
      }
    },
  },
  {
    name: 'satisfiable-response',
    reason: 'The server validates what a handler answers: each such response is sent as 500.',
    fix: 'Change one of the keywords; in parts of an allOf, leave additionalProperties: false out.',
    *check({ document, locate }) {
      // Operations share schemas: a cause is reported once.
      const byCause = new Map<string, [UnsatisfiableResponse, ...UnsatisfiableResponse[]]>();
      for (const response of listUnsatisfiableResponses(document)) {
        const cause = pointerTo(...response.path);
        const known = byCause.get(cause);
        if (known === undefined) byCause.set(cause, [response]);
        else known.push(response);
      }
      for (const [{ operationId, status, path, proof }, ...others] of byCause.values()) {
        const more = others.length === 0 ? '' : ` (and ${plural(others.length, 'other response')})`;
        yield {
          path,
          message: `no value satisfies the response ${status} of ${operationId}${more}: ${formatContradiction(proof, locate)}`,
        };
      }
    },
  },
];

/** Where the request has what an expression names, and the names that it has there; `undefined` for its whole body. */
function declaredNames(document: Document, operation: DocumentOperation, source: string): string[] {
  const location = source === 'body' ? undefined : source;
  if (location !== undefined) {
    const names = parametersOf(document, operation).flatMap((parameter) => (parameter.in === location ? [parameter.name] : []));
    return location === 'header' ? names.map((name) => name.toLowerCase()) : names;
  }
  const body = operation.operation.requestBody && resolve<RequestBody>(document, operation.operation.requestBody);
  const schemas = Object.values(body?.content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  return [...schemaShape(document, schemas).properties.keys()];
}

export const CALLBACK_RULES: readonly Rule[] = [
  {
    name: 'callback-url',
    reason: 'The URL of a callback is made of the request: what that does not have, makes none.',
    fix: 'Name what the request has: $request.body#/property, $request.query.name, $request.header.name or $request.path.name.',
    *check({ document }) {
      const operations = new Map(listOperations(document).map((operation) => [operation.id, operation]));
      for (const { callback, path } of listOutgoing(document)) {
        const operation = operations.get(callback?.operationId ?? '');
        if (callback === undefined || operation === undefined) continue;
        const at = path.slice(0, -1);
        for (const expression of unsupportedExpressions(callback.expression))
          yield { path: at, message: `the expression ${expression} is not evaluated` };
        for (const { source, name } of callbackExpressions(callback.expression)) {
          const declared = declaredNames(document, operation, source);
          const wanted = source === 'header' ? name.toLowerCase() : name;
          if (declared.includes(wanted)) continue;
          const what = source === 'body' ? 'property' : `${source} parameter`;
          yield { path: at, message: `the request of ${operation.id} has no ${what} ${name}${didYouMean(wanted, declared)}` };
        }
      }
    },
  },
];

/** Rules of links: their targets exist. */
const REASON = 'Documentation, client generators and fuzzers follow links; a broken one fails silently.';

/** The target of a link; `null` for an operation of another document, which is unknown here. */
function targetOf({ document }: RuleContext, { value: { operationId, operationRef } }: Node<Link>): DocumentOperation | null | undefined {
  const all = listOperations(document);
  if (operationId !== undefined) return all.find(({ operation }) => operation.operationId === operationId);
  if (operationRef === undefined) return undefined;
  if (!operationRef.startsWith('#')) return null;
  // Braces need not be percent-encoded.
  return all.find(({ path, method }) => decodePercent(pointerTo(...operationKeys({ path, method }))) === decodePercent(operationRef));
}

const operationIds = ({ document }: RuleContext) => listOperations(document).map(({ id }) => id);

export const LINK_RULES: readonly Rule[] = [
  {
    name: 'link-operation',
    reason: REASON,
    fix: 'Name the operationId of an operation of this document.',
    *check(context) {
      for (const link of context.links) {
        if (targetOf(context, link) !== undefined) continue;
        const { operationId, operationRef } = link.value;
        if (operationId !== undefined)
          yield {
            path: [...link.path, 'operationId'],
            message: `there is no operation ${operationId}${didYouMean(operationId, operationIds(context))}`,
          };
        else if (operationRef !== undefined)
          yield { path: [...link.path, 'operationRef'], message: `there is no operation at ${operationRef}` };
        else yield { path: link.path, message: 'the link has neither operationId nor operationRef' };
      }
    },
  },
  {
    name: 'link-parameter',
    reason: REASON,
    fix: 'Name a parameter that the operation declares, as `name` or as `path.name`, `query.name`, `header.name`.',
    *check(context) {
      for (const link of context.links) {
        const target = targetOf(context, link);
        if (!target) continue;
        const declared = parametersOf(context.document, target).flatMap((p) => [p.name, `${p.in}.${p.name}`]);
        for (const name of Object.keys(link.value.parameters ?? {})) {
          if (declared.includes(name)) continue;
          const id = target.operation.operationId ?? `${target.method.toUpperCase()} ${target.path}`;
          yield {
            path: [...link.path, 'parameters', name],
            message: `operation ${id} has no parameter ${name}${didYouMean(name, declared)}`,
          };
        }
      }
    },
  },
];

/** Rules of forms: an encoding that no form can be written by. */
export const FORM_RULES: readonly Rule[] = [
  {
    name: 'form-encoding',
    reason: 'The encoding of a form says how a property is written (OpenAPI 3.1.1, section 4.8.15): what has no text cannot be sent.',
    fix: 'Write contentType: application/json without style, or style: deepObject; see docs/how-to/forms.md.',
    *check({ document }) {
      const seen = new Set<string>();
      for (const body of requestBodiesOf(document)) {
        if (seen.has(pointerTo(...body.path))) continue;
        seen.add(pointerTo(...body.path));
        for (const [type, media] of Object.entries(body.value.content)) {
          if (!/^application\/x-www-form-urlencoded/i.test(type)) continue;
          for (const { name, message, fix } of formProblems(document, media))
            yield { path: [...body.path, 'content', type, 'encoding', name], message, fix };
        }
      }
    },
  },
];

/** Rules of what a version of OpenAPI no longer knows. */
export const VERSION_RULES: readonly Rule[] = [
  {
    name: 'no-nullable',
    reason: 'OpenAPI 3.1 has no nullable: it is ignored, null is refused, and the type has no null.',
    fix: "Write type: [T, 'null'] for it; for a $ref, anyOf: [{ $ref }, { type: 'null' }].",
    *check(context) {
      if (/^3\.0\./.test(context.document.openapi)) return;
      const reported = new Set<string>();
      for (const { value, path } of context.schemas) {
        // Several schemas of the document may come from one that is written.
        const pointer = pointerTo(...context.writtenAt(path));
        if (!hasNullable(context, path) || reported.has(pointer)) continue;
        reported.add(pointer);
        const types = typesOf(value).filter((type) => type !== 'null');
        const fix = types.length === 0 ? undefined : `Write type: [${[...types, "'null'"].join(', ')}], and remove nullable.`;
        yield { path: [...path, 'nullable'], message: 'nullable has no meaning in OpenAPI 3.1', ...(fix !== undefined && { fix }) };
      }
    },
  },
];
