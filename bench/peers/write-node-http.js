/** Node's own server and `pg` with named statements: the floor of a write. */
import http from 'node:http';
import { routeOf, STATUS } from './write-requests.js';
import { openWrites } from './write-statements.js';

export async function createServer() {
  const writes = openWrites(process.env.DATABASE_URL);

  async function answer(req, res, text) {
    const route = routeOf(req.method, req.url);
    if (route === undefined) return res.writeHead(404).end();
    try {
      const body = await writes[route.operation](req.headers['x-account'], route.id, text === '' ? undefined : JSON.parse(text));
      const json = body === undefined ? '' : JSON.stringify(body);
      res.writeHead(STATUS[route.operation], body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
      res.end(json);
    } catch (error) {
      res.writeHead(500).end(String(error));
    }
  }

  return http.createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => answer(req, res, text));
  });
}
