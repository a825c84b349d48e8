/** Fastify with fastify-openapi-glue: routes, request schemas and serializers made from the spec. */
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { pets } from './pets.js';

class Service {
  async getStorePet(req, reply) {
    const { pet, etag } = await pets.find(req.params.petId);
    reply.header('ETag', etag);
    return pet;
  }

  async createPet(req, reply) {
    const { pet, etag } = await pets.create(req.body);
    reply.code(201).header('Location', `/store/pets/${pet.id}`).header('ETag', etag);
    return pet;
  }
}

export async function createServer() {
  // Ajv's strict mode refuses `example` and the other words that OpenAPI adds to JSON Schema.
  const fastify = Fastify({ logger: false, ajv: { customOptions: { strict: false } } });
  fastify.register(openapiGlue, { specification: process.env.SPEC, serviceHandlers: new Service() });
  await fastify.ready();
  return fastify.server;
}
