/** Rules of discriminators: the property determines the branch, for types and validator alike. */
import {
  type Discriminator,
  type Document,
  DATE_EXTENSION,
  INT64_EXTENSION,
  type Schema,
  alternativesOf,
  boundsOf,
  branchesOf,
  declaredDefault,
  discriminatorOf,
  formatOf,
  extensionOf,
  isBigInteger,
  pointerKeys,
  pointerTo,
  propertiesOf,
  referenceOf,
  typeOf,
  typesOf,
  valueAt,
  valuesOf,
} from '@specwright/contract/document';
import { type Keys, type Node, type Rule, type RuleContext, type RuleProblem, follow, ofSchemas } from './rule.ts';
import { viewSchema } from '../../schema/schema-view.ts';

interface Branch extends Node<Schema> {
  readonly reference: string;
  /** The values of the property that select this branch. */
  readonly values: readonly string[];
}

const REASON = 'The property has to select one branch: types are narrowed by it, and the validator chooses by it.';

interface Discriminated {
  readonly schema: Schema;
  /** Of the discriminator. */
  readonly path: Keys;
  readonly discriminator: Discriminator;
  /** None, if the schema is the parent that others extend by `allOf`. */
  readonly branches: readonly Branch[];
  /** The references to the schemas that extend it, as the model has them; `undefined` for a schema that lists its branches. */
  readonly children?: readonly string[];
}

function* discriminators({ document, schemas, written, writtenAt }: RuleContext): Generator<Discriminated> {
  for (const { value, path } of schemas) {
    const discriminator = discriminatorOf(value);
    if (discriminator === undefined) continue;
    const { oneOf, anyOf } = branchesOf(value);
    const source = valueAt(written, writtenAt(path).map(String)) as Schema | undefined;
    if (source !== undefined && alternativesOf(source).length === 0) {
      const own = discriminatorOf(source);
      // That of a parent of the schema is reported there.
      if (own === undefined) continue;
      const [first = value] = oneOf;
      const schema = follow<Schema>(document, first)?.value ?? value;
      const at = [...path, 'discriminator'];
      const children = oneOf.flatMap((child) => referenceOf(child) ?? []);
      yield { schema, path: at, discriminator: own, branches: [], children };
      continue;
    }
    const [key, parts] = oneOf.length > 0 ? ['oneOf', oneOf] : ['anyOf', anyOf];
    const branches = parts.flatMap((branch, i): Branch[] => {
      const found = follow<Schema>(document, branch, [...path, key, i]);
      const reference = referenceOf(branch) ?? '';
      const named = Object.entries(discriminator.mapping).filter(([, target]) => sameSchema(target, reference));
      const values = named.length > 0 ? named.map(([name]) => name) : [nameOf(reference)];
      return found === undefined || isNull(found.value) ? [] : [{ ...found, reference, values }];
    });
    yield { schema: value, path: [...path, 'discriminator'], discriminator, branches };
  }
}

/** `null` has no property that could select it, and needs none. */
const isNull = (schema: Schema): boolean => {
  const allowed = valuesOf(schema) ?? typesOf(schema);
  return allowed.length === 1 && (allowed[0] === null || allowed[0] === 'null');
};

const nameOf = (reference: string) => reference.split('/').at(-1) ?? '';

/** A mapping names a schema by reference, or by its name alone. */
const sameSchema = (target: string, reference: string) => target === reference || target === nameOf(reference);

export const DISCRIMINATOR_RULES: readonly Rule[] = [
  {
    name: 'discriminator-required',
    reason: REASON,
    fix: 'Declare the property in each branch, or in the schema if it has none, and list it under required there.',
    *check(context) {
      for (const { schema, path, discriminator, branches } of discriminators(context)) {
        const name = discriminator.propertyName;
        const selected = branches.map(({ value, reference, path: at }) => ({ value, at: reference === '' ? path : at, what: 'branch' }));
        // OpenAPI 3.0.3, section 4.7.25: the parent of schemas that extend it has the property, too.
        const all = selected.length > 0 ? selected : [{ value: schema, at: path, what: 'schema' }];
        const isMissing = ({ value }: { readonly value: Schema }) => !context.viewOf(value).properties.has(name);
        if (all.length > 1 && all.every(isMissing)) {
          yield { path: [...path, 'propertyName'], message: `the discriminator ${name} is not a property of any branch` };
          continue;
        }
        for (const { value, at, what } of all) {
          const { properties, required } = context.viewOf(value);
          if (!properties.has(name)) yield { path: at, message: `the discriminator ${name} is not a property of this ${what}` };
          else if (!required.has(name)) yield { path: at, message: `the discriminator ${name} is not required in this ${what}` };
        }
      }
    },
  },
  {
    name: 'discriminator-mapping',
    reason: 'A value without a target selects no branch.',
    fix: 'Map it to the $ref of one of the branches.',
    *check(context) {
      for (const { path, discriminator, branches } of discriminators(context)) {
        for (const [value, target] of Object.entries(discriminator.mapping)) {
          const isBranch = branches.some(({ reference }) => sameSchema(target, reference));
          const isSchema = sameSchemaExists(context, target);
          if (isBranch || (branches.length === 0 && isSchema)) continue;
          yield {
            path: [...path, 'mapping', value],
            message: `${value} is mapped to ${target}, which is ${isSchema ? 'not a branch' : 'not defined'}`,
          };
        }
      }
    },
  },
  {
    name: 'discriminator-value',
    reason: 'The types narrow the property to its value; the validator applies the schema alone, and accepts or refuses other values.',
    fix: 'Give the property of each branch `enum` with exactly the values that are mapped to the branch.',
    *check(context) {
      for (const { branches, discriminator, path: at, children } of discriminators(context)) {
        const name = discriminator.propertyName;
        for (const child of children === undefined ? [] : unselected(context, at.slice(0, -1), children))
          yield {
            path: child,
            message: `no value of ${name} selects ${child.at(-1)}: its properties would be undeclared`,
            fix: `Map a value of ${name} to it in the discriminator of ${at.at(-2)}.`,
          };
        for (const { value, path, values } of branches) {
          const property = context.viewOf(value).properties.get(name);
          if (property === undefined) continue;
          const allowed = viewSchema(context.document, property).values;
          if (allowed !== undefined && allowed.length === values.length && values.every((v) => allowed.includes(v))) continue;
          const at = propertiesOf(value)[name] === undefined ? path : [...path, 'properties', name];
          yield { path: at, message: `the schema of ${name} must allow exactly ${values.join(' or ')} here` };
        }
      }
    },
  },
];

