/** Rules against schemas whose generated types and validation differ. */
import { pointerTo, type Schema } from '@specwright/server/document';
import { didYouMean } from '@specwright/server/command';
import type { Keys } from '../collect-nodes.ts';
import { follow, type RuleProblem, type Rule, type RuleContext } from './rule.ts';
import { areDisjoint, flattenSchema } from './flat-schema.ts';

const SAFE = Number.MAX_SAFE_INTEGER;
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];

/** The pointers of all schemas below these paths, with references resolved. */
function reachable({ document }: RuleContext, roots: readonly Keys[]): Set<string> {
  const seen = new Set<string>();
  const visit = (schema: Schema | undefined, path: Keys): void => {
    const found = follow<Schema>(document, schema, path);
    if (found === undefined || seen.has(pointerTo(...found.path))) return;
    seen.add(pointerTo(...found.path));
    const { value } = found;
    if (value.items !== undefined) visit(value.items, [...found.path, 'items']);
    if (typeof value.additionalProperties === 'object') visit(value.additionalProperties, [...found.path, 'additionalProperties']);
    for (const key of ['allOf', 'oneOf', 'anyOf'] as const) (value[key] ?? []).forEach((part, i) => visit(part, [...found.path, key, i]));
    for (const [name, part] of Object.entries(value.properties ?? {})) visit(part, [...found.path, 'properties', name]);
  };
  for (const root of roots)
    visit(root.reduce<unknown>((parent, key) => (parent as Record<string | number, unknown>)[key], document) as Schema, root);
  return seen;
}

