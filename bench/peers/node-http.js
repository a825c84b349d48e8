/** Node's own server: two routes, nothing is validated. The floor for everything else. */
import http from 'node:http';
import { pets } from './pets.js';

async function getPet(req, res) {
  const { pet, etag } = await pets.find(Number(req.url.slice('/store/pets/'.length)));
  const json = JSON.stringify(pet);
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json), ETag: etag });
  res.end(json);
}

function createPet(req, res) {
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (chunk) => (text += chunk));
  req.on('end', async () => {
    const { pet, etag } = await pets.create(JSON.parse(text));
    const json = JSON.stringify(pet);
    res.writeHead(201, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
      ETag: etag,
      Location: `/store/pets/${pet.id}`,
    });
    res.end(json);
  });
}

export async function createServer() {
  return http.createServer((req, res) => {
    if (req.method === 'GET' && req.url.startsWith('/store/pets/')) return getPet(req, res);
    if (req.method === 'POST' && req.url === '/pets') return createPet(req, res);
    res.writeHead(404).end();
  });
}
