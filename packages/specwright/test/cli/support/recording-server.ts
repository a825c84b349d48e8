/** A server that answers as a test says, and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { beforeEach } from '@jest/globals';
import { listenOnFreePort, withFixture } from 'specwright/testing';

/** @param count of the requests of the current test, with this one. */
export type Respond = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

/** For the tests of the current file; the bodies of requests are dropped. */
export function withRecordingServer(): { readonly url: string; requests: IncomingMessage[]; respond: Respond } {
  const recorded = { requests: [] as IncomingMessage[], respond: (() => undefined) as Respond };
  const server = withFixture(
    () =>
      listenOnFreePort(
        createServer((request, response) => {
          recorded.requests.push(request);
          request.resume();
          recorded.respond(request, response, recorded.requests.length);
        }),
      ),
    ({ close }) => close(),
  );
  beforeEach(() => {
    recorded.requests = [];
  });
  return Object.defineProperty(recorded, 'url', { get: () => server.url }) as typeof recorded & { readonly url: string };
}
