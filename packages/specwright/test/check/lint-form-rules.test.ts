/** What the encoding of a form says and no form can be written by is reported with its place and its fix. */
import { expect, test } from '@jest/globals';
import { groupUnsupported, listUnsupported, parseSource } from '@specwright/contract/document';
import { FORM_RULES } from '../../src/lint/rules/operation-rules.ts';
import { checkProjectRules } from '../../src/lint/rules/project-rules.ts';

const sourceOf = (properties: string, encoding: string) =>
  parseSource(
    'test.yaml',
    `openapi: 3.1.0
info: { title: Test, version: '1' }
paths:
  /things:
    post:
      operationId: op
      requestBody: { $ref: '#/components/requestBodies/Form' }
      responses: { '204': { description: ok } }
components:
  requestBodies:
    Form:
      content:
        application/x-www-form-urlencoded:
          schema: { type: object, additionalProperties: false, properties: ${properties} }
          encoding:
            ${encoding}
`,
  );

const LIST = '{ type: array, items: { type: object } }';
const DEEP = '{ type: object, properties: { b: { type: object, properties: { c: { type: string } } } } }';
const FLAT = '{ type: object, properties: { b: { type: string } } }';
const MAP = '{ type: object, additionalProperties: { type: string } }';

test.each<[properties: string, encoding: string, message: string | undefined, isUnwritable?: boolean]>([
  ['{ a: {} }', 'b: { style: form }', 'the encoding of b, which the form does not have'],
  [
    `{ a: ${FLAT} }`,
    'a: { style: deepObject, contentType: application/json }',
    'contentType of a means nothing beside style, explode or allowReserved',
  ],
  [`{ a: ${FLAT} }`, 'a: { contentType: application/xml }', 'a is no text, and application/xml is no JSON', true],
  [`{ a: ${LIST} }`, 'a: { contentType: text/csv }', 'a is no text, and text/csv is no JSON', true],
  [`{ a: ${LIST} }`, 'a: { style: form }', 'style: form has no text for the lists or objects in the list a', true],
  [`{ a: ${LIST} }`, 'a: { style: spaceDelimited }', 'style: spaceDelimited has no text for the lists or objects in the list a', true],
  [`{ a: ${DEEP} }`, 'a: { explode: false }', 'style: form without explode has no text for the property b of a, a list or an object', true],
  [`{ a: ${DEEP} }`, 'a: { explode: true }', 'style: form has no text for the property b of a, a list or an object', true],
  ['{ a: { type: integer } }', 'a: { style: deepObject }', 'style: deepObject is for objects, and a is none'],
  [`{ a: ${FLAT} }`, 'a: { style: deepObject, explode: false }', 'explode: false of a means nothing in style: deepObject'],
  [`{ a: ${FLAT}, b: {} }`, 'a: { style: form }', 'the field b would be a property of a and of the form', true],
  [`{ a: ${FLAT}, c: ${FLAT} }`, '{ a: { style: form }, c: { style: form } }', 'the field b would be a property of c and of a', true],
  [`{ a: ${MAP}, c: ${MAP} }`, '{ a: { style: form }, c: { style: form } }', 'other fields would be properties of c and of a', true],
  [`{ a: ${DEEP}, b: ${LIST} }`, '{ a: { style: deepObject }, b: { style: deepObject } }', undefined],
  [`{ a: ${DEEP}, b: ${LIST} }`, '{ a: { contentType: application/json }, b: { contentType: application/json } }', undefined],
  [`{ a: ${MAP}, b: ${FLAT} }`, '{ a: { explode: true }, b: { explode: false } }', undefined],
])('%s with %s', (properties, encoding, message, isUnwritable = false) => {
  const source = sourceOf(properties, encoding);
  const found = checkProjectRules(source, {}).filter(({ rule }) => rule === FORM_RULES[0]);
  expect(found.map(({ problem }) => problem.message)).toEqual(message === undefined ? [] : [message]);
  for (const { problem } of found) {
    expect(source.locate(problem.path).line).toBe(16);
    expect(problem.fix).toMatch(/\.$/);
  }
  const listed = groupUnsupported(listUnsupported(source)).filter((line) => line.includes('such a value is refused'));
  expect(listed).toHaveLength(isUnwritable ? 1 : 0);
});
