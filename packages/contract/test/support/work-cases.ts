/** Values that took work beyond their bytes, by what the work is for. Runs one of them where it is the program of a child process. */
import type { Document } from '../../src/document/openapi.ts';
import { createSchemaCompiler } from '../../src/schema/model-of.ts';

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function nested(depth: number, leaf: unknown, wrap: (value: unknown) => unknown): unknown {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

const inChildren = (value: unknown) => ({ folder: 'a', children: [value] });
const inA = (value: unknown) => ({ a: value });
const inList = (value: unknown) => [value];
const node = { type: 'object', properties: { folder: { type: 'string' }, children: { type: 'array', items: refTo('X') } } };
/** Schemas `X`, `X1`, ... of which each has two ways to the next. */
const doubled = (levels: number, last: object, twice: (next: object) => object) =>
  Object.fromEntries(Array.from({ length: levels }, (_, i) => [`X${i || ''}`, i === levels - 1 ? last : twice(refTo(`X${i + 1}`))]));
const propertyA = (next: object) => ({ type: 'object', required: ['a'], properties: { a: next } });
const names = Array.from({ length: 200 }, (_, i) => `property${i}`);
const list = (length: number, item: (i: number) => unknown) => Array.from({ length }, (_, i) => item(i));

export interface WorkCase {
  readonly schemas: Readonly<Record<string, object>>;
  readonly value: unknown;
  readonly isValid: boolean;
  /** The first problem; by its end, if it begins with an ellipsis. */
  readonly problem?: string;
}

const union = (keyword: string, wrong: unknown): WorkCase => ({
  schemas: {
    X: { [keyword]: [refTo('Folder'), refTo('Project')] },
    Folder: { ...node, required: ['folder'] },
    Project: { ...node, required: ['project'] },
  },
  value: nested(60, wrong, inChildren),
  isValid: false,
});

export const WORK_CASES: Readonly<Record<string, WorkCase>> = {
  'a tree of an untagged oneOf': union('oneOf', { folder: 1 }),
  'a tree of an untagged anyOf': union('anyOf', { folder: 1 }),
  'a tree of scalars, lists and maps': {
    schemas: {
      X: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: refTo('X') },
          { type: 'object', additionalProperties: refTo('X') },
          { type: 'array', items: refTo('X') },
        ],
      },
    },
    value: nested(60, 1, inList),
    isValid: false,
  },
  'a circle through allOf': {
    schemas: { X: { allOf: [propertyA(refTo('X')), propertyA(refTo('X'))] } },
    value: nested(60, { a: 1 }, inA),
    isValid: false,
  },
  'a circle through if': {
    schemas: { X: { if: propertyA(refTo('X')), then: propertyA(refTo('X')), else: { type: 'integer' } } },
    value: nested(60, 'x', inA),
    isValid: false,
  },
  'a circle through not': {
    schemas: { X: { type: ['object', 'integer'], properties: { a: { allOf: [refTo('X'), { not: { not: refTo('X') } }] } } } },
    value: nested(60, 'x', inA),
    isValid: false,
  },
  'a circle through contains': {
    schemas: { X: { type: ['array', 'integer'], items: refTo('X'), contains: refTo('X') } },
    value: nested(60, 1, inList),
    isValid: true,
  },
  'a circle through dependentSchemas': {
    schemas: {
      X: { properties: { a: refTo('X') }, type: ['object', 'integer'], dependentSchemas: { a: { properties: { a: refTo('X') } } } },
    },
    value: nested(60, 'x', inA),
    isValid: false,
  },
  'a circle through patterns of names': {
    schemas: { X: { type: ['object', 'integer'], patternProperties: { '^a': refTo('X'), a$: refTo('X') } } },
    value: nested(60, 'x', inA),
    isValid: false,
  },
  'a circle through a dynamic reference': {
    schemas: {
      X: {
        $id: 'https://example.com/x',
        $dynamicAnchor: 'x',
        type: ['object', 'integer'],
        properties: { a: { anyOf: [{ $dynamicRef: '#x' }, { $dynamicRef: '#x' }] } },
      },
    },
    value: nested(60, 'x', inA),
    isValid: false,
  },
  'a circle with unevaluated properties': {
    schemas: {
      X: {
        type: 'object',
        anyOf: [{ properties: { a: refTo('X') } }, { properties: { a: refTo('X'), b: { type: 'integer' } } }],
        unevaluatedProperties: false,
      },
    },
    value: nested(60, { c: 1 }, inA),
    isValid: false,
  },
  'a circle, of a valid value': { ...union('anyOf', { folder: 'x' }), isValid: true },
  'defaults of branches that all match': {
    schemas: {
      X: { type: 'object', anyOf: ['b', 'c'].map((name) => ({ properties: { a: refTo('X'), [name]: { type: 'integer', default: 1 } } })) },
    },
    value: nested(60, {}, inA),
    isValid: true,
  },
  'branches that lead to one schema, thirty levels deep': {
    schemas: doubled(30, { type: 'string' }, (next) => ({ anyOf: [propertyA(next), propertyA(next)] })),
    value: nested(29, 1, inA),
    isValid: false,
  },
  'branches of a scalar, thirty levels deep': {
    schemas: doubled(30, { type: 'string' }, (next) => ({ allOf: [next, next] })),
    value: 1,
    isValid: false,
    problem: ' must be string',
  },
  'thousands of problems': {
    schemas: { X: { type: 'array', items: { type: 'object', required: names } } },
    value: list(21_000, () => ({})),
    isValid: false,
    problem: "/0 must have required property 'property0'",
  },
  'a list beyond maxItems with uniqueItems': {
    schemas: { X: { type: 'array', maxItems: 100, uniqueItems: true, items: { type: 'object' } } },
    value: list(30_000, (id) => ({ id })),
    isValid: false,
    problem: ' must NOT have more than 100 items',
  },
  'a list beyond maxItems with uniqueItems in a branch': {
    schemas: { X: { type: 'array', maxItems: 100, anyOf: [{ uniqueItems: true }, { type: 'string' }] } },
    value: list(30_000, (id) => ({ id })),
    isValid: false,
    problem: ' must NOT have more than 100 items',
  },
  'an object beyond maxProperties': {
    schemas: { X: { maxProperties: 10, propertyNames: { format: 'url' }, patternProperties: { '^(?:a|b)+c': { type: 'integer' } } } },
    value: Object.fromEntries(list(30_000, (i) => [`p${i}`, 'x']) as [string, string][]),
    isValid: false,
    problem: ' must NOT have more than 10 properties',
  },
  'a text beyond maxLength with a format': {
    schemas: { X: { type: 'string', maxLength: 100, format: 'url' } },
    value: `http://${':'.repeat(60_000)}`,
    isValid: false,
    problem: ' must NOT have more than 100 characters',
  },
  'a list of objects that are unique': {
    schemas: { X: { type: 'array', uniqueItems: true, items: { type: 'object' } } },
    value: list(30_000, (id) => ({ id, list: [id, { id }] })),
    isValid: true,
  },
  'lists in lists whose items are unique': {
    schemas: { X: { type: ['array', 'string'], uniqueItems: true, items: refTo('X') } },
    value: nested(900, 'x'.repeat(10_000), (value) => [value, 'y']),
    isValid: true,
  },
};

export function documentOf({ schemas }: WorkCase): Document {
  return { openapi: '3.1.0', info: { title: 'Work', version: '1' }, paths: {}, components: { schemas } };
}

export const compileCase = (one: WorkCase, direction: 'request' | 'response') =>
  createSchemaCompiler(documentOf(one), direction)('#/components/schemas/X');
