/** The same server over HTTP/2 without TLS. */
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { createRequestHandler } from '@specwright/server';
import { createOptions } from './petstore.ts';

export const createServer = async (): Promise<Http2Server> => createHttp2Server({}, createRequestHandler(await createOptions()));
