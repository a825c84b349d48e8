/** Tells requests of HTTP/2 from those that only say so in the text of HTTP/1, which Node's parser accepts. */
import type { IncomingMessage } from 'node:http';

export const isHttp2 = (request: IncomingMessage): boolean => request.httpVersionMajor > 1 && 'stream' in request;
