/** Parameters in every style, of every type: what is sent, and the value that the handler has to get. */
import type { Case, Group, Source } from '../case.ts';
import { document, echo, echoId } from '../operations.ts';
import { request } from '../request.ts';

type Location = 'path' | 'query' | 'header' | 'cookie';

interface Row {
  readonly name: string;
  readonly in: Location;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Of the parameter object, beside its name and schema. */
  readonly rest?: Readonly<Record<string, unknown>>;
  readonly source: Source;
  /** What is sent, and its value; `undefined` is a parameter that was not sent. */
  readonly valid: readonly (readonly [sent: string, value: unknown, what: string])[];
  readonly invalid?: readonly (readonly [sent: string, what: string])[];
}

const STYLES = 'OpenAPI 3.0.4, 4.7.12.4, Style Examples';
const styles = (sentence: string): Source => ({ standard: 'OpenAPI 3.0.4', section: '4.7.12.4', sentence, from: STYLES });
const schemaOf = (sentence: string, section = '4.7.24'): Source => ({ standard: 'OpenAPI 3.0.4', section, sentence });

const TEXT = { type: 'string' };
const COLORS = { type: 'array', items: { type: 'string' } };
const RGB = {
  type: 'object',
  additionalProperties: false,
  properties: { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } },
};
const THREE = ['blue', 'black', 'brown'];
const PARTS = { R: 100, G: 200, B: 150 };

