/** An application of ten routes, two of which are under contract: the other eight are as they were. */
import express, { type Request } from 'express';
import { api, notes } from './api.ts';

export const app = express();
app.use(api);
app.use(express.json());
const users = new Map([[1, { id: 1, name: 'Ada' }]]);
const idOf = (request: Request) => Number(request.params['id']);

app.get('/', (_request, response) => void response.send('shop'));
app.get('/health', (_request, response) => void response.json({ ok: true }));
app.get('/notes/:id', (request, response) => {
  const note = notes.get(idOf(request));
  if (note === undefined) response.status(404).json({ message: 'not found' });
  else response.json(note);
});
app.delete('/notes/:id', (request, response) => void response.status(notes.delete(idOf(request)) ? 204 : 404).end());
app.get('/users', (_request, response) => void response.json([...users.values()]));
app.get('/users/:id', (request, response) => void response.json(users.get(idOf(request))));
app.put('/users/:id', (request, response) => {
  users.set(idOf(request), { id: idOf(request), ...(request.body as { name: string }) });
  response.status(204).end();
});
app.get('/about', (_request, response) => void response.send('about'));
