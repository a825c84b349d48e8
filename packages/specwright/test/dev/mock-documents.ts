/** Documents as others publish them, shortened: what a mock with a memory makes of them. */

/** OpenAPI 3.0, after the pet store of Swagger: ids in bodies, lists below a collection, XML beside JSON, a form, an upload. */
export const SWAGGER = `openapi: 3.0.2
info: { title: Swagger Petstore, version: 1.0.11 }
servers: [{ url: /api/v3 }]
paths:
  /pet:
    put:
      operationId: updatePet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '200': { $ref: '#/components/responses/Pet' }, '400': { description: Invalid ID supplied }, '404': { description: Pet not found } }
    post:
      operationId: addPet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '200': { $ref: '#/components/responses/Pet' }, '405': { description: Invalid input } }
  /pet/findByStatus:
    get:
      operationId: findPetsByStatus
      parameters:
        - { name: status, in: query, explode: true, schema: { type: string, default: available, enum: [available, pending, sold] } }
      responses:
        '200':
          description: successful operation
          content:
            application/xml: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } }
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } }
  /pet/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer, format: int64 } }]
    get:
      operationId: getPetById
      responses: { '200': { $ref: '#/components/responses/Pet' }, '404': { description: Pet not found } }
    delete:
      operationId: deletePet
      responses: { '400': { description: Invalid pet value }, '204': { description: Deleted } }
  /user:
    post:
      operationId: createUser
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { default: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
  /user/{username}:
    parameters: [{ name: username, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getUserByName
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
        '404': { description: User not found }
components:
  responses:
    Pet:
      description: ok
      content:
        application/xml: { schema: { $ref: '#/components/schemas/Pet' } }
        application/json: { schema: { $ref: '#/components/schemas/Pet' } }
  schemas:
    User:
      type: object
      properties:
        id: { type: integer, format: int64, example: 10 }
        username: { type: string, example: theUser }
        password: { type: string, writeOnly: true }
    Pet:
      type: object
      required: [name, photoUrls]
      properties:
        id: { type: integer, format: int64, example: 10 }
        name: { type: string, example: doggie }
        category: { type: object, properties: { id: { type: integer, format: int64 }, name: { type: string } } }
        photoUrls: { type: array, items: { type: string } }
        status: { type: string, enum: [available, pending, sold] }
      xml: { name: pet }
`;

/** allOf, oneOf with a discriminator, ids that are UUIDs, an envelope with a cursor, things below things. */
export const SHAPES = `openapi: 3.0.3
info: { title: Drawings, version: '1' }
paths:
  /drawings:
    get:
      operationId: listDrawings
      parameters:
        - { name: page_size, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 2 } }
        - { name: page_token, in: query, schema: { type: string } }
        - { name: title, in: query, schema: { type: string } }
      responses:
        '200':
          description: A page.
          content:
            application/json:
              schema:
                type: object
                required: [data, total]
                additionalProperties: false
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Drawing' } }
                  total: { type: integer }
                  next_page_token: { type: string }
    post:
      operationId: addDrawing
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewDrawing' } } } }
      responses:
        '201':
          description: Added.
          headers: { Location: { required: true, schema: { type: string } }, ETag: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Drawing' } } }
  /drawings/{drawingId}:
    parameters: [{ name: drawingId, in: path, required: true, schema: { type: string, format: uuid } }]
    get:
      operationId: getDrawing
      responses: { '200': { $ref: '#/components/responses/Drawing' }, '404': { description: None. } }
    put:
      operationId: replaceDrawing
      parameters: [{ name: If-Match, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewDrawing' } } } }
      responses: { '200': { $ref: '#/components/responses/Drawing' }, '404': { description: None. }, '412': { description: Changed. } }
    patch:
      operationId: changeDrawing
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } } } }
      responses: { '200': { $ref: '#/components/responses/Drawing' }, '404': { description: None. } }
    delete:
      operationId: deleteDrawing
      responses: { '204': { description: Gone. }, '404': { description: None. } }
  /drawings/{drawingId}/shapes:
    parameters: [{ name: drawingId, in: path, required: true, schema: { type: string, format: uuid } }]
    get:
      operationId: listShapes
      responses:
        '200': { description: Shapes., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shape' } } } } }
        '404': { description: None. }
    post:
      operationId: addShape
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Shape' } } } }
      responses: { '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Shape' } } } }, '404': { description: None. } }
  /drawings/{drawingId}/shapes/{shapeId}:
    parameters:
      - { name: drawingId, in: path, required: true, schema: { type: string, format: uuid } }
      - { name: shapeId, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getShape
      responses: { '200': { description: A shape., content: { application/json: { schema: { $ref: '#/components/schemas/Shape' } } } }, '404': { description: None. } }
components:
  responses:
    Drawing:
      description: A drawing.
      headers: { ETag: { required: true, schema: { type: string } } }
      content: { application/json: { schema: { $ref: '#/components/schemas/Drawing' } } }
  schemas:
    NewDrawing:
      type: object
      required: [title]
      properties: { title: { type: string }, note: { type: string, nullable: true }, tags: { type: array, items: { type: string } } }
    Drawing:
      allOf:
        - $ref: '#/components/schemas/NewDrawing'
        - type: object
          required: [id, created_at]
          properties: { id: { type: string, format: uuid, readOnly: true }, created_at: { type: string, format: date-time, readOnly: true } }
    Shape:
      oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Box' }]
      discriminator: { propertyName: kind, mapping: { circle: '#/components/schemas/Circle', box: '#/components/schemas/Box' } }
    Circle:
      type: object
      required: [kind, radius]
      properties: { id: { type: integer }, kind: { type: string, enum: [circle] }, radius: { type: number, minimum: 0 } }
    Box:
      type: object
      required: [kind, width]
      properties: { id: { type: integer }, kind: { type: string, enum: [box] }, width: { type: number, minimum: 0 } }
`;

