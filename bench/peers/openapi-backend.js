/** openapi-backend on Express, as its README has it: requests are routed and validated by the spec. */
import http from 'node:http';
import express from 'express';
import { OpenAPIBackend } from 'openapi-backend';
import { pets } from './pets.js';

export async function createServer() {
  const api = new OpenAPIBackend({ definition: process.env.SPEC });
  api.register({
    getStorePet: async (c, req, res) => {
      const { pet, etag } = await pets.find(Number(c.request.params.petId));
      res.status(200).set('ETag', etag).json(pet);
    },
    createPet: async (c, req, res) => {
      const { pet, etag } = await pets.create(c.request.requestBody);
      res.status(201).location(`/store/pets/${pet.id}`).set('ETag', etag).json(pet);
    },
    validationFail: (c, req, res) => res.status(400).json({ err: c.validation.errors }),
    notFound: (c, req, res) => res.status(404).json({ err: 'not found' }),
  });
  await api.init();

  const app = express();
  app.use(express.json());
  app.use((req, res) => api.handleRequest(req, req, res));
  return http.createServer(app);
}
