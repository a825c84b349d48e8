/** Rules against what makes the generated types say one thing and the validator another. */
import { pointerTo, type Schema } from '@specwright/server';
import type { Keys } from './collect-nodes.ts';
import { follow, type RuleProblem, type Rule, type RuleContext } from './rule.ts';
import { areApart, shapeOf } from './shapes.ts';

const SAFE = Number.MAX_SAFE_INTEGER;
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];

/** The places of all schemas below these, references followed. */
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
    reason: 'Its type is Record<string, never>, which has no property at all; the validator accepts any.',
    fix: 'Declare its properties; or say additionalProperties: true (anything) or false (nothing).',
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        const says = ['properties', 'additionalProperties', 'allOf', 'oneOf', 'anyOf', 'enum'].some((key) => value[key] !== undefined);
        if (value.type === 'object' && !says) yield { path, message: 'an object without properties' };
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
        const { types, unions } = shapeOf(document, value);
        const typed = types.has('object') || (unions.length > 0 && unions.every((branch) => shapeOf(document, branch).types.size > 0));
        if (!typed) yield { path: [...path, keyword], message: `${keyword} without type: object` };
      }
    },
  },
  {
    name: 'closed-all-of',
    reason:
      'The type has the properties of all parts; the validator refuses them, because additionalProperties: false knows only those beside it.',
    fix: 'Write the properties into one schema, or leave additionalProperties: false out of the parts.',
    *check({ document, schemas }) {
      for (const { value, path } of schemas) {
        if (value.allOf === undefined) continue;
        const { properties } = shapeOf(document, value);
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
    reason: 'The type asks of every property to be of additionalProperties too, so no value has it; the validator accepts them.',
    fix: 'Put the map into a property of its own, or say additionalProperties: true or false.',
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
    reason: 'The type does not have the property, or has it as optional; the validator insists on it.',
    fix: 'List it under required of the schema that declares it, or beside the allOf that does; or declare it.',
    *check({ document, schemas }) {
      for (const { value, path } of schemas) {
        const { properties, unions } = shapeOf(document, value);
        const known = new Set([...properties.keys(), ...unions.flatMap((branch) => [...shapeOf(document, branch).properties.keys()])]);
        for (const [i, name] of (Array.isArray(value['required']) ? (value['required'] as string[]) : []).entries()) {
          if (!known.has(name)) yield { path: [...path, 'required', i], message: `${name} is required, and not among the properties` };
        }
      }
    },
  },
  {
    name: 'nullable-enum',
    reason: 'The type has null; the validator refuses what is not in the enum (OpenAPI proposal 2019-10-31).',
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
    reason: 'The type has the property as always there; the validator fills in no defaults within oneOf, anyOf and not.',
    fix: 'Remove the default and say in the description what is assumed; or move the property out of the union.',
    *check(context) {
      const roots = context.schemas.flatMap(({ value, path }) => [
        ...(['oneOf', 'anyOf'] as const).flatMap((key) => (value[key] ?? []).map((_, i) => [...path, key, i])),
        ...(value['not'] === undefined ? [] : [[...path, 'not']]),
      ]);
      yield* defaultsIn(context, reachable(context, roots), 'a default within oneOf, anyOf or not');
    },
  },
  {
    name: 'default-in-response',
    reason:
      'The type makes a handler give the property always; the contract lets it be absent, and nothing fills a default into a response.',
    fix: 'Use a schema without the default in responses, or list the property under required.',
    *check(context) {
      const roots = context.mediaTypes.filter(({ path }) => path.includes('responses')).map(({ path }) => [...path, 'schema']);
      yield* defaultsIn(context, reachable(context, roots), 'a default in a response, of a property that is not required');
    },
  },
  {
    name: 'one-of-overlap',
    reason: 'The type accepts what fits any of the branches; the validator refuses what fits two of them.',
    fix: 'Give each branch a required property with an enum of its own, or types that differ; or use anyOf.',
    *check({ document, schemas }): Generator<RuleProblem> {
      for (const { value, path } of schemas) {
        const branches = value.oneOf ?? [];
        for (const [i, branch] of branches.entries()) {
          const other = branches.findIndex((candidate, j) => j < i && !areApart(document, candidate, branch));
          if (other !== -1)
            yield { path: [...path, 'oneOf', i], message: `a value can fit both branch ${other + 1} and branch ${i + 1} of the oneOf` };
        }
      }
    },
  },
  {
    name: 'safe-integer',
    reason: 'JSON.parse rounds integers beyond 2^53 - 1 without a word: what is stored is another number than what was sent.',
    fix: `Keep within ${SAFE}, or use a string with a pattern.`,
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        if (value.type !== 'integer') continue;
        for (const key of ['minimum', 'maximum', 'default']) {
          const bound = value[key];
          if (typeof bound === 'number' && Math.abs(bound) > SAFE)
            yield { path: [...path, key], message: `${key} is beyond what a number holds exactly` };
        }
      }
    },
  },
  {
    name: 'one-way-behind-reference',
    reason: 'The type of a property that is a $ref does not know that its target is readOnly or writeOnly; the validator does.',
    fix: 'Write readOnly or writeOnly at the property itself, beside allOf: [$ref].',
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
