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
            valid: [[sent, value, 'the-example-of-the-table']],
          },
        ];
  return [...row('string', TEXT, text, 'blue'), ...row('array', COLORS, list, THREE), ...row('object', RGB, object, PARTS)];
});

const ROWS: readonly Row[] = [
  ...STYLE_ROWS,
  {
    name: 'query-integer',
    in: 'query',
    schema: { type: 'integer', minimum: -5, maximum: 10 },
    source: schemaOf('The value of a parameter is an instance of its schema.'),
    valid: [
      ['color=7', 7, 'a-number'],
      ['color=-5', -5, 'the-minimum'],
      ['color=10', 10, 'the-maximum'],
      ['', undefined, 'nothing'],
    ],
    invalid: [
      ['color=11', 'above-the-maximum'],
      ['color=-6', 'below-the-minimum'],
      ['color=seven', 'a-word'],
      ['color=1.5', 'a-fraction'],
      ['color=', 'the-empty-text'],
      ['color=0x7', 'hexadecimal'],
      ['color=%207', 'a-blank-before'],
      ['color=7&color=8', 'twice'],
      ['color=Infinity', 'Infinity'],
      ['color=NaN', 'NaN'],
    ],
  },
];

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

const casesOf = (row: Row): Case[] => [
  ...row.valid.map(([sent, value, what]): Case => ({
    id: `parameters/${row.name}/${what}`,
    operationId: echoId(row.name),
    request: requestOf(row, sent),
    accepts: [{ kind: 'received', received: { [row.in]: value === undefined ? {} : { [nameOf(row)]: value } } }],
    source: row.source,
  })),
  ...(row.invalid ?? []).map(([sent, what]): Case => ({
    id: `parameters/${row.name}/${what}`,
    operationId: echoId(row.name),
    request: requestOf(row, sent),
    accepts: [{ kind: 'refused', statuses: row.in === 'path' ? [400, 404, 422] : [400, 422] }],
    source: row.source,
  })),
];

const nameOf = ({ in: location }: Row): string => (location === 'header' ? 'Color' : 'color');

export const parameters: Group = {
  name: 'parameters',
  document: document('3.0.4', 'Parameters', {
    paths: Object.fromEntries(
      ROWS.map((row) => [
        TEMPLATE[row.in](row.name),
        {
          get: echo(row.name, {
            parameters: [
              { name: nameOf(row), in: row.in, ...(row.in === 'path' ? { required: true } : {}), ...row.rest, schema: row.schema },
            ],
          }),
        },
      ]),
    ),
  }),
  cases: ROWS.flatMap(casesOf),
};
