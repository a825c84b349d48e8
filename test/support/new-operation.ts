/** An operation as somebody adds it to the spec: a body, a 201 and the errors, with all that the spec's lint asks for. */
import type { Project } from './project.ts';

export interface NewOperation {
  readonly id: string;
  /** One that the spec does not have; `{petId}` is declared where it is in it. */
  readonly path: string;
  readonly tag?: string;
}

export const PHOTOS: NewOperation = { id: 'addPetPhoto', path: '/pets/{petId}/photos' };

/** Puts operations into the spec of a project, before `/categories`. */
export async function addToSpec(project: Pick<Project, 'edit'>, ...operations: readonly NewOperation[]): Promise<void> {
  await project.edit('spec/petstore.yaml', '\n  /categories:\n', `\n${operations.map(yaml).join('')}  /categories:\n`);
}

const FRAMEWORK_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
const ERRORS = {
  400: 'BadBody',
  401: 'Unauthorized',
  404: 'NotFound',
  413: 'TooLarge',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

function yaml({ id, path, tag = 'Pets' }: NewOperation): string {
  const ofPet = path.includes('{petId}');
  const errors = Object.entries(ERRORS).filter(([status]) => ofPet || status !== '404');
  return `  ${path}:
${ofPet ? "    parameters:\n      - $ref: '#/components/parameters/PetId'\n" : ''}    post:
      operationId: ${id}
      tags: [${tag}]
      summary: Add a photo
      description: Adds a photo by its name.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/NewCategory'
            example:
              name: Rex in the snow
      responses:
        '201':
          description: The photo as it was added.
          headers:
${FRAMEWORK_HEADERS.map((name) => `            ${name}:\n              $ref: '#/components/headers/${name}'\n`).join('')}          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Category'
              example:
                id: 1
                name: Rex in the snow
${errors.map(([status, name]) => `        '${status}':\n          $ref: '#/components/responses/${name}'\n`).join('')}
`;
}
