/** Node's own HTTP/2 server without TLS, with the functions of node-http.js. */
import http2 from 'node:http2';
import { handle } from './node-http.js';

export async function createServer() {
  return http2.createServer(handle);
}
