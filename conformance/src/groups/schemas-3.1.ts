/** Schemas of OpenAPI 3.1, which are those of JSON Schema 2020-12: tests of JSON-Schema-Test-Suite, of each keyword. */
import type { Group } from '../case.ts';
import { mapReferences, suiteGroup, type SuiteGroup, withoutDialect } from '../json-schema-suite.ts';

const CORE = 'JSON Schema 2020-12, core';
const VALIDATION = 'JSON Schema 2020-12, validation';

const KEYWORDS: SuiteGroup['keywords'] = {
  type: [
    VALIDATION,
    '6.1.1',
    'If the value of "type" is a string, then an instance validates successfully if its type matches the type represented by the value of the string.',
  ],
  enum: [
    VALIDATION,
    '6.1.2',
    "An instance validates successfully against this keyword if its value is equal to one of the elements in this keyword's array value.",
  ],
  const: [
    VALIDATION,
    '6.1.3',
    'An instance validates successfully against this keyword if its value is equal to the value of the keyword.',
  ],
  multipleOf: [VALIDATION, '6.2.1', "A numeric instance is valid only if division by this keyword's value results in an integer."],
  maximum: [
    VALIDATION,
    '6.2.2',
    'If the instance is a number, then this keyword validates only if the instance is less than or exactly equal to "maximum".',
  ],
  exclusiveMaximum: [
    VALIDATION,
    '6.2.3',
    'If the instance is a number, then the instance is valid only if it has a value strictly less than (not equal to) "exclusiveMaximum".',
  ],
  minimum: [
    VALIDATION,
    '6.2.4',
    'If the instance is a number, then this keyword validates only if the instance is greater than or exactly equal to "minimum".',
  ],
  exclusiveMinimum: [
    VALIDATION,
    '6.2.5',
    'If the instance is a number, then the instance is valid only if it has a value strictly greater than (not equal to) "exclusiveMinimum".',
  ],
  maxLength: [
    VALIDATION,
    '6.3.1',
    'A string instance is valid against this keyword if its length is less than, or equal to, the value of this keyword. The length ... is defined as the number of its characters as defined by RFC 8259.',
  ],
  minLength: [
    VALIDATION,
    '6.3.2',
    'A string instance is valid against this keyword if its length is greater than, or equal to, the value of this keyword. The length ... is defined as the number of its characters as defined by RFC 8259.',
  ],
  pattern: [
    VALIDATION,
    '6.3.3',
    'A string instance is considered valid if the regular expression matches the instance successfully. Recall: regular expressions are not implicitly anchored.',
  ],
  maxItems: [
    VALIDATION,
    '6.4.1',
    'An array instance is valid against "maxItems" if its size is less than, or equal to, the value of this keyword.',
  ],
  minItems: [
    VALIDATION,
    '6.4.2',
    'An array instance is valid against "minItems" if its size is greater than, or equal to, the value of this keyword.',
  ],
  uniqueItems: [
    VALIDATION,
    '6.4.3',
    'If it has boolean value true, the instance validates successfully if all of its elements are unique.',
  ],
  maxContains: [
    VALIDATION,
    '6.4.4',
    'An instance array is valid against "maxContains" ... if the annotation result is an array and the length of that array is less than or equal to the "maxContains" value.',
  ],
  minContains: [
    VALIDATION,
    '6.4.5',
    'An instance array is valid against "minContains" ... if the annotation result is an array and the length of that array is greater than or equal to the "minContains" value.',
  ],
  maxProperties: [
    VALIDATION,
    '6.5.1',
    'An object instance is valid against "maxProperties" if its number of properties is less than, or equal to, the value of this keyword.',
  ],
  minProperties: [
    VALIDATION,
    '6.5.2',
    'An object instance is valid against "minProperties" if its number of properties is greater than, or equal to, the value of this keyword.',
  ],
  required: [
    VALIDATION,
    '6.5.3',
    'An object instance is valid against this keyword if every item in the array is the name of a property in the instance.',
  ],
  dependentRequired: [
    VALIDATION,
    '6.5.4',
    "Validation succeeds if, for each name that appears in both the instance and as a name within this keyword's value, every item in the corresponding array is also the name of a property in the instance.",
  ],
  default: [
    VALIDATION,
    '9.2',
    'There are no restrictions placed on the value of this keyword. ... This keyword can be used to supply a default JSON value associated with a particular schema.',
  ],
  boolean_schema: [
    CORE,
    '4.3.2',
    'The boolean schema values "true" and "false" are trivial schemas that always produce themselves as assertion results, regardless of the instance value.',
  ],
  anchor: [CORE, '8.2.2', 'The "$anchor" and "$dynamicAnchor" keywords are ... used to create plain name fragments.'],
  ref: [
    CORE,
    '8.2.3.1',
    'The "$ref" keyword is an applicator that is used to reference a statically identified schema. Its results are the results of the referenced schema.',
  ],
  dynamicRef: [
    CORE,
    '8.2.3.2',
    'The "$dynamicRef" keyword is an applicator that allows for deferring the full resolution until runtime, at which point it is resolved each time it is encountered while evaluating an instance.',
  ],
  defs: [
    CORE,
    '8.2.4',
    'The "$defs" keyword reserves a location for schema authors to inline re-usable JSON Schemas into a more general schema.',
  ],
  'infinite-loop-detection': [CORE, '9.4.1', 'A schema MUST NOT be run into an infinite loop against an instance.'],
  allOf: [
    CORE,
    '10.2.1.1',
    "An instance validates successfully against this keyword if it validates successfully against all schemas defined by this keyword's value.",
  ],
  anyOf: [
    CORE,
    '10.2.1.2',
    "An instance validates successfully against this keyword if it validates successfully against at least one schema defined by this keyword's value.",
  ],
  oneOf: [
    CORE,
    '10.2.1.3',
    "An instance validates successfully against this keyword if it validates successfully against exactly one schema defined by this keyword's value.",
  ],
  not: [
    CORE,
    '10.2.1.4',
    'An instance is valid against this keyword if it fails to validate successfully against the schema defined by this keyword.',
  ],
  'if-then-else': [
    CORE,
    '10.2.2.1',
    'Instances that successfully validate against this keyword\'s subschema MUST also be valid against the subschema value of the "then" keyword, if present.',
  ],
  dependentSchemas: [
    CORE,
    '10.2.2.4',
    'If the object key is a property in the instance, the entire instance must validate against the subschema.',
  ],
  prefixItems: [
    CORE,
    '10.3.1.1',
    'Validation succeeds if each element of the instance validates against the schema at the same position, if any.',
  ],
  items: [
    CORE,
    '10.3.1.2',
    'This keyword applies its subschema to all instance elements at indexes greater than the length of the "prefixItems" array in the same schema object.',
  ],
  contains: [
    CORE,
    '10.3.1.3',
    'An array instance is valid against "contains" if at least one of its elements is valid against the given schema, except when "minContains" is present and has a value of 0.',
  ],
  properties: [
    CORE,
    '10.3.2.1',
    "Validation succeeds if, for each name that appears in both the instance and as a name within this keyword's value, the child instance for that name successfully validates against the corresponding schema.",
  ],
  patternProperties: [
    CORE,
    '10.3.2.2',
    "Validation succeeds if, for each instance name that matches any regular expressions that appear as a property name in this keyword's value, the child instance for that name successfully validates against each schema that corresponds to a matching regular expression.",
  ],
  additionalProperties: [
    CORE,
    '10.3.2.3',
    'Validation with "additionalProperties" applies only to the child values of instance names that do not appear in the annotation results of either "properties" or "patternProperties".',
  ],
  propertyNames: [
    CORE,
    '10.3.2.4',
    'If the instance is an object, this keyword validates if every property name in the instance validates against the provided schema.',
  ],
  unevaluatedItems: [
    CORE,
    '11.2',
    'The subschema MUST be applied to any index greater than the largest annotation value for "prefixItems", which does not appear in any annotation value for "contains".',
  ],
  unevaluatedProperties: [
    CORE,
    '11.3',
    'Validation with "unevaluatedProperties" applies only to the child values of instance names that do not appear in the "properties", "patternProperties", "additionalProperties", or "unevaluatedProperties" annotation results that apply to the instance location being validated.',
  ],
};

