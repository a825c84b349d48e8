/** The cases of JSON-Schema-Test-Suite that are answered differently, by reason; `*` stands for all cases of a group. */

export interface SuiteException {
  readonly reason: string;
  /** `file / group` -> descriptions of its cases. */
  readonly cases: Readonly<Record<string, readonly string[]>>;
}

export const SUITE_EXCEPTIONS: readonly SuiteException[] = [
  {
    reason: 'a schema with `properties`, `required` or `additionalProperties` and no `type` is that of an object',
    cases: {
      'additionalProperties / additionalProperties being false does not allow other properties': [
        'ignores arrays',
        'ignores strings',
        'ignores other non-objects',
      ],
      'properties / object properties validation': ['ignores arrays', 'ignores other non-objects'],
      'properties / properties whose names are Javascript object property names': ['ignores arrays', 'ignores other non-objects'],
      'ref / root pointer ref': ['match', 'recursive match'],
      'ref / simple URN base URI with $ref via the URN': ['valid under the URN IDed schema'],
      'required / required validation': [
        'ignores arrays',
        'ignores strings',
        'ignores other non-objects',
        'ignores null',
        'ignores boolean',
      ],
    },
  },
  {
    reason: 'a reference to the meta-schema: nothing is fetched',
    cases: {
      'defs / validate definition against metaschema': ['*'],
      'ref / remote ref, containing refs itself': ['*'],
    },
  },
  {
    reason: 'a reference to a schema outside of the document: nothing is fetched',
    cases: {
      'dynamicRef / strict-tree schema, guards against misspelled properties': ['*'],
      'dynamicRef / tests for implementation dynamic anchor and reference link': ['*'],
      'dynamicRef / $ref and $dynamicAnchor are independent of order - $defs first': ['*'],
      'dynamicRef / $ref and $dynamicAnchor are independent of order - $ref first': ['*'],
      'dynamicRef / $ref to $dynamicRef finds detached $dynamicAnchor': ['*'],
      'refRemote / remote ref': ['*'],
      'refRemote / fragment within remote ref': ['*'],
      'refRemote / anchor within remote ref': ['*'],
      'refRemote / ref within remote ref': ['*'],
      'refRemote / base URI change': ['*'],
      'refRemote / base URI change - change folder': ['*'],
      'refRemote / base URI change - change folder in subschema': ['*'],
      'refRemote / root ref in remote ref': ['*'],
      'refRemote / remote ref with ref to defs': ['*'],
      'refRemote / Location-independent identifier in remote ref': ['*'],
      'refRemote / retrieved nested refs resolve relative to their URI not $id': ['*'],
      'refRemote / remote HTTP ref with different $id': ['*'],
      'refRemote / remote HTTP ref with different URN $id': ['*'],
      'refRemote / remote HTTP ref with nested absolute ref': ['*'],
      'refRemote / $ref to $ref finds detached $anchor': ['*'],
    },
  },
  {
    reason: 'an empty `enum`, which documents that were generated have for an unknown one, accepts every value',
    cases: {
      'enum / empty enum': ['*'],
    },
  },
  {
    reason: '`format` is asserted: OpenAPI users expect it, and OpenAPI 3.0 was always read so',
    cases: {
      'format / email format': ['invalid email string is only an annotation by default'],
      'format / regex format': ['invalid regex string is only an annotation by default'],
      'format / ipv4 format': ['invalid ipv4 string is only an annotation by default'],
      'format / ipv6 format': ['invalid ipv6 string is only an annotation by default'],
      'format / hostname format': ['invalid hostname string is only an annotation by default'],
      'format / date format': ['invalid date string is only an annotation by default'],
      'format / date-time format': ['invalid date-time string is only an annotation by default'],
      'format / time format': ['invalid time string is only an annotation by default'],
      'format / json-pointer format': ['invalid json-pointer string is only an annotation by default'],
      'format / relative-json-pointer format': ['invalid relative-json-pointer string is only an annotation by default'],
      'format / uri format': ['invalid uri string is only an annotation by default'],
      'format / uri-reference format': ['invalid uri-reference string is only an annotation by default'],
      'format / uri-template format': ['invalid uri-template string is only an annotation by default'],
      'format / uuid format': ['invalid uuid string is only an annotation by default'],
      'format / duration format': ['invalid duration string is only an annotation by default'],
    },
  },
  {
    reason: 'Ajv does not note what `contains`, and `if` without `then` and `else`, evaluate',
    cases: {
      'unevaluatedItems / unevaluatedItems with nested items': ['with no additional items', 'with invalid additional item'],
      'unevaluatedItems / unevaluatedItems depends on adjacent contains': ['contains passes, second item is not evaluated'],
      'unevaluatedItems / unevaluatedItems depends on multiple nested contains': ['7 not evaluated, fails unevaluatedItems'],
      'unevaluatedItems / unevaluatedItems and contains interact to control item dependency relationship': [
        "only b's are invalid",
        "only c's are invalid",
        "only b's and c's are invalid",
        "only a's and c's are invalid",
      ],
      'unevaluatedItems / unevaluatedItems with minContains = 0': ['all items evaluated by contains'],
      'unevaluatedItems / unevaluatedItems can see annotations from if without then and else': ['valid in case if is evaluated'],
      'unevaluatedProperties / unevaluatedProperties with if/then/else, then not defined': [
        'when if is true and has no unevaluated properties',
        'when if is false and has unevaluated properties',
      ],
      'unevaluatedProperties / unevaluatedProperties can see annotations from if without then and else': ['valid in case if is evaluated'],
    },
  },
  {
    reason: '`$vocabulary` of another meta-schema is not read',
    cases: {
      'vocabulary / schema that uses custom metaschema with with no validation vocabulary': [
        'no validation: invalid number, but it still validates',
      ],
    },
  },
];
