import type { Server } from 'node:http';
import express, { type Application } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import multer from 'multer';
import { WebSocketServer } from 'ws';

/** For the option `routes` of `createServer`. */
export function addRoutes(app: Application): void {
  app.use('/static', express.static(process.env['STATIC_FOLDER'] ?? 'public'));
  app.use('/other', createProxyMiddleware({ target: process.env['OTHER_URL'] ?? 'http://localhost:4000' }));
  app.post('/files', multer().single('file'), (request, response) => void response.json({ size: request.file?.size }));
}

/** An upgrade is no request of Express: it is an event of the server. */
export function addWebSocket(server: Server): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.url !== '/socket') return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (client) => client.send('hello'));
  });
}