/** The paths of the components that build on a parent and are none of its alternatives. */
function unselected({ written }: RuleContext, parent: Keys, children: readonly string[]): Keys[] {
  const names = new Set(children.map((reference) => pointerKeys(reference)[2]));
  return Object.entries(written.components?.schemas ?? {}).flatMap(([name, schema]): Keys[] => {
    const isChild = branchesOf(schema).allOf.some((part) => referenceOf(part) === pointerTo(...parent));
    return isChild && !names.has(name) && !typesOf(schema).includes('null') ? [['components', 'schemas', name]] : [];
  });
}

const sameSchemaExists = ({ document }: RuleContext, target: string) =>
  Object.keys(document.components?.schemas ?? {}).some((name) => sameSchema(target, `#/components/schemas/${name}`));

/** Rules of integers that a number of JavaScript cannot hold exactly. */
const SAFE = Number.MAX_SAFE_INTEGER;

export const INTEGER_RULES: readonly Rule[] = [
  {
    name: 'safe-integer',
    reason: 'JSON.parse silently rounds integers beyond 2^53 - 1, so another number is stored than was sent.',
    fix: `Stay within ${SAFE}; or choose x-int64: bigint with format: int64; or use a string with a pattern.`,
    check: ofSchemas(function* (value, path) {
      if (typeOf(value) !== 'integer' || isBigInteger(value)) return;
      for (const [keyword, bound] of numbersOf(value)) {
        if (typeof bound === 'number' && Math.abs(bound) > SAFE)
          yield { path: [...path, keyword], message: `${keyword} is beyond the safe integers` };
      }
    }),
  },
  {
    name: 'int64-maximum',
    reason: `A number holds integers up to ${SAFE} exactly: greater ones, which the contract allows, are refused with 400.`,
    fix: `Add maximum: ${SAFE}; or x-int64: bigint, with which handlers get and give bigint.`,
    check: ofSchemas(function* (value, path) {
      if (typeOf(value) !== 'integer' || formatOf(value) !== 'int64' || isBigInteger(value)) return;
      // A maximum that is greater is a problem of `safe-integer`.
      if (boundsOf(value).upper === undefined && valuesOf(value) === undefined)
        yield { path: [...path, 'format'], message: `int64 without a maximum of ${SAFE} or x-int64` };
    }),
  },
  choiceRule(INT64_EXTENSION, { value: 'bigint', type: 'integer', otherwise: 'handlers get a number' }),
  choiceRule(DATE_EXTENSION, { value: 'date', type: 'string', otherwise: 'handlers get a text' }),
];

/** The only value of an extension that chooses a type of JavaScript, and the type of the schemas that it is for. */
interface TypeChoice {
  readonly value: string;
  readonly type: string;
  readonly otherwise: string;
}

function choiceRule(name: `x-${string}`, { value: chosen, type, otherwise }: TypeChoice): Rule {
  return {
    name,
    reason: `Only \`${chosen}\`, for \`type: ${type}\`, has a meaning: anything else is ignored, and ${otherwise}.`,
    fix: `Write ${name}: ${chosen}, at a schema with type: ${type} or at the root of the document.`,
    *check({ document, schemas }): Generator<RuleProblem> {
      const parts: { value: Document | Schema; path: Keys; isOfType: boolean }[] = [
        { value: document, path: [], isOfType: true },
        ...schemas.map(({ value, path }) => ({ value, path, isOfType: typeOf(value) === type })),
      ];
      for (const { value, path, isOfType } of parts) {
        const choice = extensionOf(value as Schema, name);
        if (choice === undefined) continue;
        const at = [...path, name];
        if (choice !== chosen) yield { path: at, message: `${name} must be ${chosen}, not ${JSON.stringify(choice)}` };
        else if (!isOfType) yield { path: at, message: `${name} at a schema without type: ${type}` };
      }
    },
  };
}

/** The numbers that a schema of integers names. */
function numbersOf(schema: Schema): (readonly [keyword: string, value: unknown])[] {
  const { lower, upper } = boundsOf(schema);
  return [
    ...[lower, upper].flatMap((bound) => (bound ? [[bound.keyword, bound.value] as const] : [])),
    ['default', declaredDefault(schema)],
  ];
}
