/** `GET /openapi.yaml` and `GET /openapi.json`: the contract itself, for clients and their tools. Needs no key. */
import type { RequestHandler } from 'express';
import type { Contract } from '../contract/load-contract.ts';
import { isGetOrHead } from './probes.ts';
import { send } from './send-response.ts';

export function contractDocument({ source, document: parsed }: Contract): RequestHandler {
  // RFC 9512 for YAML; a file that is written in JSON is YAML too.
  const forms = new Map([
    ['/openapi.yaml', { type: 'application/yaml', body: source }],
    ['/openapi.json', { type: 'application/json', body: JSON.stringify(parsed) }],
  ]);
  return (request, response, next) => {
    const { path, headers } = request.exchange;
    const form = forms.get(path);
    if (form === undefined || !isGetOrHead(request)) return next();
    send(request, response, { status: 200, headers, type: form.type, text: form.body });
  };
}
