/** What a test says when an operation does not answer as it should: the request, the problems, the body, and what the server has logged. */
import type { LogLine } from '../fixtures/app.ts';
import type { SpecOperation } from './document.ts';
import type { Call } from './operation-client.ts';
import type { HttpResponse } from './witnesses/witness.ts';

/** Where the reason for an answer may be found. */
export interface FailureContext {
  /** A fixture of the server, whose log is read when a test fails. */
  readonly app?: { readonly log: readonly LogLine[] };
  /** Where the credentials of the tests are made, for messages. */
  readonly credentialsFile?: string;
}

/** Nobody has to run the request again to see why it failed. */
export function describeFailure(
  { id, method, path, security }: Pick<SpecOperation, 'id' | 'method' | 'path' | 'security'>,
  call: Call,
  response: HttpResponse,
  problems: readonly string[],
  { app, credentialsFile = 'the credentials of the operation client' }: FailureContext = {},
): string {
  const isOwn = !call.anonymous && call.credentials === undefined;
  const refused = isOwn && security.length > 0 && (response.status === 401 || response.status === 403);
  const lines = [
    `${id} (${method} ${path}), called with ${shorten(JSON.stringify(call))}:`,
    ...(refused ? [`  the credentials of the tests are rejected with ${response.status}: return valid ones in ${credentialsFile}`] : []),
    ...problems.map((problem) => `  ${problem}`),
    `  response body: ${shorten(response.text)}`,
    ...(app === undefined ? [] : logOf(response, app.log).map((line) => `  log: ${line}`)),
  ];
  return lines.join('\n');
}

/** The warnings and errors of one request. */
function logOf({ headers }: HttpResponse, log: readonly LogLine[]): string[] {
  const id = headers.get('x-request-id');
  const lines = log.filter(({ requestId, level }) => requestId === id && level !== 'info');
  return id === null ? [] : lines.map(({ message, err }) => `${message}${err instanceof Error ? `: ${formatError(err)}` : ''}`);
}

/** With the frames of the project alone. */
function formatError({ name, message, stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  return [`${name}: ${message}`, ...frames.slice(0, 5)].join('\n  ');
}

const shorten = (text: string, most = 1000): string => (text.length > most ? `${text.slice(0, most)}...` : text);

/** A value in a sentence. */
export const formatValue = (value: unknown): string => (value === undefined ? 'nothing' : shorten(JSON.stringify(value), 60));
