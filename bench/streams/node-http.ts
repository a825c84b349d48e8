/** The floor: `node:http` alone, which reads bodies, sends bytes and writes events to open responses. */
import { createServer as create, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { EVENT, GIB, zeros } from './support.ts';

export function createServer(): Server {
  const open = new Set<ServerResponse>();
  return create((request, response) => {
    const { method, url } = request;
    if (url === '/events') {
      open.add(response);
      response.once('close', () => open.delete(response));
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.flushHeaders();
      return;
    }
    if (url === '/ticks') {
      for (const one of open) one.write(`data: ${JSON.stringify(EVENT)}\n\n`);
      return void response.end();
    }
    if (url === '/ping') return void response.setHeader('Content-Type', 'application/json').end('{"pong":true}');
    if (method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': 2 * GIB });
      return void Readable.from(zeros()).pipe(response);
    }
    request.resume().once('end', () => response.end());
  });
}
