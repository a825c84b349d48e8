/** What clients can notice of each edit of the spec is in the changelog, in words that say it; what they cannot is not. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { createChangelog, type PublishedChange } from '../src/changelog/changelog.ts';
import { isWarning } from '../src/compare/rules.ts';
import { CALLERS } from './support/breaking-callers.ts';
import { OPERATIONS } from './support/breaking-operations.ts';
import { SCHEMAS } from './support/breaking-schemas.ts';
import { SCHEMAS_31 } from './support/breaking-schemas-31.ts';
import { documentOf, pathOf, type Case } from './support/breaking.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const NO_RECORDS = { file: 'records.yaml', base: undefined, working: undefined };

const lineOf = ({ kind, where, what, breaking }: PublishedChange) =>
  `${kind}${breaking === undefined ? '' : '!'} ${where === '' ? '' : `${where}: `}${what}`;

/** Edits of the table that say the same in another way, or only say more about it. */
const UNNOTICED =
  /another order|in another case|written out|made a component|made one of its path|words and examples|examples changed|texts for the values|beside a reference, in a|body limit of an operation without a body|a list of one type|as an enum/;
const NOTICED_ALL_THE_SAME = /default (put|removed)|null (no longer )?allowed beside/;

/** By the name of the edit: its lines; `!` is a break. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'an operation removed': ['removed! operation removed'],
  'an operation added': ['added operation added'],
  'an operationId changed': ['changed! operationId changed from `op-get-2` to `other-get-2`, which names functions of generated clients'],
  'a status changed': ['added response 201 added', 'removed! response 200 removed'],
  'a media type removed from a response': ['removed! response 200: `text/json` removed'],
  'a response header made optional': ['changed! response 200, header `X-A`: now optional'],
  'a response header added': ['added response 200: optional header `X-A` added'],
  'all parameters removed, each told': ['removed! optional query parameter `p` removed', 'removed! optional query parameter `q` removed'],
  'a required parameter added': ['added! required query parameter `p` added'],
  'an optional parameter added': ['added optional query parameter `p` added'],
  'a parameter made required': ['changed! query parameter `q`: now required'],
  'a parameter written in another style': ['changed! query parameter `q`: `explode` changed from `true` to `false`'],
  'the range of a parameter narrowed': ['changed! query parameter `q`: `maximum` lowered from `100` to `50`'],
  'a required request body added': ['added! required request body added'],
  'a new body limit': ['changed! request body: largest body in bytes lowered from `65536` to `1000`'],
  'a second scheme needed': ['changed! credentials changed from `key` to `key and other`'],
  'another scheme accepted as well': ['added `other` accepted as well'],
  'a deprecation with a sunset to come': ['deprecated deprecated, answers 410 from 2027-01-01 on'],
  'a sunset moved earlier': ['deprecated! end moved from 2027-12-31 to 2027-01-01'],
  'a deprecation taken back': ['changed no longer deprecated'],
  'an operation removed after its sunset': ['removed operation removed, after its end on 2026-01-01'],
  'a stability lowered': ['changed! stability changed from `beta` to `experimental`'],
  'a cost raised': ['changed! cost in the rate limit raised from `1` to `2`'],
  'a property of a property removed, in a response': ['removed! response 200: optional property `list[].deep` removed'],
  'a required property added, in a request': ['added! request body: required property `extra` added'],
  'a property made optional, in a response': ['changed! response 200, property `name`: now optional'],
  'a value added to an enum, in a request': ['added request body, property `kind`: value `c` added'],
  'a value added to an enum, in a response': ['added! response 200, property `kind`: value `c` added'],
  'another type, in a request': ['changed! request body, property `name`: `type` changed from `string` to `integer`'],
  'null allowed, in a response': ['changed! response 200, property `name`: null allowed'],
  'maxLength removed, in a request': ['changed request body, property `name`: `maxLength` `10` removed'],
  'items made unique, in a request': ['changed! request body, property `list`: items now have to be unique'],
  'undeclared properties allowed, in a request': ['changed request body: undeclared properties allowed'],
  'default changed, in a request': ['changed! request body, property `age`: `default` raised from `1` to `2`'],
  'a property made readOnly, in a request': ['changed! request body, property `kind`: now read-only: only in responses'],
  'an alternative removed, in a request': ['removed! request body: alternative `integer` removed'],
  'a property deprecated, in a response': ['deprecated response 200, property `kind`: deprecated'],
};

describe.each<[version: string, cases: readonly Case[], fields: object]>([
  ['3.0', [...OPERATIONS, ...CALLERS, ...SCHEMAS], {}],
  ['3.1', SCHEMAS_31, { openapi: '3.1.0' }],
])('an edit of a document of OpenAPI %s', (_version, cases, fields) => {
  let changes: PublishedChange[];
  beforeAll(async () => {
    const text = (side: 'before' | 'after') => JSON.stringify(documentOf(cases, side, { ...fields }).written);
    changes = await createChangelog({ file: 'base.yaml', spec: text('before') }, parseSource('spec.yaml', text('after')), NO_RECORDS, NOW);
  });
  const linesOf = (i: number) => changes.filter(({ operations }) => operations.some((name) => name.endsWith(` ${pathOf(i)}`)));

  test.each(cases.map(([name, , , finds], i) => ({ name, finds, i })))('$name', ({ name, finds, i }) => {
    const found = linesOf(i);
    const isUnnoticed = UNNOTICED.test(name) && !NOTICED_ALL_THE_SAME.test(name);
    expect(found.length > 0).toBe(!isUnnoticed);
    expect(found.flatMap(({ breaking }) => breaking?.rule ?? []).sort()).toEqual(finds.filter((rule) => !isWarning(rule)).sort());
    if (EXPECTED[name] !== undefined) expect(found.map(lineOf)).toEqual(EXPECTED[name]);
  });
});

test('every expected line is of an edit of the table', () => {
  const names = [...OPERATIONS, ...CALLERS, ...SCHEMAS].map(([name]) => name);
  expect(Object.keys(EXPECTED).filter((name) => !names.includes(name))).toEqual([]);
});
