/** A contract with lists, versions and references: each rule of the contract walk applies to it. */

const ok = (schema: string, headers = '') =>
  `{ description: Done., ${headers}content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }`;
const ETAG = 'headers: { ETag: { schema: { type: string } } }, ';
const IF_MATCH = '{ name: If-Match, in: header, schema: { type: string, pattern: \'^(\\*|"[0-9]+")$\' } }';
const BODY = (schema: string) =>
  `{ required: true, content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }`;

export const TOOL_SHED = `openapi: 3.0.3
info: { title: Tool shed, version: '1' }
security: [{ key: [] }]
paths:
  /shelves:
    post: { operationId: addShelf, responses: { '201': ${ok('Shelf')} } }
  /shelves/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: readShelf, responses: { '200': ${ok('Shelf')} } }
    delete: { operationId: deleteShelf, responses: { '204': { description: Gone. }, '409': { description: It has tools. } } }
  /tools:
    get:
      operationId: listTools
      parameters:
        - { name: status, in: query, schema: { type: array, items: { type: string, enum: [new, used] } } }
        - { name: shelfId, in: query, schema: { type: integer } }
        - { name: name, in: query, schema: { type: string } }
        - { name: bought, in: query, schema: { type: string, format: date } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        '200': ${ok('Tools', 'headers: { Link: { schema: { type: string } } }, ')}
    post:
      operationId: addTool
      requestBody: ${BODY('NewTool')}
      responses:
        '201': ${ok('Tool', 'headers: { Location: { schema: { type: string } } }, ')}
        '400': { description: Wrong. }
  /tools/{toolId}:
    parameters: [{ name: toolId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: readTool
      responses: { '200': ${ok('Tool', ETAG)}, '404': { description: None. } }
    put:
      operationId: replaceTool
      parameters: [${IF_MATCH}]
      requestBody: ${BODY('NewTool')}
      responses: { '200': ${ok('Tool', ETAG)}, '400': { description: Wrong. }, '404': { description: None. }, '412': { description: Changed. } }
    delete:
      operationId: deleteTool
      parameters: [${IF_MATCH}]
      responses: { '204': { description: Gone. }, '404': { description: None. }, '412': { description: Changed. } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Shelf: { type: object, properties: { id: { type: integer } } }
    NewTool:
      type: object
      required: [name, shelfId]
      properties:
        name: { type: string, example: Saw }
        shelfId: { type: integer }
        status: { type: string, enum: [new, used], default: new }
        note: { type: string }
        bought: { type: string, format: date }
    Tool:
      allOf: [{ $ref: '#/components/schemas/NewTool' }]
      required: [id]
      properties: { id: { type: integer } }
    Tools: { type: array, items: { $ref: '#/components/schemas/Tool' } }
`;
