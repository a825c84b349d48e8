/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
import type { RequestHandler } from 'express';
import type { Contract } from '../contract/load-contract.ts';
import { isGetOrHead } from './probes.ts';
import { send } from './send-response.ts';

export function contractDocument({ source, document: content }: Contract): RequestHandler {
  // RFC 9512; JSON is YAML too.
  const documents = new Map([
    ['/openapi.yaml', { type: 'application/yaml', body: source }],
    ['/openapi.json', { type: 'application/json', body: JSON.stringify(content) }],
  ]);
  return (request, response, next) => {
    const { path, headers } = request.exchange;
    const document = documents.get(path);
    if (document === undefined || !isGetOrHead(request)) return next();
    send(request, response, { status: 200, headers, type: document.type, text: document.body });
  };
}
