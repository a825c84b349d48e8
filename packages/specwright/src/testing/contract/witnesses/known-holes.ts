/** Where express-openapi-validator is known to judge otherwise than OpenAPI says: what the second judge says there does not count. */
import type { Objection, SentRequest } from './second-judge.ts';

/** What it refuses and should accept. */
export interface WrongObjection {
  readonly name: string;
  readonly reason: string;
  readonly applies: (objection: Objection, request: SentRequest) => boolean;
}

/** What it accepts and should refuse. */
export interface MissedProblem {
  readonly name: string;
  readonly reason: string;
  /** @param message of the server, which says what is wrong. */
  readonly applies: (message: string, request: SentRequest) => boolean;
}

const typeOf = ({ headers }: SentRequest): string | null => headers.get('content-type');
const isJson = (request: SentRequest): boolean => /[/+]json(?![\w-])/i.test(typeOf(request) ?? '');
const queryOf = ({ target }: SentRequest): URLSearchParams => new URLSearchParams(target.split('?').slice(1).join('?'));

export const WRONG_OBJECTIONS: readonly WrongObjection[] = [
  {
    name: 'an optional body that is not sent',
    reason: 'it asks for Content-Type unless `required: false` is written out',
    applies: ({ message }, request) =>
      request.body === undefined &&
      typeOf(request) === null &&
      /^(unsupported media type undefined|media type not specified)$/.test(message),
  },
  {
    name: 'a body that is not JSON',
    reason: 'it takes the fields of forms for texts, whatever their type, and parts of multipart bodies only from a socket',
    applies: ({ location }, request) => isWithin(location, '/body') && !isJson(request),
  },
  {
    name: 'a default that its schema refuses',
    reason: 'it validates defaults as if they had been sent',
    // What lacks a property is above it.
    applies: ({ location, keyword }, request) => !isSent(keyword === 'required' ? location.replace(/\/[^/]*$/, '') : location, request),
  },
  {
    name: 'a discriminator that is not sent',
    reason: 'it requires the property, which the schemas of the branches need not do',
    applies: ({ message }, request) => {
      const [, property] = /^'(.+)' must be equal to one of the allowed values: /.exec(message) ?? [];
      return property !== undefined && !isSent(`/body/${property}`, request);
    },
  },
  {
    name: 'a space in a query',
    reason: 'it refuses `+`, which forms and URLSearchParams write for a space, as a reserved character that is not encoded',
    applies: ({ message }, { target }) => message.includes('must be url encoded') && target.includes('+'),
  },
];

export const MISSED_PROBLEMS: readonly MissedProblem[] = [
  {
    name: 'a required body of no bytes',
    reason: 'it reads `required` of the schema, which is a list of properties, and not that of the request body',
    applies: (message, { body }) => body === undefined && message === 'body is required',
  },
  {
    name: 'an optional body without Content-Type',
    reason: 'it takes a request without Content-Type for one without a body',
    applies: (message, request) => request.body !== undefined && typeOf(request) === null && message.startsWith('header/Content-Type'),
  },
  {
    name: 'a parameter that is no number in decimal notation',
    reason: 'it coerces texts as JavaScript does: `0x10` is 16, `1e3` is 1000, and 2^53 + 1 is rounded',
    applies: (message, { body }) =>
      body === undefined && /^(path|query|header|cookie)\/\S+ must be (an? )?(integer|number)\b/.test(message),
  },
];

export const isWrong = (objection: Objection, request: SentRequest): boolean =>
  WRONG_OBJECTIONS.some(({ applies }) => applies(objection, request));

export const isMissed = (message: string, request: SentRequest): boolean =>
  MISSED_PROBLEMS.some(({ applies }) => applies(message, request));

const isWithin = (location: string, outer: string): boolean => location === outer || location.startsWith(`${outer}/`);

/** Whether a request has a value there: a parameter, or a part of a JSON body. */
function isSent(location: string, request: SentRequest): boolean {
  const [, place, ...keys] = location.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  // `filter` is sent as `filter[status]` too.
  if (place === 'query') return keys[0] === undefined || [...queryOf(request).keys()].some((name) => name.split('[')[0] === keys[0]);
  if (place === 'headers') return keys[0] === undefined || request.headers.has(keys[0]);
  if (place !== 'body' || keys.length === 0 || request.body === undefined || !isJson(request)) return true;
  let value: unknown = JSON.parse(request.body.toString());
  for (const key of keys) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return value !== undefined;
}
