/** Changes of the spec, each with the gates that have to turn red, at its line, and those that have to stay green. */

/** What the gates say: the rule or the words of a finding, which must name the line; `undefined`: it stays green. */
export interface Gates {
  /** `npx specwright lint`: the name of the rule. */
  readonly lint?: string;
  /** `npm run generate`: it refuses the spec with these words; else it writes something new, if the content has changed. */
  readonly generate?: RegExp;
  /** `npx specwright check-schema` */
  readonly schema?: RegExp;
  /** The line that it names, if that is another one: the first one after a part that reads so. */
  readonly schemaAt?: readonly [part: string, at: string];
  /** `npx specwright check-breaking`, against the spec without the mutation: the rule of a finding, or `green`. Not run where it is not named. */
  readonly breaking?: string;
  /** The definition at which it tells what several operations use, as the line of the spec reads. */
  readonly breakingAt?: string;
  /** `npm run typecheck`, once generated: file of the program, and what the compiler says. Not run where it is not named. */
  readonly types?: RegExp | 'green';
  /** What the problem hides: everything after text that cannot be read, the content after a structure that is not OpenAPI's. */
  readonly stage?: 'syntax' | 'structure';
  /** Mutations that would hide this one, if they were made together. */
  readonly hiddenBy?: readonly string[];
  /** What is generated stays what is committed. */
  readonly drift?: 'none';
}

/** After `part`, `from` becomes `to`. The line that is to be named is the first one from `part` on that reads `at`; else the change's. */
export type Mutation = readonly [name: string, part: string, from: string, to: string, gates: Gates, at?: string];

