/** The router that http-server-js generates from main.tsp, with one implementation of its operations. */
import { createServer } from 'node:http';
import { createConformanceRouter } from './.generated/js/http/router.js';

/** Required parameters are arguments, and optional ones are properties of the last argument. */
const operationOf = (name) => (_context, sent) => {
  const isOptional = typeof sent === 'object' && !Array.isArray(sent);
  const part = /^(path|query|header)/.exec(name)[1];
  const value = isOptional ? sent.color : sent;
  return { echo: { path: {}, query: {}, header: {}, cookie: {}, [part]: { [part === 'header' ? 'Color' : 'color']: value } } };
};
const parameters = new Proxy({}, { get: (_target, name) => operationOf(name) });
const server = createServer();
server.on('request', createConformanceRouter(parameters).dispatch);
server.listen(Number(process.env.PORT), '127.0.0.1');