/** Rows of the style examples: `color` is "blue", ["blue","black","brown"] or { "R": 100, "G": 200, "B": 150 }. */
const STYLE_ROWS: readonly Row[] = (
  [
    ['path', 'matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['path', 'matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['path', 'label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['path', 'label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['path', 'simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['path', 'simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['query', 'form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['query', 'form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    ['query', 'spaceDelimited', false, undefined, 'color=blue%20black%20brown', undefined],
    ['query', 'pipeDelimited', false, undefined, 'color=blue%7Cblack%7Cbrown', undefined],
    ['query', 'deepObject', true, undefined, undefined, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['header', 'simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['header', 'simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['cookie', 'form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ] as const
).flatMap(([location, style, explode, text, list, object]) => {
  const row = (type: string, schema: Row['schema'], sent: string | undefined, value: unknown): Row[] =>
    sent === undefined
      ? []
      : [
          {
            name: `${location}-${style}${explode ? '-explode' : ''}-${type}`,
            in: location,
            schema,
            rest: { style, explode },
            source: styles(`style ${style}, explode ${explode}, ${type}: ${sent}`),
            valid: [[sent, value, 'the example of the table']],
          },
        ];
  return [...row('string', TEXT, text, 'blue'), ...row('array', COLORS, list, THREE), ...row('object', RGB, object, PARTS)];
});

const INSTANCE = schemaOf('The schema defining the type used for the parameter.', '4.7.12.2');
const jsonSchema = (section: string, sentence: string): Source => ({ standard: 'JSON Schema Validation (Wright 00)', section, sentence });

const integer = (name: string, location: Location, before: string): Row => ({
  name,
  in: location,
  schema: { type: 'integer', minimum: -5, maximum: 10 },
  source: INSTANCE,
  valid: [
    [`${before}7`, 7, 'a number'],
    [`${before}-5`, -5, 'the minimum'],
    [`${before}10`, 10, 'the maximum'],
    [`${before}0`, 0, 'zero'],
  ],
  invalid: [
    [`${before}11`, 'above the maximum'],
    [`${before}-6`, 'below the minimum'],
    [`${before}seven`, 'a word'],
    [`${before}1.5`, 'a fraction'],
    [`${before}0x7`, 'hexadecimal'],
    [`${before}NaN`, 'NaN'],
    [`${before}Infinity`, 'Infinity'],
    [`${before}true`, 'a boolean'],
    [`${before}7,8`, 'two numbers'],
    [`${before}7abc`, 'a number and letters'],
  ],
});

const TYPE_ROWS: readonly Row[] = [
  integer('path-integer', 'path', ''),
  integer('query-integer', 'query', 'color='),
  integer('header-integer', 'header', ''),
  integer('cookie-integer', 'cookie', 'color='),
  {
    name: 'query-integer-once',
    in: 'query',
    schema: { type: 'integer' },
    source: schemaOf('A parameter is defined by a name and a location; a primitive value has one.', '4.7.12'),
    valid: [['', undefined, 'nothing: it is optional']],
    invalid: [
      ['color=', 'the empty text'],
      ['color', 'no equals sign'],
      ['color=%207', 'a blank before'],
      ['color=7%20', 'a blank after'],
      ['color=7&color=8', 'twice'],
      ['color=%37&color=8', 'twice, once encoded'],
      ['color=7%00', 'NUL'],
      ['color=%D9%A7', 'an Arabic digit'],
    ],
  },
  {
    name: 'query-number',
    in: 'query',
    schema: { type: 'number', exclusiveMaximum: true, maximum: 1000, multipleOf: 0.25 },
    source: jsonSchema('5.1 to 5.3', 'if "exclusiveMaximum" is true, then a numeric instance SHOULD NOT be equal to "maximum"'),
    valid: [
      ['color=7', 7, 'an integer'],
      ['color=-1.25', -1.25, 'a negative fraction'],
      ['color=1e2', 100, 'an exponent'],
      ['color=999.75', 999.75, 'just below the maximum'],
      ['color=0.50', 0.5, 'a trailing zero'],
    ],
    invalid: [
      ['color=1000', 'the exclusive maximum'],
      ['color=0.3', 'no multiple'],
      ['color=1,5', 'a decimal comma'],
      ['color=.', 'a dot'],
      ['color=1e', 'half an exponent'],
      ['color=--1', 'two signs'],
    ],
  },
  {
    name: 'query-boolean',
    in: 'query',
    schema: { type: 'boolean' },
    source: INSTANCE,
    valid: [
      ['color=true', true, 'true'],
      ['color=false', false, 'false'],
    ],
    invalid: [
      ['color=1', 'one'],
      ['color=0', 'zero'],
      ['color=yes', 'yes'],
      ['color=TRUE', 'capitals'],
      ['color=', 'the empty text'],
      ['color=null', 'null'],
    ],
  },
  {
    name: 'query-text',
    in: 'query',
    schema: { type: 'string', minLength: 2, maxLength: 4 },
    source: jsonSchema('5.6, 5.7', 'The length of a string instance is defined as the number of its characters as defined by RFC 7159.'),
    valid: [
      ['color=ab', 'ab', 'the shortest'],
      ['color=abcd', 'abcd', 'the longest'],
      ['color=12', '12', 'digits stay a text'],
      ['color=true', 'true', 'true stays a text'],
      ['color=null', 'null', 'null stays a text'],
      ['color=1e2', '1e2', 'an exponent stays a text'],
      ['color=%F0%9F%90%95%F0%9F%90%95', '🐕🐕', 'two characters of four bytes'],
      ['color=%F0%9F%90%95%F0%9F%90%95%F0%9F%90%95%F0%9F%90%95', '🐕🐕🐕🐕', 'four characters of four bytes'],
      ['color=a%26b', 'a&b', 'an encoded ampersand'],
      ['color=a%3Db', 'a=b', 'an encoded equals sign'],
      ['color=a=b', 'a=b', 'an equals sign'],
      ['color=a%25b', 'a%b', 'an encoded percent sign'],
      ['color=a%2Bb', 'a+b', 'an encoded plus'],
      ['color=a%20b', 'a b', 'an encoded blank'],
      ['color=a,b', 'a,b', 'a comma is no list'],
      ['color=%C3%A4%C3%B6', 'äö', 'two bytes a character'],
      ['color=%61b', 'ab', 'an encoded letter'],
      ['color=a/b', 'a/b', 'a slash'],
      ['color=a?b', 'a?b', 'a question mark'],
      ['c%6Flor=ab', 'ab', 'an encoded name'],
    ],
    invalid: [
      ['color=a', 'too short'],
      ['color=abcde', 'too long'],
      ['color=', 'empty'],
      ['color=%F0%9F%90%95', 'one character of four bytes'],
      ['color=%FFab', 'no UTF-8'],
      ['color=a%C0%AF', 'an overlong slash'],
      ['color=%ED%A0%80a', 'half a surrogate pair'],
    ],
  },
  {
    name: 'query-enum',
    in: 'query',
    schema: { type: 'string', enum: ['red', 'light blue', '7'] },
    source: jsonSchema('5.20', "its value is equal to one of the elements in this keyword's array value"),
    valid: [
      ['color=red', 'red', 'the first'],
      ['color=light%20blue', 'light blue', 'one with a blank'],
      ['color=7', '7', 'digits'],
    ],
    invalid: [
      ['color=Red', 'another case'],
      ['color=blue', 'another'],
      ['color=7.0', 'an equal number'],
      ['color=red%20', 'a blank after'],
    ],
  },
  {
    name: 'query-pattern',
    in: 'query',
    schema: { type: 'string', pattern: '^[a-z]+[0-9]?$' },
    source: jsonSchema('5.8', 'A string instance is considered valid if the regular expression matches the instance successfully.'),
    valid: [
      ['color=blue', 'blue', 'letters'],
      ['color=blue7', 'blue7', 'letters and a digit'],
    ],
    invalid: [
      ['color=Blue', 'a capital'],
      ['color=blue77', 'two digits'],
      ['color=blue%0A', 'a line break at the end'],
    ],
  },
  {
    name: 'query-pattern-anywhere',
    in: 'query',
    schema: { type: 'string', pattern: 'b.e' },
    source: jsonSchema('4.3', 'regular expressions are not implicitly anchored'),
    valid: [['color=a%20blue%20bee', 'a blue bee', 'in the middle']],
    invalid: [['color=be', 'nowhere']],
  },
  {
    name: 'query-date',
    in: 'query',
    schema: { type: 'string', format: 'date' },
    source: schemaOf('date: As defined by full-date - RFC3339', '4.4'),
    valid: [
      ['color=2024-02-29', '2024-02-29', 'a leap day'],
      ['color=2026-12-31', '2026-12-31', 'the last of a year'],
    ],
    invalid: [
      ['color=2023-02-29', 'no leap year'],
      ['color=2026-13-01', 'month 13'],
      ['color=2026-1-1', 'one digit'],
      ['color=2026-01-01T00:00:00Z', 'a time'],
      ['color=20260101', 'no hyphens'],
    ],
  },
  {
    name: 'query-date-time',
    in: 'query',
    schema: { type: 'string', format: 'date-time' },
    source: schemaOf('date-time: As defined by date-time - RFC3339', '4.4'),
    valid: [
      ['color=1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.52Z', 'the first example of RFC 3339'],
      ['color=1996-12-19T16:39:57-08:00', '1996-12-19T16:39:57-08:00', 'the second example of RFC 3339'],
      ['color=1937-01-01T12:00:27.87%2B00:20', '1937-01-01T12:00:27.87+00:20', 'the fifth example of RFC 3339'],
    ],
    invalid: [
      ['color=1985-04-12', 'a date'],
      ['color=1985-04-12T23:20:50', 'no offset'],
      ['color=1985-04-12T25:20:50Z', 'hour 25'],
      ['color=1985-02-30T23:20:50Z', 'no such day'],
      ['color=yesterday', 'a word'],
    ],
  },
  {
    name: 'query-default',
    in: 'query',
    schema: { type: 'integer', default: 20, minimum: 1 },
    source: schemaOf(
      'The default value represents what would be assumed by the consumer of the input as the value of the schema if one is not provided.',
      '4.7.24',
    ),
    valid: [
      ['', 20, 'nothing: the default'],
      ['color=3', 3, 'a value'],
    ],
    invalid: [['color=0', 'below the minimum']],
  },
  {
    name: 'query-required',
    in: 'query',
    schema: { type: 'string' },
    rest: { required: true },
    source: schemaOf('Determines whether this parameter is mandatory.', '4.7.12.1'),
    valid: [['color=blue', 'blue', 'a value']],
    invalid: [
      ['', 'nothing'],
      ['Color=blue', 'another case of the name'],
      ['colour=blue', 'another name'],
    ],
  },
  {
    name: 'header-required',
    in: 'header',
    schema: { type: 'string', minLength: 1 },
    rest: { required: true },
    source: schemaOf('Determines whether this parameter is mandatory.', '4.7.12.1'),
    valid: [
      ['blue', 'blue', 'a value'],
      ['  blue\t', 'blue', 'blanks around it'],
    ],
    invalid: [['', 'an empty field']],
  },
  {
    name: 'cookie-required',
    in: 'cookie',
    schema: { type: 'string' },
    rest: { required: true },
    source: {
      standard: 'RFC 6265',
      section: '4.2.1',
      sentence: 'cookie-string = cookie-pair *( ";" SP cookie-pair )',
      from: 'RFC 6265, 3.1',
    },
    valid: [
      ['color=blue', 'blue', 'alone'],
      ['SID=31d4d96e407aad42; color=blue; lang=en-US', 'blue', 'among others'],
      ['color=a=b', 'a=b', 'an equals sign in its value'],
    ],
    invalid: [
      ['SID=31d4d96e407aad42; lang=en-US', 'others alone'],
      ['Color=blue', 'another case of the name'],
    ],
  },
  {
    name: 'query-list',
    in: 'query',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3, uniqueItems: true },
    rest: { style: 'form', explode: true },
    source: schemaOf(
      'When this is true, parameter values of type array or object generate separate parameters for each value of the array.',
      '4.7.12.2',
    ),
    valid: [
      ['color=1', [1], 'one'],
      ['color=1&color=2&color=3', [1, 2, 3], 'the most'],
      ['', undefined, 'none: it is optional'],
    ],
    invalid: [
      ['color=1&color=2&color=3&color=4', 'one too many'],
      ['color=1&color=1', 'the same twice'],
      ['color=1&color=x', 'a word among them'],
      ['color=1,2', 'by a comma'],
      ['color=1&color=', 'an empty one'],
    ],
  },
  {
    name: 'query-list-commas',
    in: 'query',
    schema: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 3 },
    rest: { style: 'form', explode: false },
    source: schemaOf('Form style parameters defined by RFC6570.', '4.7.12.3'),
    valid: [
      ['color=blue', ['blue'], 'one'],
      ['color=blue,black', ['blue', 'black'], 'two'],
      ['color=light%20blue,black', ['light blue', 'black'], 'an encoded blank'],
      ['color=a%2Cb,c', ['a,b', 'c'], 'an encoded comma is part of a value'],
    ],
    invalid: [
      ['color=a,b,c,d', 'one too many'],
      ['color=a,,b', 'an empty one'],
    ],
  },
  {
    name: 'query-list-pipes',
    in: 'query',
    schema: { type: 'array', items: { type: 'integer' } },
    rest: { style: 'pipeDelimited', explode: false },
    source: styles('Pipe separated array values. This option replaces collectionFormat equal to pipes.'),
    valid: [
      ['color=1%7C2', [1, 2], 'encoded'],
      ['color=1|2', [1, 2], 'as it is'],
    ],
    invalid: [['color=1%7Cx', 'a word among them']],
  },
  {
    name: 'query-list-blanks',
    in: 'query',
    schema: { type: 'array', items: { type: 'integer' } },
    rest: { style: 'spaceDelimited', explode: false },
    source: styles('Space separated array values. This option replaces collectionFormat equal to ssv.'),
    valid: [['color=1%202', [1, 2], 'encoded']],
    invalid: [['color=1%20x', 'a word among them']],
  },
  {
    name: 'query-deep-object',
    in: 'query',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['R'],
      properties: { R: { type: 'integer', maximum: 255 }, note: { type: 'string' }, dark: { type: 'boolean' } },
    },
    rest: { style: 'deepObject', explode: true },
    source: schemaOf('Provides a simple way of rendering nested objects using form parameters.', '4.7.12.3'),
    valid: [
      ['color[R]=100', { R: 100 }, 'brackets as they are'],
      ['color%5BR%5D=100&color%5Bnote%5D=7', { R: 100, note: '7' }, 'a text of digits'],
      ['color[R]=100&color[dark]=true', { R: 100, dark: true }, 'a boolean'],
      ['', undefined, 'nothing: it is optional'],
    ],
    invalid: [
      ['color[R]=256', 'above the maximum'],
      ['color[R]=x', 'a word'],
      ['color[note]=x', 'a property is missing'],
      ['color[R]=1&color[G]=2', 'one that is not declared'],
      ['color[R]=1&color[R]=2', 'one twice'],
      ['color[R]=1&color[R][x]=2', 'a value and an object'],
      ['color=1', 'no brackets'],
      ['color[R]=1&color[__proto__]=2', 'a prototype'],
    ],
  },
  {
    name: 'query-exploded-object',
    in: 'query',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['R'],
      properties: { R: { type: 'integer' }, G: { type: 'integer' } },
    },
    rest: { style: 'form', explode: true, required: true },
    source: schemaOf('separate parameters for each ... key-value pair of the map', '4.7.12.2'),
    valid: [
      ['R=1&G=2', { R: 1, G: 2 }, 'two properties'],
      ['R=1', { R: 1 }, 'one property'],
    ],
    invalid: [
      ['G=2', 'a required property is missing'],
      ['R=x', 'a word'],
    ],
  },
  {
    name: 'query-content-json',
    in: 'query',
    schema: { type: 'object', additionalProperties: false, required: ['x'], properties: { x: { type: 'integer' }, y: { type: 'string' } } },
    rest: { content: 'application/json' },
    source: schemaOf('content: A map containing the representations for the parameter. The key is the media type.', '4.7.12.2'),
    valid: [
      ['color=%7B%22x%22%3A1%7D', { x: 1 }, 'encoded'],
      ['color={"x":1,"y":"2"}', { x: 1, y: '2' }, 'as it is'],
    ],
    invalid: [
      ['color=%7B%22x%22%3A%221%22%7D', 'a text for the number'],
      ['color=%7B%7D', 'a property is missing'],
      ['color=%7B', 'half of it'],
      ['color=x', 'no JSON'],
      ['color=%7B%22x%22%3A1%2C%22x%22%3A2%7D', 'a name twice'],
    ],
  },
  {
    name: 'header-list',
    in: 'header',
    schema: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    source: { standard: 'RFC 9110', section: '5.6.1', sentence: 'list = element *( OWS "," OWS element )' },
    valid: [
      ['1,2', [1, 2], 'commas'],
      ['1, 2 ,3', [1, 2, 3], 'blanks around commas'],
      ['1\r\nColor: 2', [1, 2], 'two fields of one name'],
    ],
    invalid: [
      ['1,x', 'a word among them'],
      ['1,2,3,4', 'one too many'],
    ],
  },
  {
    name: 'path-text',
    in: 'path',
    schema: { type: 'string', maxLength: 6 },
    source: {
      standard: 'RFC 3986',
      section: '2.1, 3.3',
      sentence: 'A percent-encoding mechanism is used to represent a data octet in a component.',
    },
    valid: [
      ['blue', 'blue', 'letters'],
      ['a%20b', 'a b', 'an encoded blank'],
      ['a%2Fb', 'a/b', 'an encoded slash'],
      ['%C3%A4', 'ä', 'two bytes a character'],
      ['%F0%9F%90%95', '🐕', 'four bytes a character'],
      ['a+b', 'a+b', 'a plus is a plus'],
      ['a%3Fb', 'a?b', 'an encoded question mark'],
      ['a%25b', 'a%b', 'an encoded percent sign'],
      ['a%252Fb', 'a%2Fb', 'decoded once'],
      ['a:b@c', 'a:b@c', 'a colon and an at sign'],
      ['a;b=c', 'a;b=c', 'a semicolon'],
      ['007', '007', 'digits stay a text'],
    ],
    invalid: [
      ['longest', 'too long'],
      ['%FF', 'no UTF-8'],
      ['a%2', 'half an encoding'],
      ['%zz', 'no hexadecimal digits'],
    ],
  },
  {
    name: 'path-list',
    in: 'path',
    schema: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    source: schemaOf('Simple style parameters defined by RFC6570. This option replaces collectionFormat with a csv value.', '4.7.12.3'),
    valid: [
      ['1', [1], 'one'],
      ['1,2,3', [1, 2, 3], 'three'],
    ],
    invalid: [
      ['1,x', 'a word among them'],
      ['1,2,3,4', 'one too many'],
    ],
  },
  {
    name: 'path-list-texts',
    in: 'path',
    schema: { type: 'array', items: { type: 'string' } },
    source: {
      standard: 'RFC 6570',
      section: '3.2.2',
      sentence: 'each defined list member ... is appended with U+R expansion: a comma of a member is percent-encoded',
    },
    valid: [
      ['a%20b,c', ['a b', 'c'], 'an encoded blank'],
      ['a%2Cb,c', ['a,b', 'c'], 'an encoded comma is part of a value'],
    ],
  },
  {
    name: 'header-list-texts',
    in: 'header',
    schema: { type: 'array', items: { type: 'string' } },
    source: { standard: 'RFC 9110', section: '5.6.1', sentence: 'list = element *( OWS "," OWS element )', from: 'RFC 9110, 5.6.1' },
    valid: [['foo , bar', ['foo', 'bar'], 'an example of the RFC']],
  },
];

const ROWS: readonly Row[] = [...STYLE_ROWS, ...TYPE_ROWS];

const TEMPLATE: Record<Location, (name: string) => string> = {
  path: (name) => `/parameters/${name}/{color}`,
  query: (name) => `/parameters/${name}`,
  header: (name) => `/parameters/${name}`,
  cookie: (name) => `/parameters/${name}`,
};

function requestOf({ name, in: location }: Row, sent: string): string {
  const path = `/parameters/${name}`;
  switch (location) {
    case 'path':
      return request('GET', `${path}/${sent}`);
    case 'query':
      return request('GET', sent === '' ? path : `${path}?${sent}`);
    case 'header':
      return request('GET', path, { Color: sent });
    case 'cookie':
      return request('GET', path, { Cookie: sent });
  }
}

const idOf = ({ name }: Row, what: string): string => `parameters/${name}/${what.replaceAll(' ', '-')}`;

const casesOf = (row: Row): Case[] => [
  ...row.valid.map(([sent, value, what]): Case => ({
    id: idOf(row, what),
    operationId: echoId(row.name),
    request: requestOf(row, sent),
    accepts: [{ kind: 'received', received: { [row.in]: value === undefined ? {} : { [nameOf(row)]: value } } }],
    source: row.source,
  })),
  ...(row.invalid ?? []).map(([sent, what]): Case => ({
    id: idOf(row, what),
    operationId: echoId(row.name),
    request: requestOf(row, sent),
    accepts: [{ kind: 'refused', statuses: row.in === 'path' ? [400, 404, 422] : [400, 422] }],
    source: row.source,
  })),
];

const nameOf = ({ in: location }: Row): string => (location === 'header' ? 'Color' : 'color');

function parameterOf(row: Row): Record<string, unknown> {
  const { content, ...rest } = row.rest ?? {};
  const described = typeof content === 'string' ? { content: { [content]: { schema: row.schema } } } : { schema: row.schema };
  return { name: nameOf(row), in: row.in, ...(row.in === 'path' ? { required: true } : {}), ...rest, ...described };
}

export const parameters: Group = {
  name: 'parameters',
  document: document('3.0.4', 'Parameters', {
    paths: Object.fromEntries(
      ROWS.map((row) => [
        TEMPLATE[row.in](row.name),
        {
          get: echo(row.name, {
            parameters: [parameterOf(row)],
          }),
        },
      ]),
    ),
  }),
  cases: ROWS.flatMap(casesOf),
};
