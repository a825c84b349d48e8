/**
 * Schemas of OpenAPI 3.0: tests of JSON-Schema-Test-Suite for draft 4, as far as the Schema Object has their keywords (it has no lists of
 * types or of items, no `definitions`, `dependencies` and `patternProperties`). Null is left out: without `nullable` 3.0 does not say
 * whether a schema without `type` has it.
 */
import type { Group } from '../case.ts';
import { mapReferences, suiteGroup, type SuiteGroup, withoutDialect } from '../json-schema-suite.ts';

/** The draft that OpenAPI 3.0.4 refers to. */
const VALIDATION = 'JSON Schema Validation, draft Wright 00';
const OPENAPI = 'OpenAPI 3.0.4';

const KEYWORDS: SuiteGroup['keywords'] = {
  type: [
    VALIDATION,
    '5.21',
    'An instance matches successfully if its primitive type is one of the types defined by keyword. Recall: "number" includes "integer".',
  ],
  enum: [
    VALIDATION,
    '5.20',
    "An instance validates successfully against this keyword if its value is equal to one of the elements in this keyword's array value.",
  ],
  multipleOf: [VALIDATION, '5.1', "A numeric instance is only valid if division by this keyword's value results in an integer."],
  maximum: [
    VALIDATION,
    '5.2',
    'If the instance is a number, then this keyword validates if "exclusiveMaximum" is true and instance is less than the provided value, or else if the instance is less than or exactly equal to the provided value.',
  ],
  minimum: [
    VALIDATION,
    '5.4',
    'If the instance is a number, then this keyword validates if "exclusiveMinimum" is true and instance is greater than the provided value, or else if the instance is greater than or exactly equal to the provided value.',
  ],
  maxLength: [
    VALIDATION,
    '5.6',
    'A string instance is valid against this keyword if its length is less than, or equal to, the value of this keyword.',
  ],
  minLength: [
    VALIDATION,
    '5.7',
    'A string instance is valid against this keyword if its length is greater than, or equal to, the value of this keyword.',
  ],
  pattern: [
    VALIDATION,
    '5.8',
    'A string instance is considered valid if the regular expression matches the instance successfully. Recall: regular expressions are not implicitly anchored.',
  ],
  maxItems: [
    VALIDATION,
    '5.10',
    'An array instance is valid against "maxItems" if its size is less than, or equal to, the value of this keyword.',
  ],
  minItems: [
    VALIDATION,
    '5.11',
    'An array instance is valid against "minItems" if its size is greater than, or equal to, the value of this keyword.',
  ],
  uniqueItems: [VALIDATION, '5.12', 'If it has boolean value true, the instance validates successfully if all of its elements are unique.'],
  maxProperties: [
    VALIDATION,
    '5.13',
    'An object instance is valid against "maxProperties" if its number of properties is less than, or equal to, the value of this keyword.',
  ],
  minProperties: [
    VALIDATION,
    '5.14',
    'An object instance is valid against "minProperties" if its number of properties is greater than, or equal to, the value of this keyword.',
  ],
  required: [
    VALIDATION,
    '5.15',
    "An object instance is valid against this keyword if its property set contains all elements in this keyword's array value.",
  ],
  items: [
    OPENAPI,
    'Schema Object, JSON Schema Keywords',
    'items - Value MUST be an object and not an array. Inline or referenced schema MUST be of a Schema Object ... items MUST be present if type is "array".',
  ],
  properties: [
    OPENAPI,
    'Schema Object, JSON Schema Keywords',
    'properties - Property definitions MUST be a Schema Object and not a standard JSON Schema (inline or referenced).',
  ],
  additionalProperties: [
    VALIDATION,
    '5.18',
    'If "additionalProperties" is an object, validate the value as a schema to all of the properties that weren\'t validated by "properties" nor "patternProperties".',
  ],
  default: [
    OPENAPI,
    'Schema Object, JSON Schema Keywords',
    'default - The default value represents what would be assumed by the consumer of the input as the value of the schema if one is not provided.',
  ],
  ref: [
    OPENAPI,
    'Reference Object',
    'A simple object to allow referencing other components in the OpenAPI Description ... This object cannot be extended with additional properties, and any properties added SHALL be ignored.',
  ],
  'infinite-loop-detection': [
    OPENAPI,
    'Reference Object',
    'A simple object to allow referencing other components in the OpenAPI Description, internally and externally.',
  ],
  allOf: [
    VALIDATION,
    '5.22',
    "An instance validates successfully against this keyword if it validates successfully against all schemas defined by this keyword's value.",
  ],
  anyOf: [
    VALIDATION,
    '5.23',
    "An instance validates successfully against this keyword if it validates successfully against at least one schema defined by this keyword's value.",
  ],
  oneOf: [
    VALIDATION,
    '5.24',
    "An instance validates successfully against this keyword if it validates successfully against exactly one schema defined by this keyword's value.",
  ],
  not: [
    VALIDATION,
    '5.25',
    'An instance is valid against this keyword if it fails to validate successfully against the schema defined by this keyword.',
  ],
};

