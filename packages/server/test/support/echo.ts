/** A server with one operation, `op`, which answers its body: for tests of values on their way in and out. */
import { afterAll, beforeAll } from '@jest/globals';
import type { ListeningServer } from 'specwright/testing';
import { serve } from './serve.ts';

interface Input {
  readonly path: object;
  readonly query: object;
  readonly headers: object;
  readonly body: unknown;
}

export interface Echo {
  /** What the last request was to the handler. */
  given: Input;
  /** The body of responses; that of the request if it is undefined. */
  answer: unknown;
  readonly ask: (
    path: string,
    body: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; text: string; headers: Headers }>;
}

/** For the tests of a `describe`. @param yaml the paths of the document. @param headersOf those of each response. */
export function withEcho(yaml: string, headersOf: () => object): Echo {
  let app: ListeningServer;
  const op = (input: Input, reply: (status: number, payload: object) => unknown) => {
    echo.given = input;
    return reply(200, { body: echo.answer ?? input.body, headers: headersOf() });
  };
  beforeAll(async () => {
    app = await serve(yaml, { handlers: { op } });
  });
  afterAll(() => app.close());
  const echo: Echo = {
    given: { path: {}, query: {}, headers: {}, body: undefined },
    answer: undefined,
    async ask(path, body, headers = {}) {
      const response = await fetch(app.url + path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
  };
  return echo;
}
