/** Rules of what cannot be sent, or is ignored where it is declared. */
import {
  type Document,
  type Parameter,
  type RequestBody,
  type Schema,
  additionalOf,
  branchesOf,
  declaredDefault,
  isReadOnly,
  isSafe,
  isWriteOnly,
  itemSchemaOf,
  listOperations,
  operationKeys,
  pointerKeys,
  pointerTo,
  propertiesOf,
  requiredOf,
  resolve,
  sentMethod,
  subschemasOf,
} from '@specwright/contract/document';
import { editDistance } from '@specwright/server/command';
import { type Keys, type Rule, type RuleContext, follow, ofSchemas, requestBodiesOf, responsesOf } from './rule.ts';

/** OpenAPI 3.0.3, section 4.7.12.1. */
const IGNORED_PARAMETERS: Readonly<Record<string, string>> = {
  authorization: 'declare a security scheme',
  accept: 'declare the media types of the responses',
  'content-type': 'declare the media types of the request body',
};

export const MESSAGE_RULES: readonly Rule[] = [
  {
    name: 'ignored-header',
    reason: 'OpenAPI 3.0.3 (sections 4.7.12.1 and 4.7.17) ignores a header of this name: no handler receives it, nothing validates it.',
    fix: 'Remove the header; use a security scheme for Authorization, `content` for Accept and Content-Type.',
    *check({ document, parameters }) {
      for (const { value, path } of parameters) {
        const instead = value.in === 'header' ? IGNORED_PARAMETERS[value.name.toLowerCase()] : undefined;
        if (instead !== undefined) yield { path: [...path, 'name'], message: `the header parameter ${value.name} is ignored: ${instead}` };
      }
      for (const { value, path } of responsesOf(document)) {
        for (const name of Object.keys(value.headers ?? {})) {
          if (name.toLowerCase() === 'content-type')
            yield {
              path: [...path, 'headers', name],
              message: `the response header ${name} is ignored: declare the media types of the body`,
            };
        }
      }
    },
  },
  {
    name: 'status-without-body',
    reason: 'HTTP has no body in this response (RFC 9110, section 15): the contract promises what no server can send.',
    fix: 'Remove content, or declare another status, such as 200.',
    *check({ document }) {
      for (const { value, path, status } of responsesOf(document)) {
        if (/^(1..|204|205|304)$/.test(status) && Object.keys(value.content ?? {}).length > 0)
          yield { path: [...path, 'content'], message: `a response with status ${status} has no body` };
      }
    },
  },
  {
    name: 'read-or-write-only',
    reason: 'Requests must not have what is readOnly, responses not what is writeOnly: the property is in neither.',
    fix: 'Keep one of the two, or remove both.',
    check: ofSchemas(function* (value, path) {
      if (isReadOnly(value) && isWriteOnly(value)) yield { path: [...path, 'writeOnly'], message: 'both readOnly and writeOnly' };
    }),
  },
  {
    name: 'required-read-only',
    reason: 'The server refuses a readOnly property in requests, whether it is required or not (OpenAPI 3.0.3, section 4.7.24.2).',
    fix: 'Remove the property from the schema; or remove readOnly, if clients send it.',
    *check({ document, schemas, viewOf }) {
      // In a schema of responses too, `required` is about those.
      const { sent, received } = directions(document);
      for (const { value, path } of schemas) {
        const pointer = pointerTo(...path);
        if (requiredOf(value).length === 0 || !sent.has(pointer) || received.has(pointer)) continue;
        const { properties } = viewOf(value);
        for (const [i, name] of requiredOf(value).entries()) {
          if (properties.get(name)?.every((declared) => isReadOnly(follow<Schema>(document, declared.value)?.value ?? {})))
            yield { path: [...path, 'required', i], message: `${name} is required and readOnly, in a schema that only requests have` };
        }
      }
    },
  },
  {
    name: 'required-default',
    reason: 'The default says that it may be absent: the server fills it in and never refuses its absence, though it is required.',
    fix: 'Remove it from required, or remove the default.',
    *check({ document, schemas, parameters }) {
      for (const { value, path } of parameters) {
        const schema = follow<Schema>(document, value.schema)?.value ?? {};
        if (value.required === true && declaredDefault(schema) !== undefined)
          yield { path: [...path, 'required'], message: `the parameter ${value.name} is required and has a default` };
      }
      for (const { value, path } of schemas) {
        for (const [i, name] of requiredOf(value).entries()) {
          const property = follow<Schema>(document, propertiesOf(value)[name])?.value ?? {};
          if (declaredDefault(property) !== undefined)
            yield { path: [...path, 'required', i], message: `${name} is required and has a default` };
        }
      }
    },
  },
];

/** Media types whose bodies are validated as values. */
const VALIDATED = /[/+]json\b|^application\/x-www-form-urlencoded/;

