/** Hono with @hono/zod-openapi: code first, so the two operations are written in zod, with the bounds of the spec. */
import { createAdaptorServer } from '@hono/node-server';
import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import { pets } from './pets.js';

const Id = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const Status = z.enum(['available', 'pending', 'sold']);
const Name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\x00-\x1F\x7F]*$/);
const NewPetSchema = z.strictObject({ name: Name, categoryId: Id, status: Status.default('available') }).openapi('NewPet');
const PetSchema = z.strictObject({ id: Id, name: Name, categoryId: Id, status: Status.optional() }).openapi('Pet');
const ParamsSchema = z.object({
  petId: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .openapi({ param: { name: 'petId', in: 'path' }, example: 7 }),
});

const getPet = createRoute({
  method: 'get',
  path: '/store/pets/{petId}',
  request: { params: ParamsSchema },
  responses: { 200: { content: { 'application/json': { schema: PetSchema } }, description: 'The pet.' } },
});

const createPet = createRoute({
  method: 'post',
  path: '/pets',
  request: { body: { content: { 'application/json': { schema: NewPetSchema } }, required: true } },
  responses: { 201: { content: { 'application/json': { schema: PetSchema } }, description: 'The pet as it was created.' } },
});

export async function createServer() {
  const app = new OpenAPIHono();

  app.openapi(getPet, async (c) => {
    const { pet, etag } = await pets.find(c.req.valid('param').petId);
    return c.json(pet, 200, { ETag: etag });
  });

  app.openapi(createPet, async (c) => {
    const { pet, etag } = await pets.create(c.req.valid('json'));
    return c.json(pet, 201, { Location: `/store/pets/${pet.id}`, ETag: etag });
  });

  return createAdaptorServer({ fetch: app.fetch });
}