/** What can neither be listed nor added to, an id with an example, a header of the connection, and a schema that nothing fits. */
export const LOOK_UPS = `openapi: 3.0.3
info: { title: Look-ups, version: '1' }
paths:
  /rates/{currency}:
    parameters: [{ name: currency, in: path, required: true, schema: { type: string, pattern: '^[a-z]{3}$' } }]
    get:
      operationId: getRate
      responses:
        '200':
          description: A rate.
          headers: { Transfer-Encoding: { schema: { type: string, example: chunked } }, Content-Length: { schema: { type: integer, example: 3 } } }
          content: { application/json: { schema: { type: object, required: [currency, rate], properties: { currency: { type: string }, rate: { type: number } } } } }
    delete: { operationId: dropRate, responses: { '204': { description: Gone. } } }
  /users:
    get:
      operationId: listUsers
      responses: { '200': { description: Users., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } }
    post:
      operationId: addUser
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { '201': { description: Added. } }
  /users/{login}:
    parameters: [{ name: login, in: path, required: true, schema: { type: string }, example: ada }]
    get:
      operationId: getUser
      responses: { '200': { description: A user., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
  /guests:
    get:
      operationId: listGuests
      responses: { '200': { description: Guests., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } }
  /guests/{login}:
    parameters: [{ name: login, in: path, required: true, schema: { type: string }, example: eve }]
    delete: { operationId: dropGuest, responses: { '204': { description: Gone. } } }
  /nothing:
    get:
      operationId: getNothing
      responses: { '200': { description: None., content: { application/json: { schema: { type: string, minLength: 3, maxLength: 2 } } } } }
components:
  schemas:
    User: { type: object, required: [login], properties: { login: { type: string }, name: { type: string } } }
`;

/** OpenAPI 3.1 with webhooks, a type that is a list, `const`, prefixed ids, and one thing without an id. */
export const HOOKS = `openapi: 3.1.0
info: { title: Payments, version: '1' }
webhooks:
  paid: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }, responses: { '204': { description: ok } } } }
paths:
  /payments:
    get:
      operationId: listPayments
      parameters:
        - { name: limit, in: query, schema: { type: integer, default: 10 } }
        - { name: starting_after, in: query, schema: { type: string } }
      responses:
        '200':
          description: A page.
          content:
            application/json:
              schema:
                type: object
                required: [object, data, has_more]
                properties:
                  object: { const: list }
                  data: { type: array, items: { $ref: '#/components/schemas/Payment' } }
                  has_more: { type: boolean }
    post:
      operationId: addPayment
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [amount], properties: { amount: { type: integer, minimum: 1 } } } } } }
      responses: { '200': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } } }
  /payments/{payment}:
    get:
      operationId: getPayment
      parameters: [{ name: payment, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
        default: { description: Error., content: { application/json: { schema: { type: object, required: [error], properties: { error: { type: object, required: [message], properties: { message: { type: string } } } } } } } }
  /settings:
    get:
      operationId: getSettings
      responses: { '200': { description: Settings., content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } } }
    patch:
      operationId: changeSettings
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } }
      responses: { '200': { description: Settings., content: { application/json: { schema: { $ref: '#/components/schemas/Settings' } } } } }
components:
  schemas:
    Settings: { type: object, properties: { currency: { type: string, examples: [eur] }, receipt: { type: [boolean, 'null'] } } }
    Payment:
      type: object
      required: [id, object, amount, status]
      properties:
        id: { type: string, pattern: '^pay_[a-z0-9]{8}$' }
        object: { const: payment }
        amount: { type: integer }
        status: { enum: [open, paid] }
        refund: { type: [string, 'null'] }
`;
