/** What people do in the development loop: each edit with the part of the loop that has to turn red first, and where. */
import { MUTATIONS } from './mutations.ts';
import { PHOTOS, yaml } from '../projects/new-operation.ts';

export interface TextChange {
  readonly file: string;
  /** After `part`, `from` becomes `to`. */
  readonly part: string;
  readonly from: string;
  readonly to: string;
}

/** A part of the loop's output; `green` if every line is. */
export type Red = 'spec' | 'generated' | 'handlers' | 'types' | 'tests' | 'database' | 'lint' | 'walk' | 'server' | 'end' | 'green';

export interface Edit {
  readonly what: string;
  readonly changes: readonly TextChange[];
  /** Files that there are not before: path -> text. */
  readonly created?: Readonly<Record<string, string>>;
  readonly red: Red;
  /** What the part says of it, with its location. */
  readonly says?: RegExp;
  /** Where the cause is, if it is not in the lines that are edited: the first line of the problem and the next step name it. */
  readonly at?: RegExp;
}

const SPEC = 'spec/petstore.yaml';
const inSpec = (part: string, from: string, to: string): TextChange => ({ file: SPEC, part, from, to });
const edit = (what: string, red: Red, says: RegExp | undefined, ...changes: TextChange[]): Edit => ({
  what,
  changes,
  red,
  ...(says !== undefined && { says }),
});

/** A mutation of the spec, by its name, and what the loop says of it first. */
function mutation(name: string, red: Red, says?: RegExp): Edit {
  const found = MUTATIONS.find(([other]) => other === name);
  if (found === undefined) throw new Error(`there is no mutation "${name}"`);
  const [, part, from, to] = found;
  return edit(name, red, says, inSpec(part, from, to));
}

const OPTIONAL_NICKNAME = inSpec(
  '    NewPet:',
  '      properties:\n',
  '      properties:\n        nickname:\n          description: What it is called at home.\n          type: string\n          maxLength: 20\n          pattern: "^[a-z]+$"\n',
);
const RENAMED = inSpec('  /categories/{categoryId}:', 'operationId: deleteCategory', 'operationId: removeCategory');

const IN_THE_SPEC: readonly Edit[] = [
  mutation('no YAML any more', 'spec', /spec\/petstore\.yaml:\d+:\d+ /),
  edit(
    'conflict markers of a merge',
    'spec',
    /spec\/petstore\.yaml:\d+:\d+ /,
    inSpec('  /categories:', '      summary: List', '<<<<<<< HEAD\n      summary: All\n=======\n      summary: List'),
  ),
  edit(
    'a lost colon',
    'spec',
    /there is no colon after `get`; \d+ more errors may follow/,
    inSpec('  /categories:', '    get:', '    get'),
  ),
  edit(
    'a tab',
    'spec',
    /a tab in the indentation: use spaces; \d+ more errors/,
    inSpec('  /categories:', '      operationId', '\t    operationId'),
  ),
  edit(
    'a component with another name',
    'spec',
    /#\/components\/schemas\/Error is gone, and \d+ references/,
    inSpec('  schemas:', '\n    Error:', '\n    Failure:'),
  ),
  mutation('a version of OpenAPI that is not served', 'spec', /only OpenAPI 3\.0, 3\.1 and 3\.2 are supported/),
  {
    ...edit('OpenAPI 3.1, with nullable left', 'lint', /nullable has no meaning in OpenAPI 3\.1/, inSpec('openapi:', '3.0.3', '3.1.0')),
    at: /nullable: true/,
  },
  mutation('an unknown keyword', 'spec', /`sumary` is not expected/),
  mutation('a reference to nowhere', 'spec', /NewCategori/),
  mutation('a path parameter that is not declared', 'spec', /`\{id\}`/),
  mutation('an unknown security scheme', 'spec', /no security scheme bearer/),
  mutation('an unknown stability', 'spec', /x-stability must be/),
  mutation('a sunset that is no day', 'spec', /must be a date/),
  edit(
    'a sunset before the deprecation',
    'spec',
    /sunset/,
    inSpec('  /pets/{petId}:', "x-deprecated-sunset: '2027-12-31'", "x-deprecated-sunset: '2026-10-01'"),
  ),
  mutation('a pattern that is none', 'lint', /valid-pattern/),
  edit('an exponential pattern', 'lint', /exponential-pattern/, inSpec('    KeyName:', "'^[^\\x00-\\x1F\\x7F]+$'", "'^([A-Za-z]+)+$'")),
  edit('a pattern without anchors', 'lint', /anchored-pattern/, inSpec('    KeyName:', "'^[^\\x00-\\x1F\\x7F]+$'", "'[A-Za-z0-9 ]+'")),
  edit('an extension that is one letter away', 'lint', /extension-name/, inSpec('  /pets:', 'x-stability: beta', 'x-stabilty: beta')),
  edit(
    'an Authorization header as a parameter',
    'lint',
    /ignored-header/,
    inSpec(
      '  /categories/{categoryId}:',
      '    parameters:\n',
      '    parameters:\n      - { name: Authorization, in: header, description: A key., schema: { type: string, maxLength: 99, pattern: "^[a-z]+$" }, example: a }\n',
    ),
  ),
  edit(
    'a body at 204',
    'lint',
    /status-without-body/,
    inSpec(
      'operationId: deleteCategory',
      '          description: The category is deleted.\n',
      "          description: The category is deleted.\n          content: { application/json: { schema: { $ref: '#/components/schemas/Category' } } }\n",
    ),
  ),
  edit(
    'readOnly with writeOnly',
    'lint',
    /read-or-write-only/,
    inSpec(
      '    NewApiKey:',
      '          format: date-time\n',
      '          format: date-time\n          readOnly: true\n          writeOnly: true\n',
    ),
  ),
  edit(
    'additionalProperties forgotten in a request',
    'lint',
    /closed-request/,
    inSpec('    NewPet:', '      additionalProperties: false\n', ''),
  ),
  edit(
    'a default on a required property',
    'lint',
    /required-default/,
    inSpec('    NewPet:', 'required: [name, categoryId]', 'required: [name, categoryId, status]'),
  ),
  mutation('an unknown format', 'lint', /known-format/),
  mutation('a link to an unknown operation', 'lint', /link-operation/),
  mutation('an example that its schema refuses', 'lint', /valid-example/),
  edit(
    'a discriminator that no branch has',
    'lint',
    /the discriminator kind is not a property of any branch/,
    inSpec(
      '  schemas:\n',
      '    NewCategory:\n',
      "    CategoryOrPet:\n      description: Either.\n      oneOf: [{ $ref: '#/components/schemas/NewCategory' }, { $ref: '#/components/schemas/NewPet' }]\n      discriminator: { propertyName: kind }\n\n    NewCategory:\n",
    ),
  ),
  edit(
    'a default for a parameter that no operation has',
    'lint',
    /no operation has a parameter If-Mach: did you mean If-Match\? \(operation-defaults\)/,
    inSpec('x-operation-defaults:', '- when: { parameter: If-Match }', '- when: { parameter: If-Mach }'),
  ),
  mutation('a comment', 'green'),
  mutation('a text for people', 'green'),
];

