/** Express as its documentation begins: JSON bodies, two routes, nothing is validated. */
import http from 'node:http';
import express from 'express';
import { pets } from './pets.js';

export async function createServer() {
  const app = express();
  app.use(express.json());

  app.get('/store/pets/:petId', async (req, res) => {
    const { pet, etag } = await pets.find(Number(req.params.petId));
    res.set('ETag', etag).json(pet);
  });

  app.post('/pets', async (req, res) => {
    const { pet, etag } = await pets.create(req.body);
    res.status(201).location(`/store/pets/${pet.id}`).set('ETag', etag).json(pet);
  });

  return http.createServer(app);
}
