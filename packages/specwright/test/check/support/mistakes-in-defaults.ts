/** Mistakes in `x-operation-defaults`: parts and opt-outs that change nothing. */
import type { Mistake } from './lint.ts';

/** The document begins with these defaults, and `deleteThing` with this line. */
const DELETE = 'paths:\n  /things/{id}:\n    delete:\n';
export const withDefaults = (defaults: string, line = ''): [from: string, to: string] => [
  DELETE,
  `x-operation-defaults:\n${defaults}${DELETE}${line === '' ? '' : `      ${line}\n`}`,
];
export const AGE = '  - headers: { Age: { schema: { type: integer }, example: 1 } }\n';
export const CONFLICT = "  - when: { method: post }\n    responses: { '409': { $ref: '#/components/responses/Failed' } }\n";

export const DEFAULTS_MISTAKES: readonly Mistake[] = [
  [
    'a default for a parameter that no operation has',
    'paths:\n',
    'x-operation-defaults:\n  - when: { parameter: [id, ide] }\n    headers: { Age: { schema: { type: integer }, example: 1 } }\npaths:\n',
    'operation-defaults',
    /no operation has a parameter ide: did you mean id\?/,
    'parameter: [id, ide]',
  ],
  [
    'a default that no operation meets',
    'paths:\n',
    'x-operation-defaults:\n  - when: { method: put, deprecated: true }\n    headers: { Age: { schema: { type: integer }, example: 1 } }\npaths:\n',
    'operation-defaults',
    /no operation meets method: put, deprecated: true: the entry has no effect/,
    'when: { method: put',
  ],
  [
    'a default for a status that no response has',
    'paths:\n',
    'x-operation-defaults:\n  - when: { method: [post, delete], status: [201, 204, 3XX] }\n    headers: { Age: { schema: { type: integer }, example: 1 } }\npaths:\n',
    'operation-defaults',
    /no operation that meets the condition has a response 3XX/,
    'status: [201',
  ],
  [
    'an opt-out of a header that no default adds',
    ...withDefaults(AGE, 'x-operation-defaults: { without: [Agee] }'),
    'operation-defaults',
    /Agee has no effect: no default adds it to this operation: did you mean Age\?/,
    'x-operation-defaults: { without',
  ],
  [
    'an opt-out of a status that the operation would not get',
    ...withDefaults(CONFLICT, "x-operation-defaults: { without: ['409'] }"),
    'operation-defaults',
    /409 has no effect: no default adds it to this operation$/,
    'x-operation-defaults: { without',
  ],
  [
    'an opt-out of a status that the operation declares',
    ...withDefaults(
      "  - responses: { '204': { description: gone }, '503': { $ref: '#/components/responses/Failed' } }\n",
      'x-operation-defaults: { without: [204] }',
    ),
    'operation-defaults',
    /204 has no effect: the operation declares this response itself/,
    'x-operation-defaults: { without',
  ],
  [
    'an opt-out of all defaults where none applies',
    ...withDefaults(CONFLICT, 'x-operation-defaults: false'),
    'operation-defaults',
    /no default applies to this operation/,
    'x-operation-defaults: false',
  ],
  [
    'an opt-out in a document without defaults',
    DELETE,
    `${DELETE}      x-operation-defaults: { without: [Age] }\n`,
    'operation-defaults',
    /Age has no effect/,
    'x-operation-defaults',
  ],
  [
    'a default response that every operation overrides',
    ...withDefaults("  - when: { method: delete }\n    responses:\n      4XX: { $ref: '#/components/responses/Failed' }\n"),
    'operation-defaults',
    /no operation takes the response 4XX from here/,
    "      4XX: { $ref: '#/components/responses/Failed' }",
  ],
  [
    'a default response that a later entry overrides',
    ...withDefaults(`${CONFLICT}${CONFLICT.replace('post', '[post, delete]')}`),
    'operation-defaults',
    /no operation takes the response 409 from here/,
    "    responses: { '409'",
  ],
  [
    'a default header that every response declares',
    ...withDefaults("  - when: { method: post, status: '201' }\n    headers:\n      count: { schema: { type: integer }, example: 1 }\n"),
    'operation-defaults',
    /no response takes the header count from here/,
    '      count:',
  ],
];
