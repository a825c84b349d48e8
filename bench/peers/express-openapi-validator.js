/** Express with express-openapi-validator, as the validator's quick start has it: requests and responses validated. */
import http from 'node:http';
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { pets } from './pets.js';

export async function createServer() {
  const app = express();
  app.use(express.json());
  app.use(
    OpenApiValidator.middleware({
      apiSpec: process.env.SPEC,
      validateRequests: true,
      validateResponses: true,
    }),
  );

  app.get('/store/pets/:petId', async (req, res) => {
    const { pet, etag } = await pets.find(req.params.petId);
    res.set('ETag', etag).json(pet);
  });

  app.post('/pets', async (req, res) => {
    const { pet, etag } = await pets.create(req.body);
    res.status(201).location(`/store/pets/${pet.id}`).set('ETag', etag).json(pet);
  });

  app.use((err, req, res, next) => {
    res.status(err.status || 500).json({ message: err.message, errors: err.errors });
  });

  return http.createServer(app);
}
