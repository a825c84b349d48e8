/** Changes of schemas, each as a client meets it in what it sends and in what it receives, with the rules that have to find them. */
import { changed, OBJECT, request, response, type Case } from './breaking.ts';

type Fields = Record<string, unknown>;

/** The same change of a schema in a request and in a response, and which rules each has to meet. */
export const both = (name: string, before: Fields, after: Fields, sent: readonly string[], received: readonly string[]): Case[] => [
  [`${name}, in a request`, request(before), request(after), sent],
  [`${name}, in a response`, response(before), response(after), received],
];
const CONSTRAINT = ['schema-constraint-changed'];
const TYPE = ['schema-type-changed'];
const object = (name: string, place: string, keywords: Fields, sent: readonly string[], received: readonly string[]) =>
  both(name, OBJECT, changed(place, keywords), sent, received);
const whole = (number: Fields) => ({ type: 'integer', ...number });

/** An object with two required properties, one of which is in responses only. */
const withReadOnly = (keywords: Fields): Fields => ({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' }, kind: { type: 'string' } },
  ...keywords,
});
const SAME = { $ref: '#/components/schemas/Same' };

export const SCHEMAS: readonly Case[] = [
  ...object('a property removed', 'properties', { kind: undefined }, ['property-removed'], ['property-removed']),
  ...object(
    'a property of a property removed',
    'properties.list.items.properties',
    { deep: undefined },
    ['property-ignored'],
    ['property-removed'],
  ),
  ...object('an optional property added', 'properties', { extra: { type: 'string' } }, [], []),
  ...object(
    'a required property added',
    '',
    { required: ['name', 'extra'], properties: { ...OBJECT.properties, extra: { type: 'string' } } },
    ['required-properties-added'],
    [],
  ),
  ...object('a property made required', '', { required: ['name', 'age'] }, ['required-properties-added'], []),
  ...object('a property made optional', '', { required: undefined }, [], ['required-properties-removed']),
  ...object('a value removed from an enum', 'properties.kind', { enum: ['a'] }, ['enum-values-removed'], []),
  ...object('a value added to an enum', 'properties.kind', { enum: ['a', 'b', 'c'] }, [], ['enum-values-added']),
  ...object('an enum in another order', 'properties.kind', { enum: ['b', 'a'] }, [], []),
  ...object('texts for the values of an enum', 'properties.kind', { 'x-enumDescriptions': { a: 'The first.' } }, [], []),
  ...object('another type', 'properties.name', { type: 'integer' }, TYPE, TYPE),
  ...both('number made integer', { type: 'number' }, { type: 'integer' }, TYPE, []),
  ...both('integer made number', { type: 'integer' }, { type: 'number' }, [], TYPE),
  ...both('integer made number, with formats', { type: 'integer', format: 'int32' }, { type: 'number', format: 'double' }, [], TYPE),
  ...both('number made integer, with formats', { type: 'number', format: 'double' }, { type: 'integer', format: 'int32' }, TYPE, []),
  ...object('null no longer allowed', 'properties.age', { nullable: undefined }, TYPE, []),
  ...object('null allowed', 'properties.name', { nullable: true }, [], TYPE),
  ...object('maximum lowered', 'properties.age', { maximum: 5 }, CONSTRAINT, []),
  ...object('maximum raised', 'properties.age', { maximum: 50 }, [], CONSTRAINT),
  ...object('minimum raised', 'properties.age', { minimum: 5 }, CONSTRAINT, []),
  ...both('a bound made exclusive', whole({ minimum: 1 }), whole({ minimum: 1, exclusiveMinimum: true }), CONSTRAINT, []),
  ...object('maxLength lowered', 'properties.name', { maxLength: 5 }, CONSTRAINT, []),
  ...object('maxLength removed', 'properties.name', { maxLength: undefined }, [], CONSTRAINT),
  ...object('minLength raised', 'properties.name', { minLength: 2 }, CONSTRAINT, []),
  ...object('pattern changed', 'properties.name', { pattern: '^b' }, CONSTRAINT, CONSTRAINT),
  ...object('pattern removed', 'properties.name', { pattern: undefined }, [], CONSTRAINT),
  ...object('format changed', 'properties.age', { format: 'int64' }, [], CONSTRAINT),
  ...object('a format added', 'properties.kind', { format: 'email' }, CONSTRAINT, []),
  ...object('maxItems lowered', 'properties.list', { maxItems: 2 }, CONSTRAINT, []),
  ...object('as many properties as are required', '', { minProperties: 1 }, [], []),
  ...object('more properties than are required', '', { minProperties: 2 }, CONSTRAINT, []),
  ...both('as many properties as were required, no longer', { ...OBJECT, minProperties: 1 }, OBJECT, [], []),
  ...both('more properties than are required, no longer', { ...OBJECT, minProperties: 2 }, OBJECT, [], CONSTRAINT),
  ...both('as many properties as are required and in requests', withReadOnly({}), withReadOnly({ minProperties: 2 }), CONSTRAINT, []),
  ...object('items made unique', 'properties.list', { uniqueItems: true }, CONSTRAINT, []),
  ...both('multipleOf made coarser', whole({ multipleOf: 2 }), whole({ multipleOf: 4 }), CONSTRAINT, []),
  ...both('multipleOf made finer', whole({ multipleOf: 4 }), whole({ multipleOf: 2 }), [], CONSTRAINT),
  ...object('undeclared properties allowed', '', { additionalProperties: true }, [], CONSTRAINT),
  ...both('undeclared properties forbidden', changed('', { additionalProperties: undefined }), OBJECT, CONSTRAINT, []),
  ...object('default changed', 'properties.age', { default: 2 }, ['default-changed'], []),
  ...object('default removed', 'properties.age', { default: undefined }, ['default-changed'], []),
  ...object('a default added', 'properties.kind', { default: 'a' }, ['default-changed'], []),
  ...both(
    'a default that is an object changed',
    { ...OBJECT, default: { name: 'a' } },
    { ...OBJECT, default: { name: 'ab' } },
    ['default-changed'],
    [],
  ),
  ...both('a default put beside a reference', SAME, { allOf: [SAME], default: {} }, ['default-changed'], []),
  ...both('a default removed from beside a reference', { allOf: [SAME], default: {} }, SAME, ['default-changed'], []),
  ...object('a property made readOnly', 'properties.kind', { readOnly: true }, ['property-became-read-only'], []),
  ...object('a property made writeOnly', 'properties.kind', { writeOnly: true }, [], ['property-became-write-only']),
  ...both(
    'an alternative removed',
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    { oneOf: [{ type: 'string' }] },
    ['schema-combinator-changed'],
    [],
  ),
  ...both(
    'an alternative added',
    { oneOf: [{ type: 'string' }] },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    [],
    ['schema-combinator-changed'],
  ),
  ...both(
    'another discriminator',
    { ...OBJECT, discriminator: { propertyName: 'name' } },
    { ...OBJECT, discriminator: { propertyName: 'kind' } },
    ['discriminator-changed'],
    ['discriminator-changed'],
  ),
  ...object('words and examples changed', 'properties.name', { description: 'a', title: 'b', example: 'abc' }, [], []),
  ...object('a property deprecated', 'properties.kind', { deprecated: true }, [], []),
  ...both(
    'properties in another order',
    OBJECT,
    { ...OBJECT, properties: Object.fromEntries(Object.entries(OBJECT.properties).reverse()) },
    [],
    [],
  ),
  ...both(
    'defaults of keywords written out',
    { type: 'string' },
    { type: 'string', nullable: false, minLength: 0, readOnly: false, deprecated: false },
    [],
    [],
  ),
  ...both('a schema made a component', OBJECT, { $ref: '#/components/schemas/Same' }, [], []),
  ...both(
    'a description put beside a reference',
    { $ref: '#/components/schemas/Same' },
    { description: 'a', allOf: [{ $ref: '#/components/schemas/Same' }] },
    [],
    [],
  ),
];