const WITH_CODE: readonly Edit[] = [
  edit(
    'an optional property of a request, which no table has',
    'database',
    /spec\/petstore\.yaml:\d+:\d+ .*NewPet\.nickname/,
    OPTIONAL_NICKNAME,
  ),
  mutation('a property that a response must have', 'database', /spec\/petstore\.yaml:\d+:\d+ .*InventoryItem\.shelf/),
  mutation('a property of another type', 'database', /InventoryUpdate\.quantity is boolean/),
  mutation('an enum value that the column has not', 'database', /enum of Pet\.status is lost/),
  mutation('a parameter that a handler reads is gone', 'types', /src\/(?:handlers|db)\/pets\.ts:\d+:\d+ /),
  mutation('a status that a handler answers is gone', 'types', /304/),
  mutation('a header that a handler must give', 'types', /src\/handlers\/categories\.ts:\d+:\d+ .*/),
  mutation('a write that anybody may do', 'types', /src\/(?:handlers|db)\/pets\.ts:\d+:\d+ .*caller/),
  edit(
    'the $ref of a response exchanged',
    'types',
    /src\/handlers\/categories\.ts:\d+:\d+ /,
    inSpec('operationId: getCategory', 'schemas/Category', 'schemas/Pet'),
  ),
  edit(
    'explode: false for a parameter that is repeated',
    'walk',
    /listPets answers 200/,
    inSpec('    Statuses:', 'explode: true', 'explode: false'),
  ),
  {
    what: 'a migration that is not registered',
    changes: [],
    created: {
      'src/db/migrations/0099_toys.ts': "export const up = (knex: { raw(sql: string): Promise<unknown> }) => knex.raw('SELECT 1');\n",
    },
    red: 'database',
    says: /src\/db\/migrations\/0099_toys\.ts:1:1 this migration is not registered/,
  },
  edit('a migration that is edited after it has run', 'database', /edited after it had run in the database: 0001_pet_store/, {
    file: 'src/db/migrations/0001_pet_store.ts',
    part: '',
    from: 'attempts integer NOT NULL DEFAULT 0',
    to: 'attempts integer NOT NULL DEFAULT 1',
  }),
  edit('a branch without a migration that has run', 'database', /migrations of another branch: 0001_pet_store/, {
    file: 'src/db/migrations/index.ts',
    part: '',
    from: ", { name: '0001_pet_store', migration: petStore }",
    to: '',
  }),
  edit(
    'a new operation',
    'handlers',
    /spec\/petstore\.yaml:\d+:\d+ addPetPhoto .*has no handler/,
    inSpec('', '\n  /categories:\n', `\n${yaml(PHOTOS)}  /categories:\n`),
  ),
  mutation('an operation that is gone', 'handlers', /src\/handlers\/categories\.ts:\d+:\d+ the spec has no operation updateCategory/),
  edit('an operation with another name, never committed', 'handlers', /is now called removeCategory/, RENAMED),
  edit('a generated file edited by hand', 'generated', /generated\/openapi\.ts:\d+:1 was edited by hand \(quantity\?: number; instead of/, {
    file: 'generated/openapi.ts',
    part: 'InventoryUpdate',
    from: 'quantity: number;',
    to: 'quantity?: number;',
  }),
  edit('a status that the contract does not have', 'types', /src\/handlers\/categories\.ts:\d+:\d+ 202 is not one of 204, 400, 401, /, {
    file: 'src/handlers/categories.ts',
    part: '',
    from: 'return reply(204);',
    to: 'return reply(202);',
  }),
  edit('a reply with a property too many', 'types', /src\/handlers\/pets\.ts:\d+:\d+ .*/, {
    file: 'src/handlers/pets.ts',
    part: '',
    from: 'createdResponse(`/store/pets/${pet.record.id}`, pet)',
    to: "{ headers: { Location: '/', ETag: '1' }, body: { ...pet.record, nickname: 'Rex' } }",
  }),
  edit('a handler that answers another declared status', 'walk', /src\/handlers\/categories\.ts:\d+:\d+ deleteCategory answers 204 .*/, {
    file: 'src/handlers/categories.ts',
    part: '',
    from: 'return reply(204);',
    to: "return reply(404, { body: { code: 'not_found', message: 'none', status: 404 } });",
  }),
  edit('a PATCH of the name alone that is dropped', 'walk', /^ +src\/db\/categories\.ts:\d+:1 updateCategory accepts /m, {
    file: 'src/db/categories.ts',
    part: 'const updateCategory',
    from: 'toColumns(GIVEN, changes)',
    to: 'toColumns(GIVEN, changes.description === undefined ? {} : changes)',
  }),
  edit('a store that reads of another account', 'walk', /^ +src\/db\/categories\.ts:\d+:1 getCategory answers /m, {
    file: 'src/db/categories.ts',
    part: 'const getCategory',
    from: 'get(db, accountId, id)',
    to: 'get(db, accountId + 1, id)',
  }),
  edit('a module that throws when it is loaded', 'server', /not today/, {
    file: 'src/handlers/pets.ts',
    part: '',
    from: 'export const petHandlers',
    to: "throw new Error('not today');\nexport const petHandlers",
  }),
  edit('a syntax error in a handler', 'types', /src\/handlers\/pets\.ts:\d+:\d+ /, {
    file: 'src/handlers/pets.ts',
    part: '',
    from: 'export const petHandlers =',
    to: 'export const petHandlers = =',
  }),
  edit('a test with an error of types', 'tests', /test\/store\/scoping\.test\.ts:\d+:\d+ /, {
    file: 'test/store/scoping.test.ts',
    part: '',
    from: '/**',
    to: "const wrong: number = 'none';\n/**",
  }),
];

/** Where the cause is not in the lines that are edited: a handler has to follow the spec. Path and text of the line. */
const CAUSES: Readonly<Record<string, RegExp>> = {
  'a path parameter that is not declared': /^spec\/petstore\.yaml: {7}parameters:$/,
  'additionalProperties forgotten in a request': /^spec\/petstore\.yaml: {5}NewPet:$/,
  'a parameter that a handler reads is gone': /^src\/handlers\/pets\.ts: .*\bstatus\b/,
  'a status that a handler answers is gone': /^src\/handlers\/\w+\.ts: .*\breply\(304\b/,
  'a header that a handler must give': /^src\/handlers\/categories\.ts: .*\breply\(200\b/,
  'a write that anybody may do': /^src\/handlers\/pets\.ts: .*\bcaller\b/,
  'the $ref of a response exchanged': /^src\/handlers\/categories\.ts: .*\breply\(200\b/,
  'a migration that is not registered': /^src\/db\/migrations\/(?:0099_toys\.ts: export const up|index\.ts: .*0001_pet_store)/,
  'an operation that is gone': /^src\/handlers\/categories\.ts: +updateCategory:/,
  'an operation with another name, never committed': /^src\/handlers\/categories\.ts: +deleteCategory:/,
};

/** In the order of the table in bench/results/edits.md. */
export const EDITS: readonly Edit[] = [...IN_THE_SPEC, ...WITH_CODE].map((each) => {
  const at = CAUSES[each.what];
  return at === undefined ? each : { ...each, at };
});
