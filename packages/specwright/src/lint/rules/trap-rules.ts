/** Rules against schemas whose generated types and validation differ. */
import {
  additionalOf,
  additionalPropertiesOf,
  alternativesOf,
  branchesOf,
  compilePattern,
  declaredDefault,
  isReadOnly,
  isWriteOnly,
  locateNull,
  objectKeywordOf,
  patternPropertiesOf,
  pointerTo,
  propertiesOf,
  referenceOf,
  requiredOf,
  subschemasOf,
  typeOf,
  typesOf,
  valuesOf,
  type Schema,
} from '@specwright/contract/document';
import { didYouMean } from '@specwright/server/command';
import { type Keys, type Rule, type RuleContext, type RuleProblem, follow, ofSchemas } from './rule.ts';

/** Schemas of a composition, and conditions: the schema that they are in gives the type. */
const PARTS = ['allOf', 'oneOf', 'anyOf', 'dependentSchemas'];
const CONDITIONS = ['not', 'if', 'then', 'else'];

/** The pointers of all schemas below these paths, with references resolved. */
function reachable({ document }: RuleContext, roots: readonly Keys[]): Set<string> {
  const seen = new Set<string>();
  const visit = (schema: Schema | undefined, path: Keys): void => {
    const found = follow<Schema>(document, schema, path);
    if (found === undefined || seen.has(pointerTo(...found.path))) return;
    seen.add(pointerTo(...found.path));
    for (const [keys, part] of subschemasOf(found.value)) visit(part, [...found.path, ...keys]);
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
    check: ofSchemas(function* (value, path) {
      const parts = [...Object.keys(propertiesOf(value)), ...Object.keys(patternPropertiesOf(value)), ...branchesOf(value).allOf];
      const isSpecified = [...parts, ...alternativesOf(value), ...(valuesOf(value) ?? [])].length > 0 || additionalOf(value) !== undefined;
      if (typeOf(value) === 'object' && !isSpecified) yield { path, message: 'an object without properties' };
    }),
  },
  {
    name: 'untyped-object',
    reason: 'Its type is an object; without `type` the validator accepts strings, numbers and lists as well.',
    fix: 'Add type: object.',
    check: ofSchemas(function* (value, path, { viewOf }) {
      const keyword = objectKeywordOf(value);
      if (keyword === undefined || PARTS.includes(String(path.at(-2))) || CONDITIONS.includes(String(path.at(-1)))) return;
      const { types, unions } = viewOf(value);
      const branches = unions.flatMap((union) => union.branches);
      const typed =
        types.includes('object') || (branches.length > 0 && branches.every(({ schema }) => viewOf(schema.value).types.length > 0));
      if (!typed) yield { path: [...path, keyword], message: `${keyword} without type: object` };
    }),
  },
  {
    name: 'closed-all-of',
    reason:
      'The type has the properties of all parts; the validator refuses them, because additionalProperties: false applies to its own part.',
    fix: 'Write the properties into one schema, or remove additionalProperties: false from the parts.',
    check: ofSchemas(function* (value, path, { document, viewOf }) {
      const { allOf } = branchesOf(value);
      if (allOf.length === 0) return;
      const { properties } = viewOf(value);
      const parts = allOf.map((part, i) => ({ part: follow<Schema>(document, part)?.value, at: [...path, 'allOf', i] as Keys }));
      for (const { part, at } of [{ part: value, at: path }, ...parts]) {
        if (part === undefined || additionalPropertiesOf(part) !== false) continue;
        const patterns = Object.keys(patternPropertiesOf(part)).map((pattern) => compilePattern(pattern)?.expression);
        const isNamed = (name: string) => name in propertiesOf(part) || patterns.some((pattern) => pattern?.test(name) !== false);
        const refused = [...properties.keys()].filter((name) => !isNamed(name));
        if (refused.length > 0) yield { path: at, message: `this part of an allOf refuses ${refused.join(', ')} of another part` };
      }
    }),
  },
  {
    name: 'map-with-properties',
    reason: 'The type requires every property to match additionalProperties too, so no value has it; the validator accepts them.',
    fix: 'Move the map to a separate property, or set additionalProperties: true or false.',
    check: ofSchemas(function* (value, path) {
      const map = additionalPropertiesOf(value) ?? true;
      const any = typeof map !== 'object' || Object.keys(map).length === 0;
      if (!any && Object.keys(propertiesOf(value)).length > 0)
        yield { path: [...path, 'additionalProperties'], message: 'additionalProperties with a schema beside properties' };
    }),
  },
  {
    name: 'required-property',
    reason: 'The type does not have the property, or has it as optional; the validator requires it.',
    fix: 'List it under required of the schema that declares it, or declare it.',
    check: ofSchemas(function* (value, path, { viewOf }) {
      const { properties, unions } = viewOf(value);
      const branches = unions.flatMap((union) => union.branches.map(({ schema }) => viewOf(schema.value)));
      const known = new Set([...properties.keys(), ...branches.flatMap((branch) => [...branch.properties.keys()])]);
      for (const [i, name] of requiredOf(value).entries()) {
        if (!known.has(name))
          yield {
            path: [...path, 'required', i],
            message: `${name} is required, but not a declared property${didYouMean(name, [...known])}`,
          };
      }
    }),
  },
  {
    name: 'nullable-enum',
    reason: 'The type allows null; the validator refuses what is not in the enum (OpenAPI proposal 2019-10-31).',
    fix: "Add null to the enum, or remove nullable (or 'null' from type).",
    check: ofSchemas(function* (value, path, context) {
      const isNullable = typesOf(value).includes('null');
      if (isNullable && valuesOf(value)?.includes(null) === false)
        yield { path: locateNull(context, path), message: 'nullable, but null is not in the enum' };
    }),
  },
  {
    name: 'default-in-union',
    reason: 'The contract says what an absent property means; the validator fills in no defaults within oneOf, anyOf and not.',
    fix: 'Remove the default and describe what is assumed, or move the property out of the union.',
    *check(context) {
      const roots = context.schemas.flatMap(({ value, path }) =>
        subschemasOf(value).flatMap(([keys]) => (['oneOf', 'anyOf', 'not', 'if'].includes(String(keys[0])) ? [[...path, ...keys]] : [])),
      );
      yield* defaultsIn(context, reachable(context, roots), 'a default within oneOf, anyOf or not');
    },
  },
  {
    name: 'one-of-overlap',
    reason: 'The type accepts values of any branch; the validator refuses values of two branches.',
    fix: 'Give each branch a required property with a distinct enum, or another type; or use anyOf.',
    check: ofSchemas(function* (value, path, { values }) {
      const branches = branchesOf(value).oneOf;
      for (const [i, branch] of branches.entries()) {
        const other = branches.findIndex((candidate, j) => j < i && values.overlaps(candidate, branch));
        if (other !== -1)
          yield {
            path: [...path, 'oneOf', i],
            message: `a value can be valid for both branch ${other + 1} and branch ${i + 1} of the oneOf`,
          };
      }
    }),
  },
  {
    name: 'one-way-behind-reference',
    reason: 'The type of a property that is a $ref ignores readOnly and writeOnly of its target; the validator applies them.',
    fix: 'Set readOnly or writeOnly on the property itself, beside allOf: [$ref].',
    check: ofSchemas(function* (value, path, { document }) {
      for (const [name, property] of Object.entries(propertiesOf(value))) {
        const reference = referenceOf(property);
        const target = reference === undefined ? {} : (follow<Schema>(document, property)?.value ?? {});
        const keyword = isReadOnly(target) ? 'readOnly' : isWriteOnly(target) ? 'writeOnly' : undefined;
        if (keyword !== undefined) yield { path: [...path, 'properties', name], message: `${reference ?? ''} is ${keyword}` };
      }
    }),
  },
];

function* defaultsIn({ schemas }: RuleContext, within: ReadonlySet<string>, message: string): Generator<RuleProblem> {
  for (const { value, path } of schemas) {
    if (!within.has(pointerTo(...path))) continue;
    for (const [name, property] of Object.entries(propertiesOf(value))) {
      if (declaredDefault(property) !== undefined && !requiredOf(value).includes(name))
        yield { path: [...path, 'properties', name, 'default'], message };
    }
  }
}
