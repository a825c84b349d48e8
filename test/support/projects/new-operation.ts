/** An operation as somebody adds it to the spec: a body and a 201 without Location, with all that the spec's lint asks for. */
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

function yaml({ id, path, tag = 'Pets' }: NewOperation): string {
  const ofPet = path.includes('{petId}');
  return `  ${path}:
${ofPet ? "    parameters:\n      - $ref: '#/components/parameters/PetId'\n" : ''}    post:
      operationId: ${id}
      tags: [${tag}]
      summary: Add a photo
      description: Adds a photo by its name.
      x-operation-defaults: { without: [Location, ETag] }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewCategory' }
            example: { name: Rex in the snow }
      responses:
        '201':
          description: The photo as it was added.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Category' }
              example: { id: 1, name: Rex in the snow }

`;
}
