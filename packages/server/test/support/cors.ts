/** A contract with what CORS depends on, and requests as browsers make them. */
import { request } from 'node:http';
import { bearer, HandlerResponse, notImplemented } from '@specwright/server';

export const APP = 'https://app.example.com';
export const LOCAL = 'http://localhost:5173';

export const NOTES = `x-rate-limit-plans: { plans: { free: { minute: 1000, day: 1000 } }, address: { minute: 1000, day: 1000 } }
security: [{ token: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      security: []
      deprecated: true
      x-deprecated-since: '2026-01-01'
      x-deprecated-sunset: '2099-01-01'
      x-deprecated-successor: getNote
      parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]
      responses:
        '200':
          description: ok
          headers: { Link: { schema: { type: string } }, Vary: { schema: { type: string } }, Last-Modified: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: {} } } }
        '304': { description: not modified, headers: { etag: { schema: { type: string } } } }
    post:
      operationId: createNote
      x-stability: beta
      security: [{ token: [] }, { key: [] }, { cookie: [] }]
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }, { name: page, in: query, schema: { type: integer } }]
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        '201': { description: created, headers: { Location: { schema: { type: string } }, X-Cost: { schema: { type: string } } } }
        '402': { description: no money, headers: { X-Price: { schema: { type: string } }, Set-Cookie: { schema: { type: string } } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, security: [], responses: { '200': { description: ok } } }
    options: { operationId: describeNote, responses: { '204': { description: ok } } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: X-Api-Key }
    cookie: { type: apiKey, in: cookie, name: session }
`;

const authenticator = bearer(async (token) => (token === 'valid' ? { id: 1 } : undefined));

/** What serves them, with limits that no test reaches. */
export const notes = {
  security: { token: authenticator, key: authenticator, cookie: authenticator },
  rateLimit: { subject: () => ({ bucket: 'caller', quota: { minute: 1000, day: 1000 }, key: undefined }) },
  handlers: {
    listNotes: () => HandlerResponse.reply(200, { headers: { Vary: 'Accept-Language', Link: '</notes?page=2>; rel="next"' }, body: [] }),
    createNote: () => notImplemented('createNote'),
    getNote: () => notImplemented('getNote'),
    describeNote: () => HandlerResponse.reply(204, {}),
  },
} as const;

export interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names in turn with values, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends any header, those that `fetch` keeps for itself too. */
export function send(
  url: string,
  { body, ...options }: { method?: string; headers?: Record<string, string>; body?: string | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const { statusCode: status, headers, rawHeaders } = response;
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status, headers, rawHeaders, body }));
    });
    sent.on('error', reject).end(body);
  });
}

/** The headers of CORS in a response. */
export const corsOf = ({ headers }: Answer): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
