/** Rules of request bodies: what is not declared in them is refused. */
import { listOperations, pointerTo, type RequestBody, type Schema } from '@specwright/server';
import type { Keys } from '../collect-nodes.ts';
import { follow, type Rule, type RuleContext } from './rule.ts';

/** Media types whose bodies are validated as values. */
const VALIDATED = /[/+]json\b|^application\/x-www-form-urlencoded/;

/** The schemas of the bodies of all requests. */
function* bodySchemas({ document }: RuleContext): Generator<{ schema: Schema; path: Keys }> {
  for (const { path, method, operation } of listOperations(document)) {
    const body = follow<RequestBody>(document, operation.requestBody, ['paths', path, method, 'requestBody']);
    if (body === undefined) continue;
    for (const [type, { schema }] of Object.entries(body.value.content)) {
      if (schema !== undefined && VALIDATED.test(type)) yield { schema, path: [...body.path, 'content', type, 'schema'] };
    }
  }
}

export const REQUEST_RULES: readonly Rule[] = [
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
        if (value.allOf !== undefined) return;
        const names = Object.keys(value.properties ?? {});
        if (names.length > 0 && value.additionalProperties === undefined) open.push(found);
        if (value.items !== undefined) visit(value.items, [...found.path, 'items']);
        if (typeof value.additionalProperties === 'object') visit(value.additionalProperties, [...found.path, 'additionalProperties']);
        for (const key of ['oneOf', 'anyOf'] as const) (value[key] ?? []).forEach((part, i) => visit(part, [...found.path, key, i]));
        for (const name of names) visit(value.properties?.[name], [...found.path, 'properties', name]);
      };
      for (const { schema, path } of bodySchemas(context)) visit(schema, path);
      for (const { path } of open) yield { path, message: 'an object of a request without additionalProperties' };
    },
  },
];