export const TRAP_RULES: readonly Rule[] = [
  {
    name: 'empty-object',
    reason: 'Its type is Record<string, never>, which has no properties; the validator accepts any.',
    fix: 'Declare its properties, or set additionalProperties: true (any) or false (none).',
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        const isSpecified = ['properties', 'additionalProperties', 'allOf', 'oneOf', 'anyOf', 'enum'].some(
          (key) => value[key] !== undefined,
        );
        if (value.type === 'object' && !isSpecified) yield { path, message: 'an object without properties' };
      }
    },
  },
  {
    name: 'untyped-object',
    reason: 'Its type is an object; without `type` the validator accepts strings, numbers and lists as well.',
    fix: 'Add type: object.',
    *check({ document, schemas }) {
      for (const { value, path } of schemas) {
        const keyword = OBJECT_KEYWORDS.find((key) => value[key] !== undefined);
        if (keyword === undefined || ['allOf', 'oneOf', 'anyOf'].includes(String(path.at(-2)))) continue;
        const { types, unions } = flattenSchema(document, value);
        const typed =
          types.has('object') || (unions.length > 0 && unions.every((branch) => flattenSchema(document, branch).types.size > 0));
        if (!typed) yield { path: [...path, keyword], message: `${keyword} without type: object` };
      }
    },
  },
  {
    name: 'closed-all-of',
    reason:
      'The type has the properties of all parts; the validator refuses them, because additionalProperties: false applies to its own part.',
    fix: 'Write the properties into one schema, or remove additionalProperties: false from the parts.',
    *check({ document, schemas }) {
      for (const { value, path } of schemas) {
        if (value.allOf === undefined) continue;
        const { properties } = flattenSchema(document, value);
        const parts = value.allOf.map((part, i) => ({ part: follow<Schema>(document, part)?.value, at: [...path, 'allOf', i] as Keys }));
        for (const { part, at } of [{ part: value, at: path }, ...parts]) {
          if (part?.additionalProperties !== false) continue;
          const refused = [...properties.keys()].filter((name) => !(name in (part.properties ?? {})));
          if (refused.length > 0) yield { path: at, message: `this part of an allOf refuses ${refused.join(', ')} of another part` };
        }
      }
    },
  },
  {
    name: 'map-with-properties',
    reason: 'The type requires every property to match additionalProperties too, so no value has it; the validator accepts them.',
    fix: 'Move the map to a separate property, or set additionalProperties: true or false.',
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        const { additionalProperties: map, properties = {} } = value;
        const any = typeof map !== 'object' || Object.keys(map).length === 0;
        if (!any && Object.keys(properties).length > 0)
          yield { path: [...path, 'additionalProperties'], message: 'additionalProperties with a schema beside properties' };
      }
    },
  },
  {
    name: 'required-property',
    reason: 'The type does not have the property, or has it as optional; the validator requires it.',
    fix: 'List it under required of the schema that declares it, or declare it.',
    *check({ document, schemas }) {
      for (const { value, path } of schemas) {
        const { properties, unions } = flattenSchema(document, value);
        const known = new Set([
          ...properties.keys(),
          ...unions.flatMap((branch) => [...flattenSchema(document, branch).properties.keys()]),
        ]);
        for (const [i, name] of (Array.isArray(value['required']) ? (value['required'] as string[]) : []).entries()) {
          if (!known.has(name))
            yield {
              path: [...path, 'required', i],
              message: `${name} is required, but not a declared property${didYouMean(name, [...known])}`,
            };
        }
      }
    },
  },
  {
    name: 'nullable-enum',
    reason: 'The type allows null; the validator refuses what is not in the enum (OpenAPI proposal 2019-10-31).',
    fix: 'Add null to the enum, or remove nullable.',
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        const values = value['enum'] as unknown[] | undefined;
        if (value.nullable === true && values?.includes(null) === false)
          yield { path: [...path, 'nullable'], message: 'nullable, but null is not in the enum' };
      }
    },
  },
  {
    name: 'default-in-union',
    reason: 'The contract says what an absent property means; the validator fills in no defaults within oneOf, anyOf and not.',
    fix: 'Remove the default and describe what is assumed, or move the property out of the union.',
    *check(context) {
      const roots = context.schemas.flatMap(({ value, path }) => [
        ...(['oneOf', 'anyOf'] as const).flatMap((key) => (value[key] ?? []).map((_, i) => [...path, key, i])),
        ...(value['not'] === undefined ? [] : [[...path, 'not']]),
      ]);
      yield* defaultsIn(context, reachable(context, roots), 'a default within oneOf, anyOf or not');
    },
  },
  {
    name: 'one-of-overlap',
    reason: 'The type accepts values of any branch; the validator refuses values of two branches.',
    fix: 'Give each branch a required property with a distinct enum, or another type; or use anyOf.',
    *check({ document, schemas }): Generator<RuleProblem> {
      for (const { value, path } of schemas) {
        const branches = value.oneOf ?? [];
        for (const [i, branch] of branches.entries()) {
          const other = branches.findIndex((candidate, j) => j < i && !areDisjoint(document, candidate, branch));
          if (other !== -1)
            yield {
              path: [...path, 'oneOf', i],
              message: `a value can be valid for both branch ${other + 1} and branch ${i + 1} of the oneOf`,
            };
        }
      }
    },
  },
  {
    name: 'safe-integer',
    reason: 'JSON.parse silently rounds integers beyond 2^53 - 1, so another number is stored than was sent.',
    fix: `Stay within ${SAFE}, or use a string with a pattern.`,
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        if (value.type !== 'integer') continue;
        for (const key of ['minimum', 'maximum', 'default']) {
          const bound = value[key];
          if (typeof bound === 'number' && Math.abs(bound) > SAFE)
            yield { path: [...path, key], message: `${key} is beyond the safe integers` };
        }
      }
    },
  },
  {
    name: 'one-way-behind-reference',
    reason: 'The type of a property that is a $ref ignores readOnly and writeOnly of its target; the validator applies them.',
    fix: 'Set readOnly or writeOnly on the property itself, beside allOf: [$ref].',
    *check({ document, schemas }) {
      for (const { value, path } of schemas) {
        for (const [name, property] of Object.entries(value.properties ?? {})) {
          const target = property.$ref === undefined ? undefined : follow<Schema>(document, property)?.value;
          const keyword = ['readOnly', 'writeOnly'].find((key) => target?.[key] === true);
          if (keyword !== undefined) yield { path: [...path, 'properties', name], message: `${property.$ref ?? ''} is ${keyword}` };
        }
      }
    },
  },
];

function* defaultsIn({ schemas }: RuleContext, within: ReadonlySet<string>, message: string): Generator<RuleProblem> {
  for (const { value, path } of schemas) {
    if (!within.has(pointerTo(...path))) continue;
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      const required = Array.isArray(value['required']) && (value['required'] as string[]).includes(name);
      if (property.default !== undefined && !required) yield { path: [...path, 'properties', name, 'default'], message };
    }
  }
}