function* bodySchemas({ document }: RuleContext): Generator<{ schema: Schema; path: Keys }> {
  for (const body of requestBodiesOf(document))
    for (const [type, media] of Object.entries(body.value.content)) {
      const items = itemSchemaOf(type, media);
      if (items !== undefined) yield { schema: items.schema, path: [...body.path, 'content', type, items.keyword] };
      else if (media.schema !== undefined && VALIDATED.test(type))
        yield { schema: media.schema, path: [...body.path, 'content', type, 'schema'] };
    }
}

/** Keywords whose schemas describe a value or a part of it, and not what it must not be, or a condition. */
const VALUE_KEYWORDS = [
  'items',
  'prefixItems',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'oneOf',
  'anyOf',
];

/** How many letters of a name may differ: `idempotency_keys`. */
const MAX_DISTANCE = 2;

export const REQUEST_RULES: readonly Rule[] = [
  {
    name: 'idempotency-key',
    reason: 'Idempotency-Key is a header with which a request that changes something can be repeated: here it has no such effect.',
    fix: 'Declare Idempotency-Key with in: header, for operations such as POST and PATCH.',
    *check({ document }) {
      for (const { path, method, item, operation } of listOperations(document)) {
        const lists = [
          { list: item.parameters, at: ['paths', path, 'parameters'] },
          { list: operation.parameters, at: [...operationKeys({ path, method }), 'parameters'] },
        ];
        for (const { list = [], at } of lists) {
          for (const [i, reference] of list.entries()) {
            const found = follow<Parameter>(document, reference, [...at, i]);
            const distance = found === undefined ? Infinity : editDistance(found.value.name.toLowerCase(), 'idempotency-key');
            if (found === undefined || distance > MAX_DISTANCE) continue;
            if (distance > 0) yield { path: [...found.path, 'name'], message: `${found.value.name}: did you mean Idempotency-Key?` };
            else if (found.value.in !== 'header')
              yield { path: [...found.path, 'in'], message: `Idempotency-Key is read from a header, not from the ${found.value.in}` };
            else if (isSafe(method))
              yield { path: [...at, i], message: `a ${sentMethod(method)} request changes nothing: it needs no Idempotency-Key` };
          }
        }
      }
    },
  },
  {
    name: 'query-content',
    reason: 'A QUERY is its content: servers have to refuse one without Content-Type (RFC 10008, section 2).',
    fix: 'Declare a requestBody with required: true, or use GET.',
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        if (method !== 'query') continue;
        const body = operation.requestBody && resolve<RequestBody>(document, operation.requestBody);
        if (body?.required !== true)
          yield { path: operationKeys({ path, method }), message: body === undefined ? 'has no content' : 'its content is not required' };
      }
    },
  },
  {
    name: 'closed-request',
    reason: 'Without additionalProperties a request may have any other property: a misspelled optional one is ignored without a word.',
    fix: 'Set additionalProperties: false; or true, if other properties are meant to be accepted.',
    *check(context) {
      const seen = new Set<string>();
      const open: { path: Keys }[] = [];
      const visit = (schema: Schema | undefined, path: Keys): void => {
        const found = follow<Schema>(context.document, schema, path);
        if (found === undefined || seen.has(pointerTo(...found.path))) return;
        seen.add(pointerTo(...found.path));
        const { value } = found;
        // The parts of an allOf cannot be closed: each would refuse the properties of the others (rule `closed-all-of`).
        if (branchesOf(value).allOf.length > 0) return;
        if (Object.keys(propertiesOf(value)).length > 0 && additionalOf(value) === undefined) open.push(found);
        for (const [keys, part] of subschemasOf(value)) if (VALUE_KEYWORDS.includes(String(keys[0]))) visit(part, [...found.path, ...keys]);
      };
      for (const { schema, path } of bodySchemas(context)) visit(schema, path);
      for (const { path } of open) yield { path, message: 'an object of a request without additionalProperties' };
    },
  },
];

/** The pointers of all parts of requests, and of responses, with every `$ref` resolved. */
function directions(document: Document): { readonly sent: ReadonlySet<string>; readonly received: ReadonlySet<string> } {
  const sent = new Set<string>();
  const received = new Set<string>();
  for (const { path, method, item, operation } of listOperations(document)) {
    const at = (keyword: string) => pointerTo(...operationKeys({ path, method }), keyword);
    visit(document, item.parameters, pointerTo('paths', path, 'parameters'), sent);
    for (const keyword of ['parameters', 'requestBody'] as const) visit(document, operation[keyword], at(keyword), sent);
    visit(document, operation.responses, at('responses'), received);
  }
  return { sent, received };
}

function visit(document: Document, value: unknown, pointer: string, seen: Set<string>): void {
  if (typeof value !== 'object' || value === null || seen.has(pointer)) return;
  seen.add(pointer);
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string') {
    const target = pointerKeys($ref).reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], document);
    visit(document, target, pointerTo(...pointerKeys($ref)), seen);
    return;
  }
  for (const [key, child] of Object.entries(value)) visit(document, child, pointer + pointerTo(key).slice(1), seen);
}