const CONTRACT: readonly Mutation[] = [
  [
    'no YAML any more',
    '  /categories:',
    ' summary: List',
    '  summary: List',
    { lint: 'contract', generate: /Nested mappings|mapping/, stage: 'syntax' },
  ],
  [
    'a version of OpenAPI that is not served',
    'openapi:',
    '3.0.3',
    '4.0.0',
    { lint: 'struct', generate: /only OpenAPI 3\.0, 3\.1 and 3\.2 are supported/, stage: 'syntax' },
  ],
  [
    'an unknown keyword',
    '  /categories:',
    'summary: List',
    'sumary: List',
    { lint: 'struct', generate: /`sumary` is not expected/, stage: 'structure' },
  ],
  [
    'a reference to nowhere',
    '  /categories:',
    'schemas/NewCategory',
    'schemas/NewCategori',
    { lint: 'no-unresolved-refs', generate: /Can't resolve/, stage: 'structure' },
  ],
  [
    'an operationId twice',
    '  /store/orders:',
    'operationId: createOrder',
    'operationId: createPet',
    { lint: 'operation-operationId-unique' },
    'post:',
  ],
  [
    'no operationId',
    '  /store/orders:',
    '      operationId: createOrder\n',
    '',
    { lint: 'operation-operationId', types: /src\/(?:handlers|db)\/index\.ts.*postStoreOrders/ },
    'post:',
  ],
  [
    'a path parameter that is not declared',
    '  /account/keys/{keyId}:',
    '/{keyId}:',
    '/{id}:',
    { lint: 'path-parameters-defined', generate: /does not define the path parameter `\{id\}`/, stage: 'structure' },
    '      parameters:',
  ],
  [
    'a list that is a boolean',
    '    RateLimitBan:',
    'required: [until, retryAfter]',
    'required: true',
    { lint: 'struct', generate: /Expected `required` to be of type `array` but got `boolean`/, stage: 'structure' },
  ],
  ['a status that is none', '  /store/orders:', "'409':", "'4090':", { lint: 'struct', generate: /4090/, stage: 'structure' }],
  ['an unknown security scheme', '\nsecurity:', 'bearerAuth', 'bearer', { lint: 'contract', generate: /no security scheme bearer/ }],
  ['an unknown stability', '  /pets:', 'x-stability: beta', 'x-stability: alpha', { lint: 'contract', generate: /x-stability must be/ }],
  [
    'a sunset that is no day',
    '  /pets/{petId}:',
    "x-deprecated-sunset: '2027-12-31'",
    'x-deprecated-sunset: soon',
    { lint: 'contract', generate: /must be a date/ },
  ],
  [
    'a deprecation without deprecated',
    '  /pets/{petId}:',
    '      deprecated: true\n',
    '',
    { lint: 'contract', generate: /needs deprecated: true/ },
    "x-deprecated-since: '2026-11-01'",
  ],
  [
    'a body on GET',
    '  /store/inventory:',
    '      operationId: listInventory\n',
    "      operationId: listInventory\n      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }\n",
    { lint: 'no-request-body' },
    "requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }",
  ],
  ['an unknown format', '    Email:', 'format: email', 'format: e-mail', { lint: 'known-format' }],
  ['a pattern that is none', '    KeyName:', "'^[^\\x00-\\x1F\\x7F]+$'", "'^[^\\x00-\\x1F\\x7F+$'", { lint: 'valid-pattern' }],
  [
    'lengths that cross',
    '    KeyName:',
    'minLength: 1',
    'minLength: 101',
    { lint: 'bounds', schema: /minLength of NewApiKey\.name is 101/ },
  ],
];

const LINT: readonly Mutation[] = [
  [
    'a body on DELETE',
    '  /store/orders/{orderId}:',
    '      operationId: deleteOrder\n',
    "      operationId: deleteOrder\n      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }\n",
    { lint: 'no-request-body', breaking: 'green' },
    "requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }",
  ],
  ['a link to an unknown operation', '  /pets:', 'operationId: getStorePet', 'operationId: getStoredPet', { lint: 'link-operation' }],
  [
    'a link with an unknown parameter',
    '  /pets:',
    'petId: $response.body#/id',
    'id: $response.body#/id',
    { lint: 'link-parameter', hiddenBy: ['a link to an unknown operation'] },
  ],
  [
    'an opt-out of a header that no response would have',
    '  /pets/{petId}:',
    '      operationId: deletePet\n',
    '      operationId: deletePet\n      x-operation-defaults: { without: [ETagg] }\n',
    { lint: 'operation-defaults', breaking: 'green', hiddenBy: ['a write that anybody may do'] },
    'x-operation-defaults: { without: [ETagg] }',
  ],
  [
    'an opt-out of a status that a GET would not have',
    '  /categories:',
    '      operationId: listCategories\n',
    "      operationId: listCategories\n      x-operation-defaults: { without: ['413'] }\n",
    { lint: 'operation-defaults', breaking: 'green' },
    "x-operation-defaults: { without: ['413'] }",
  ],
  [
    'a default response that all operations override',
    '\nx-operation-defaults:',
    "      '304': { $ref: '#/components/responses/NotModified' }\n",
    "      '200': { description: Read. }\n      '304': { $ref: '#/components/responses/NotModified' }\n",
    { lint: 'operation-defaults', breaking: 'green', hiddenBy: ['a status that a handler answers is gone'] },
    "'200': { description: Read. }",
  ],
  [
    'an Idempotency-Key on GET',
    '  /messages/{messageId}:',
    "        - $ref: '#/components/parameters/IfNoneMatch'\n",
    "        - $ref: '#/components/parameters/IdempotencyKey'\n        - $ref: '#/components/parameters/IfNoneMatch'\n",
    { lint: 'idempotency-key', breaking: 'green', hiddenBy: ['an Idempotency-Key in the query'] },
  ],
  [
    'an Idempotency-Key in the query',
    '    IdempotencyKey:',
    'in: header',
    'in: query',
    { lint: 'idempotency-key', breaking: 'parameter-removed', breakingAt: '    IdempotencyKey:' },
  ],
  [
    'a response header that OpenAPI ignores',
    '  /rate-limit:',
    '          content:\n',
    "          headers:\n            Content-Type: { description: The type., schema: { type: string, maxLength: 99, pattern: '^[a-z/]+$' }, example: a }\n          content:\n",
    { lint: 'ignored-header', breaking: 'green' },
    "Content-Type: { description: The type., schema: { type: string, maxLength: 99, pattern: '^[a-z/]+$' }, example: a }",
  ],
  [
    'a deprecation without a date',
    '  /categories/{categoryId}:',
    '      operationId: getCategory\n',
    '      operationId: getCategory\n      deprecated: true\n',
    { lint: 'lifecycle-headers', breaking: 'green' },
    'deprecated: true',
  ],
  ['an error with another body', '    TooLarge:', 'schemas/Error', 'schemas/RateLimit', { lint: 'error-body' }, 'application/json:'],
  [
    'an enum value of another type',
    '    Plan:',
    'enterprise]',
    '5]',
    { lint: 'valid-enum', schema: /enum of Account\.plan is free, pro, business, 5/ },
  ],
  ['a default that is not in the enum', '    NewPet:', 'default: available', 'default: availble', { lint: 'valid-default' }],
  ['a default beyond the range', '    Limit:', 'default: 20', 'default: 200', { breaking: 'default-changed', lint: 'valid-default' }],
  ['an example that its schema refuses', '    Pet:', 'status: available', 'status: asleep', { lint: 'valid-example' }],
  [
    'a required property that is not declared',
    '    InventoryUpdate:',
    'required: [quantity]',
    'required: [quantity, shelf]',
    { breaking: 'required-properties-added', lint: 'required-property' },
  ],
  [
    'an object without properties',
    '    RateLimitBan:',
    '          type: integer\n',
    '          type: object\n',
    { lint: 'empty-object' },
    'retryAfter:',
  ],
  [
    'a nullable enum without null',
    '    MessageStatus:',
    '      type: string\n',
    '      type: string\n      nullable: true\n',
    { breaking: 'green', lint: 'nullable-enum' },
    'nullable: true',
  ],
  [
    'a map beside properties',
    '    KeyRotation:',
    'additionalProperties: false',
    'additionalProperties: { type: string, maxLength: 9, pattern: a }',
    { lint: 'map-with-properties' },
  ],
  [
    'an integer that JSON readers round',
    '    InventoryItem:',
    'maximum: 9007199254740991',
    'maximum: 9223372036854775807',
    { lint: 'safe-integer' },
  ],
  [
    'a oneOf whose branches overlap',
    '    RateLimit:',
    "          $ref: '#/components/schemas/RateLimitBan'",
    "          oneOf: [{ $ref: '#/components/schemas/RateLimitBan' }, { $ref: '#/components/schemas/RateLimitBan' }]",
    { lint: 'one-of-overlap' },
  ],
  [
    'a discriminator that is no property',
    '    RateLimit:',
    "          $ref: '#/components/schemas/RateLimitBan'",
    "          oneOf: [{ $ref: '#/components/schemas/RateLimitBan' }]\n          discriminator: { propertyName: kind }",
    { lint: 'discriminator-required' },
    'RateLimitBan:',
  ],
  [
    'a string of any length',
    '    PetName:',
    '      maxLength: 100\n',
    '',
    {
      breaking: 'schema-constraint-changed',
      lint: 'owasp:api4:2023-string-limit',
      schema: /maxLength of NewPet\.name is none/,
      schemaAt: ['    NewPet:', 'name:'],
    },
    'PetName:',
  ],
  [
    'a write that anybody may do',
    '  /pets/{petId}:',
    '      operationId: deletePet\n',
    '      operationId: deletePet\n      security: []\n',
    { breaking: 'green', lint: 'owasp:api2:2023-write-restricted', types: /src\/(?:handlers|db)\/pets\.ts.*caller/ },
    'security: []',
  ],
  [
    'a path that is spelt unlike others',
    '\n  /rate-limit:',
    '/rate-limit',
    '/rateLimit',
    { breaking: 'path-removed', lint: 'paths-kebab-case' },
  ],
  [
    'responses without request id',
    '\nx-operation-defaults:',
    "      X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }\n",
    '',
    { breaking: 'response-header-removed', breakingAt: '    X-Request-Id:', lint: 'response-contains-header' },
    "'200':",
  ],
];

const BREAKING: readonly Mutation[] = [
  [
    'a new body limit',
    '  /messages:',
    '      operationId: sendMessage\n',
    '      operationId: sendMessage\n      x-body-limit: 1000\n',
    { breaking: 'body-limit-lowered' },
    'x-body-limit: 1000',
  ],
  [
    'a default beside a reference that is gone',
    '    NewPet:',
    '          default: available\n',
    '',
    { breaking: 'default-changed', schema: /required of NewPet\.status is optional/, schemaAt: ['    NewPet:', 'status:'] },
  ],
  [
    'an integer of a request made a number',
    '    Limit:',
    'type: integer\n        format: int32',
    'type: number\n        format: double',
    { breaking: 'green' },
  ],
  [
    'as many properties as are required by name',
    '    NewCategory:',
    'required: [name]',
    'minProperties: 1\n      required: [name]',
    { breaking: 'green' },
  ],
];

const TYPES: readonly Mutation[] = [
  [
    'a cookie that was a parameter',
    '    Cursor:',
    'in: query',
    'in: cookie',
    { breaking: 'parameter-removed', breakingAt: '    Cursor:', types: 'green' },
  ],
  [
    'an operationId that is no identifier',
    '  /store/orders:',
    'operationId: createOrder',
    'operationId: create-order',
    { lint: 'operation-id-identifier', types: /src\/(?:handlers|db)\/index\.ts.*create-order/ },
  ],
  [
    'a property that a response must have',
    '    InventoryItem:',
    'required: [petId, quantity, status]\n      properties:\n',
    'required: [petId, quantity, status]\n      properties:\n        shelf: { description: Where., type: boolean, example: true }\n',
    {
      breaking: 'green',
      schema: /property InventoryItem\.shelf is not in/,
      types: /src\/db\/inventory\.ts.*shelf/,
      hiddenBy: ['an enum value that the column has not'],
    },
    'shelf: { description: Where., type: boolean, example: true }',
  ],
  [
    'a parameter that a handler reads is gone',
    '  /pets:',
    "        - $ref: '#/components/parameters/Statuses'\n",
    '',
    { breaking: 'parameter-removed', breakingAt: '    Statuses:', types: /src\/(?:handlers|db)\/pets\.ts.*status/ },
  ],
  [
    'a property of another type',
    '    InventoryUpdate:',
    '          type: integer\n          format: int32\n          minimum: 0\n          maximum: 1000000000\n          example: 10',
    '          type: boolean\n          example: true',
    {
      breaking: 'schema-type-changed',
      lint: 'valid-example',
      schema: /type of InventoryUpdate\.quantity is boolean/,
      schemaAt: ['    InventoryUpdate:', 'type: boolean'],
      types: /src\/(?:handlers|db)\/inventory\.ts/,
    },
  ],
  [
    'a status that a handler answers is gone',
    '\nx-operation-defaults:',
    "'304': { $ref: '#/components/responses/NotModified' }",
    "'404': { $ref: '#/components/responses/NotFound' }",
    {
      breaking: 'response-removed',
      lint: 'no-unused-components',
      types: /src\/handlers\/categories\.ts.*Stored<never>/,
      breakingAt: '    NotModified:',
    },
    'NotModified:',
  ],
  [
    'a status that nothing answers yet',
    '  /categories:',
    "        '200':",
    "        '409':\n          $ref: '#/components/responses/NotOrderable'\n        '200':",
    { breaking: 'green', types: 'green' },
  ],
  [
    'a header that a handler must give',
    '  /categories:',
    '          description: One page of categories.\n',
    "          description: One page of categories.\n          headers:\n            ETag:\n              $ref: '#/components/headers/ETag'\n",
    { breaking: 'green', types: /src\/(?:handlers|db)\/categories\.ts.*ETag/ },
  ],
  [
    'an operation that is gone',
    '  /categories:',
    'patch:\n      operationId: updateCategory',
    'x-gone:\n      operationId: updateCategory',
    { breaking: 'operation-removed', lint: 'link-operation', types: /src\/(?:handlers|db)\/categories\.ts.*updateCategory/ },
    'update: { operationId: updateCategory, description: Changes single fields of the category., parameters: { categoryId: $response.body#/id } }',
  ],
];

const DATABASE: readonly Mutation[] = [
  [
    'a length that the column has not',
    '    CategoryName:',
    'maxLength: 100',
    'maxLength: 50',
    {
      breaking: 'schema-constraint-changed',
      schema: /maxLength of Category\.name is 50, and categories\.name at generated\/schema\.sql:\d+ .* has 100/,
      types: 'green',
    },
  ],
  [
    'an enum value that the column has not',
    '    PetStatus:',
    'enum: [available, ',
    'enum: [lost, available, ',
    { breaking: 'enum-values-added', schema: /enum of NewPet\.status is lost/, types: /src\/(?:handlers|db)\/pets\.ts.*lost/ },
  ],
  [
    'a range that the column has not',
    '    NewOrder:',
    'maximum: 1000000',
    'maximum: 500000',
    { breaking: 'schema-constraint-changed', schema: /maximum of NewOrder\.quantity is 500000/ },
  ],
  [
    'a property that the column may lack',
    '    ApiKey:',
    'required: [id, ',
    'required: [expiresAt, id, ',
    {
      lint: 'valid-example',
      schema: /required of ApiKey\.expiresAt is required/,
      schemaAt: ['    ApiKey:', 'expiresAt:'],
      types: /src\/(?:handlers|db)\/keys\.ts.*expiresAt/,
      // The schema of the example does not compile.
      hiddenBy: ['a pattern that is none', 'lengths that cross'],
    },
  ],
  [
    'another format',
    '    Message:',
    'format: date-time',
    'format: date',
    {
      breaking: 'schema-constraint-changed',
      lint: 'valid-example',
      schema: /format of Message\.createdAt/,
      schemaAt: ['    Message:', 'format: date'],
    },
  ],
];

const NONE: readonly Mutation[] = [
  ['a comment', 'paths:', 'paths:', '# The paths.\npaths:', { breaking: 'green', drift: 'none' }],
  ['a text for people', '    Email:', 'An email address.', 'An address of email.', { breaking: 'green' }],
];

export const MUTATIONS: readonly Mutation[] = [...CONTRACT, ...LINT, ...BREAKING, ...TYPES, ...DATABASE, ...NONE];
