/** Judges the response of a server to a case. */
import type { Case, ExpectedBody, ExpectedHeaders, Outcome, Received } from './case.ts';
import { isEqual, parseExactly } from './exact-json.ts';
import type { Response } from './send.ts';

/**
 * - `kept`: the server did what the contract says.
 * - `refused`: it refused what is valid.
 * - `let through`: the handler got what is invalid.
 * - `altered`: the handler, or the client, got another value than was sent.
 * - `outside`: it answered what the contract does not have, or with another status than the standard says.
 * - `crashed`: 5xx for a request, no response in time, or no HTTP.
 */
export type Verdict = 'kept' | 'refused' | 'let through' | 'altered' | 'outside' | 'crashed';

export interface Judgement {
  readonly verdict: Verdict;
  /** What came, for a reader of the report; the empty text if the contract was kept. */
  readonly reason: string;
}

/** @param response a response, or why there was none */
export function judge({ accepts }: Pick<Case, 'accepts'>, response: Response | Error): Judgement {
  if (response instanceof Error) return { verdict: 'crashed', reason: response.message };
  if (accepts.some((outcome) => isMet(outcome, response))) return { verdict: 'kept', reason: '' };
  return { verdict: verdictOf(accepts, response), reason: describe(response) };
}

function verdictOf(accepts: readonly Outcome[], { status }: Response): Verdict {
  const isAsked = accepts.some((outcome) => outcome.kind === 'answered' && outcome.statuses.some((asked) => asked >= 500));
  if (isAsked) return 'outside';
  if (status >= 500) return 'crashed';
  const isValid = accepts.some(({ kind }) => kind !== 'refused');
  if (status >= 400) return isValid && !accepts.some(({ kind }) => kind === 'refused') ? 'refused' : 'outside';
  if (!accepts.some(({ kind }) => kind === 'received' || kind === 'answered')) return 'let through';
  return accepts.some((outcome) => ('statuses' in outcome ? outcome.statuses.includes(status) : status === 200)) ? 'altered' : 'outside';
}

function isMet(outcome: Outcome, response: Response): boolean {
  if (outcome.kind === 'received') return response.status === 200 && isEcho(outcome.received, response.body);
  return (
    outcome.statuses.includes(response.status) &&
    hasHeaders(outcome.headers ?? {}, response) &&
    (outcome.kind === 'refused' || outcome.body === undefined || hasBody(outcome.body, response.body))
  );
}

function isEcho(expected: Received | 'anything', body: Buffer): boolean {
  const echo = tryParse(body.toString('utf8'));
  if (typeof echo !== 'object' || echo === null) return false;
  if (expected === 'anything') return true;
  const parts = echo as Record<string, unknown>;
  return Object.entries(expected).every(([part, value]) => {
    const exact = parseExactly(JSON.stringify(value));
    return part === 'header' ? isEqual(lowerCased(parts[part]), lowerCased(exact)) : isEqual(parts[part], exact);
  });
}

/** The names of header fields do not depend on case (RFC 9110, 5.1). */
const lowerCased = (fields: unknown): unknown =>
  typeof fields === 'object' && fields !== null
    ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
    : fields;

const hasHeaders = (expected: ExpectedHeaders, { headers }: Response): boolean =>
  Object.entries(expected).every(([name, value]) => {
    const sent = headers[name.toLowerCase()];
    return value === null ? sent === undefined : value === '*' ? sent !== undefined : sent === value;
  });

function hasBody(expected: ExpectedBody, body: Buffer): boolean {
  const text = body.toString('utf8');
  if ('text' in expected) return text === expected.text;
  const exact = 'json' in expected ? JSON.stringify(expected.json) : expected.jsonText;
  return isEqual(tryParse(text), parseExactly(exact));
}

function tryParse(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

const SHOWN = 300;

function describe({ status, headers, body }: Response): string {
  const text = body.toString('utf8');
  const type = headers['content-type'] === undefined ? '' : ` ${headers['content-type']}`;
  return `${status}${type} ${text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text}`.trim();
}
