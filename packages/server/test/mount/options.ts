/** The options of the handler that the examples mount: a small contract with one response of each kind. */
import {
  AppError,
  bearer,
  createdResponse,
  HandlerResponse,
  pageResponse,
  parsePage,
  replyWithRecord,
  type Readiness,
} from '@specwright/server';
import type { LogLine } from 'specwright/testing';
import { optionsOf, type GivenOptions } from '../support/serve.ts';

const YAML = `x-rate-limit-plans:
  plans: { one: { minute: 1, day: 10 }, many: { minute: 100000, day: 100000 } }
  address: { minute: 100000, day: 100000 }
security: [{ token: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, default: 1 } }
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        '200':
          description: a page
          headers: { Link: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
    post:
      operationId: createNote
      x-body-limit: 1000
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }
      responses:
        '201':
          description: created
          headers: { Location: { required: true, schema: { type: string } }, ETag: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }]
    get:
      operationId: getNote
      parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]
      responses:
        '200':
          description: the note
          headers: { ETag: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
        '304': { description: not modified, headers: { ETag: { schema: { type: string } } } }
        '404': { description: there is none, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
    delete:
      operationId: deleteNote
      deprecated: true
      x-deprecated-since: '2025-01-01'
      x-deprecated-successor: getNote
      responses: { '204': { description: deleted } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    NewNote: { type: object, additionalProperties: false, required: [text], properties: { text: { type: string }, size: { type: number } } }
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
    Error: { type: object, properties: { code: { type: string }, message: { type: string }, status: { type: integer } } }
`;

/** A plan of the contract: `one` request a minute, or `many`. */
interface Caller {
  readonly plan: 'one' | 'many';
}

interface Input {
  readonly path: { readonly id: number };
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly headers: { readonly 'If-None-Match'?: string };
  readonly body: { readonly text: string };
}

const NOTES = [
  { id: 1, text: 'one' },
  { id: 2, text: 'zwölf Äpfel' },
];
const reply = HandlerResponse.reply.bind(HandlerResponse);

export const handlers = {
  listNotes: ({ query }: Input) => {
    const { after, limit } = parsePage(query);
    return reply(200, pageResponse('/notes', { ...query }, NOTES.filter(({ id }) => id > after).slice(0, limit)));
  },
  createNote: ({ body }: Input) => reply(201, createdResponse('/notes/7', { version: 'v1', record: { id: 7, ...body } })),
  getNote: ({ path, headers }: Input) => {
    const record = NOTES.find(({ id }) => id === path.id);
    if (record === undefined) throw new AppError('not_found', `there is no note ${path.id}`);
    const stored = { version: 'v1', record } as never;
    return replyWithRecord(reply as never, headers, stored);
  },
  deleteNote: () => reply(204),
};

/** Whether the service is ready: a test changes it. */
export const state = { isReady: true };

const reason = () => (state.isReady ? undefined : 'the test says so');
const readiness: Readiness = { reason, check: async () => reason() };

/** The options, with others in their places. @param lines gets what is logged. */
export const notesOptions = (given: GivenOptions = {}, lines: LogLine[] = []) =>
  optionsOf(
    YAML,
    {
      handlers,
      security: { token: bearer(async (token) => (token === 'one' || token === 'many' ? { plan: token } : undefined)) },
      rateLimit: {
        subject: (caller, { plans }) => {
          const { plan } = caller as Caller;
          return { bucket: plan, quota: plans[plan] as (typeof plans)[string], key: undefined };
        },
      },
      readiness,
      now: () => new Date('2026-01-01T00:00:30Z'),
      ...given,
    },
    lines,
  );

/** What the examples give to `createRequestHandler`. */
export const options = await notesOptions();
