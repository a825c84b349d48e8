/** Rules of requests: their bodies are closed, and Idempotency-Key is a header of those that change something. */
import {
  additionalOf,
  branchesOf,
  itemSchemaOf,
  listOperations,
  operationKeys,
  pointerTo,
  propertiesOf,
  subschemasOf,
  type Parameter,
  type RequestBody,
  type Schema,
} from '@specwright/contract/document';
import { editDistance } from '@specwright/server/command';
import type { Keys } from '../collect-nodes.ts';
import { follow, type Rule, type RuleContext } from './rule.ts';

/** Media types whose bodies are validated as values. */
const VALIDATED = /[/+]json\b|^application\/x-www-form-urlencoded/;

/** The schemas of the bodies of all requests. */
function* bodySchemas({ document }: RuleContext): Generator<{ schema: Schema; path: Keys }> {
  for (const { path, method, operation } of listOperations(document)) {
    const body = follow<RequestBody>(document, operation.requestBody, [...operationKeys({ path, method }), 'requestBody']);
    if (body === undefined) continue;
    for (const [type, media] of Object.entries(body.value.content)) {
      const items = itemSchemaOf(type, media);
      if (items !== undefined) yield { schema: items.schema, path: [...body.path, 'content', type, items.keyword] };
      else if (media.schema !== undefined && VALIDATED.test(type))
        yield { schema: media.schema, path: [...body.path, 'content', type, 'schema'] };
    }
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

const SAFE_METHODS = ['get', 'head', 'options', 'trace'];

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
            else if (SAFE_METHODS.includes(method))
              yield { path: [...at, i], message: `a ${method.toUpperCase()} request changes nothing: it needs no Idempotency-Key` };
          }
        }
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