/** References to the meta-schema and to schemas that the suite serves beside its tests: a document cannot have them. */
const REMOTE =
  /"\$ref":"(?:https:\/\/json-schema\.org|http:\/\/localhost:1234\/draft2020-12\/detached|tree\.json|extendible-dynamic-ref\.json)/u;

/** A reference to `#/...` begins at the document (OpenAPI 3.1.2, 4.6): such a schema becomes a component, and its references lead there. */
const adapt: SuiteGroup['adapt'] = (schema, name) => {
  const text = JSON.stringify(schema);
  if (REMOTE.test(text)) return undefined;
  const plain = typeof schema === 'object' && schema !== null ? withoutDialect(schema) : schema;
  if (typeof plain !== 'object' || plain === null || !/"\$ref":"#/u.test(text)) return { schema: plain };
  const pointer = `#/components/schemas/${name}`;
  return {
    schema: { $ref: pointer },
    components: { [name]: mapReferences(plain, (to) => (/^#(?:\/|$)/u.test(to) ? pointer + to.slice(1) : to)) },
  };
};

export const schemas31: Group = suiteGroup({
  name: 'schemas-3.1',
  version: '3.1.2',
  draft: 'draft2020-12',
  keywords: KEYWORDS,
  limit: 16,
  adapt,
  omits: () => false,
});