/** Keywords whose value is one schema, a list, or a map of schemas. */
const SCHEMAS: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  items: 'one',
  not: 'one',
  additionalProperties: 'one',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  properties: 'map',
};
const OTHERS = [
  ...['title', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern'],
  ...[
    'maxItems',
    'minItems',
    'uniqueItems',
    'maxProperties',
    'minProperties',
    'required',
    'enum',
    'type',
    'description',
    'format',
    'default',
  ],
];
const TYPES = ['boolean', 'object', 'array', 'number', 'string', 'integer'];

function isSchemaObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
  const { $ref, type, items } = schema as { $ref?: unknown; type?: unknown; items?: unknown };
  if (typeof $ref === 'string') return true;
  if (type !== undefined && !TYPES.includes(type as string)) return false;
  if (type === 'array' && items === undefined) return false;
  return Object.entries(schema).every(([keyword, value]) => OTHERS.includes(keyword) || (keyword in SCHEMAS && areSchemas(keyword, value)));
}

function areSchemas(keyword: string, value: unknown): boolean {
  if (keyword === 'additionalProperties' && typeof value === 'boolean') return true;
  if (SCHEMAS[keyword] === 'one') return isSchemaObject(value);
  return typeof value === 'object' && value !== null && Object.values(value).every(isSchemaObject);
}

/** `definitions` become components, and references lead there. */
const adapt: SuiteGroup['adapt'] = (given, name) => {
  const references: string[] = [];
  const moved = mapReferences(given, (to) => {
    references.push(to);
    return to.replace(/^#(?:\/definitions\/([^/]+))?/u, (_, defined?: string) => `#/components/schemas/${partOf(name, defined)}`);
  });
  const { definitions = {}, ...schema } = withoutDialect(moved as object) as Record<string, unknown>;
  const isForeign = references.some((to) => !/^#(?:\/|$)/u.test(to) || to.includes('$'));
  const parts = Object.fromEntries(Object.entries(definitions as object).map(([key, each]) => [partOf(name, key), each]));
  const components = { ...parts, [name]: schema };
  if (isForeign || !Object.values(components).every(isSchemaObject) || Object.keys(components).some((key) => !/^[\w.-]+$/u.test(key)))
    return undefined;
  return references.length > 0 ? { schema: { $ref: `#/components/schemas/${name}` }, components } : { schema };
};

const partOf = (name: string, definition: string | undefined): string => (definition === undefined ? name : `${name}.${definition}`);

const hasNull = (value: unknown): boolean => value === null || (typeof value === 'object' && Object.values(value).some(hasNull));

export const schemas30: Group = suiteGroup({
  name: 'schemas-3.0',
  version: '3.0.4',
  draft: 'draft4',
  keywords: KEYWORDS,
  limit: 16,
  adapt,
  omits: ({ data }) => hasNull(data),
});
