/** Changes of schemas in the words of OpenAPI 3.1, each as a client meets it in what it sends and in what it receives. */
import { both } from './breaking-schemas.ts';
import type { Case } from './breaking.ts';

const TYPE = ['schema-type-changed'];
const CONSTRAINT = ['schema-constraint-changed'];
const REFERENCE = { $ref: '#/components/schemas/Same' };

export const SCHEMAS_31: readonly Case[] = [
  ...both('null allowed by a list of types', { type: 'string' }, { type: ['string', 'null'] }, [], TYPE),
  ...both('null no longer in a list of types', { type: ['string', 'null'] }, { type: 'string' }, TYPE, []),
  ...both('a list of types in another order', { type: ['null', 'string'] }, { type: ['string', 'null'] }, [], []),
  ...both('a list of one type', { type: 'string' }, { type: ['string'] }, [], []),
  ...both('null allowed beside a reference', REFERENCE, { anyOf: [REFERENCE, { type: 'null' }] }, [], ['schema-combinator-changed']),
  ...both(
    'null no longer allowed beside a reference',
    { anyOf: [{ type: 'null' }, REFERENCE] },
    REFERENCE,
    ['schema-combinator-changed'],
    [],
  ),
  ...both('const changed', { const: 'a' }, { const: 'b' }, ['enum-values-removed'], ['enum-values-added']),
  ...both('const where any value was', { type: 'string' }, { type: 'string', const: 'a' }, ['enum-values-removed'], []),
  ...both('const removed', { type: 'string', const: 'a' }, { type: 'string' }, [], ['enum-values-added']),
  ...both('const written as an enum', { const: 'a' }, { enum: ['a'] }, [], []),
  ...both('a value added to a const', { const: 'a' }, { enum: ['a', 'b'] }, [], ['enum-values-added']),
  ...both('an exclusive bound raised', { type: 'number', exclusiveMinimum: 1 }, { type: 'number', exclusiveMinimum: 2 }, CONSTRAINT, []),
  ...both('an exclusive bound made inclusive', { type: 'number', exclusiveMaximum: 9 }, { type: 'number', maximum: 9 }, [], CONSTRAINT),
  ...both('examples changed', { type: 'string', examples: ['a'] }, { type: 'string', examples: ['b'] }, [], []),
  ...both('a first item of another type', { prefixItems: [{ type: 'string' }] }, { prefixItems: [{ type: 'integer' }] }, TYPE, TYPE),
  ...both(
    'a pattern of names with a narrower schema',
    { type: 'object', patternProperties: { '^x': { type: 'string', maxLength: 9 } } },
    { type: 'object', patternProperties: { '^x': { type: 'string', maxLength: 5 } } },
    CONSTRAINT,
    [],
  ),
  ...both('other properties forbidden', { type: 'object' }, { type: 'object', unevaluatedProperties: false }, CONSTRAINT, []),
];
