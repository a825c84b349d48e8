/** A document without problems, mistakes in it, and what the project rules report. */
import { expect } from '@jest/globals';
import { checkProjectRules, type RuleSettings } from '../../../src/lint/rules/project-rules.ts';
import { parseSource } from '@specwright/contract/document';

export const GOOD = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things/{id}:
    delete:
      operationId: deleteThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 9 } }
      responses:
        '204': { description: gone }
        4XX: { $ref: '#/components/responses/Failed' }
  /things:
    post:
      operationId: createThing
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewThing' }
            example: { name: ab }
      responses:
        '201':
          description: ok
          headers:
            Count: { schema: { type: integer }, example: 1 }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Thing' }
              examples: { one: { value: { id: 1, name: ab } } }
          links:
            remove: { operationId: deleteThing, parameters: { id: $response.body#/id } }
            byPlace: { operationRef: '#/paths/~1things~1{id}/delete', parameters: { path.id: $response.body#/id } }
        default: { $ref: '#/components/responses/Failed' }
components:
  responses:
    Failed:
      description: It failed.
      content:
        application/json:
          schema: { $ref: '#/components/schemas/Error' }
  schemas:
    Error: { type: object, additionalProperties: false, required: [code], properties: { code: { type: string } } }
    Name: { type: string, format: date-time, pattern: '^[a-z]+$', minLength: 2, maxLength: 2 }
    Size: { type: string, maxLength: 2, enum: [s, m, xl] }
    NewThing:
      type: object
      additionalProperties: false
      required: [name]
      properties:
        name: { type: string, minLength: 2, maxLength: 4 }
        size: { type: string, nullable: true, enum: [s, m, null], default: s }
    Thing:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, minimum: 1, maximum: 9, readOnly: true }
        name: { type: string }
        tags: { type: object, additionalProperties: { type: string } }
        book: { $ref: '#/components/schemas/Animal' }
        both:
          allOf:
            - { type: object, required: [a], properties: { a: { type: string } } }
            - { type: object, properties: { b: { type: string } } }
        either: { oneOf: [{ type: string }, { type: integer }] }
    Animal:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat', dog: Dog } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string, enum: [cat] }, lives: { type: integer } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string, enum: [dog] }, name: { type: string } } }
`;

/** The problems that the rules report: `line rule: message`. */
export const lintProblems = (text: string, settings: RuleSettings = {}): string[] => {
  const source = parseSource('test.yaml', text);
  const found = checkProjectRules(source, settings);
  return found.map(({ rule, problem }) => `${(problem.at ?? source.locate(problem.path)).line} ${rule.name}: ${problem.message}`);
};

/** `from` becomes `to`; `rule` reports a problem at the line of the changed text that has `at` (else `to`). */
export type Mistake = readonly [name: string, from: string, to: string, rule: string, message: RegExp, at?: string];

/** The document with the mistake. */
export const withMistake = ([, from, to]: Mistake): string => {
  expect(GOOD).toContain(from);
  return GOOD.replace('    Size:', '    Made: { type: string, readOnly: true }\n    Size:').replace(from, () => to);
};

/** Expects the rule to report the line of the mistake. */
export function expectReported(...mistake: Mistake): void {
  const [, , to, rule, message, at = to] = mistake;
  const text = withMistake(mistake);
  const line = text.slice(0, text.indexOf(at)).split('\n').length;
  expect(lintProblems(text)).toContainEqual(expect.stringMatching(new RegExp(`^${line} ${rule}: .*(?:${message.source})`)));
}
