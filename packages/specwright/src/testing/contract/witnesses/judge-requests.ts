/** Asks the second judge about each request of a walk: server and judge have to agree on which are valid. */
import { describeFailure, type Walk, exemptionsOf, needless, orExempt } from '../walk-options.ts';
import { isInside } from '../attempt.ts';
import type { OperationClient } from '../operation-client.ts';
import { parseBody } from '../read-back.ts';
import { type Objection, type SecondJudge, type SentRequest, secondJudgeOf } from './second-judge.ts';
import type { HttpResponse } from './witness.ts';

type JudgedWalk = Pick<Walk<unknown>, 'spec' | 'client' | 'otherClient' | 'exemptions' | 'exemptionsFile' | 'app' | 'credentialsFile'>;

/** What exempts an operation from the second judge: `"addPet second judge": "why"`. */
export const SECOND_JUDGE = 'second judge';

export const NEEDED_EXEMPTIONS = 'every exemption from the second judge is needed';

export interface Judged<W> {
  /** The walk with clients whose requests are judged. */
  readonly walk: W;
  /** @throws Error if an operation is exempt, and server and judge agree on all of its requests. */
  readonly assertExemptionsNeeded: () => void;
}

/** A client of the walk may be a fixture: it is first read when a test runs. */
export function withSecondJudge<W extends JudgedWalk>(given: W): Judged<W> {
  const agreed = new Map<string, boolean>();
  const judged = (client: OperationClient): OperationClient => ({
    sample: (id) => client.sample(id),
    async send(id, call = {}, method) {
      const response = await client.send(id, call, method);
      const operation = given.spec.operation(id);
      if (call.notJudged !== undefined || response.request?.method !== operation.method) return response;
      const problem = await disagreement(secondJudgeOf(given.spec.published), response.request, response);
      agreed.set(id, problem === undefined && agreed.get(id) !== false);
      if (problem === undefined || exemptionsOf(given, operation).has(SECOND_JUDGE)) return response;
      throw new Error(describeFailure(operation, call, response, [`${problem}${orExempt(given, operation, SECOND_JUDGE)}`], given));
    },
  });
  const { client, otherClient } = given;
  return {
    walk: { ...given, client: judged(client), ...(otherClient && { otherClient: judged(otherClient) }) },
    assertExemptionsNeeded() {
      const unneeded = given.spec.operations.filter((one) => agreed.get(one.id) === true && exemptionsOf(given, one).has(SECOND_JUDGE));
      if (unneeded.length === 0) return;
      throw new Error(unneeded.map((one) => needless(given, one, SECOND_JUDGE, 'server and judge agree')).join('\n'));
    },
  };
}

/** How server and judge differ about whether a request is valid; `undefined` if they agree, or one of them does not say. */
async function disagreement(judge: SecondJudge, request: SentRequest, response: HttpResponse): Promise<string | undefined> {
  const refusal = refusalOf(response);
  if (refusal === undefined && !isAccepted(response)) return undefined;
  const objections = await judge.objections(request);
  if (objections === undefined) return undefined;
  const { status } = response;
  if (refusal === undefined) {
    const valid = objections.filter((objection) => !isWrong(objection, request));
    return valid.length === 0
      ? undefined
      : `the server accepts it (status ${status}), express-openapi-validator refuses it (${formatObjections(valid)}): correct the server`;
  }
  if (objections.length > 0 || isMissed(refusal, request)) return undefined;
  return `the server refuses it (status ${status}: ${refusal}), express-openapi-validator accepts it: correct the server`;
}

const formatObjections = (objections: readonly Objection[]): string =>
  objections.map(({ location, message }) => `${location} ${message}`).join('; ');

/** The statuses of a handler, which gets valid requests only: also that it is not written yet. */
const isAccepted = ({ status }: HttpResponse): boolean => (status >= 200 && status < 400) || [404, 409, 412, 501].includes(status);

/** The codes with which a server refuses what its contract does not allow. Handlers have codes of their own. */
const REFUSALS: readonly unknown[] = ['invalid_request', 'invalid_json', 'unsupported_content_type'];

/** What the server says is wrong with the request, if that is its answer. */
function refusalOf({ status, text }: HttpResponse): string | undefined {
  if (![400, 415, 422].includes(status)) return undefined;
  const body = parseBody({ text }) as { code?: unknown; message?: unknown } | null | undefined;
  return REFUSALS.includes(body?.code) ? String(body?.message) : undefined;
}

/** What the judge is known to be wrong about. @template Subject its objection, or the message of the server, which says what is wrong. */
interface Exception<Subject> {
  readonly name: string;
  readonly reason: string;
  readonly applies: (subject: Subject, request: SentRequest) => boolean;
}

const typeOf = ({ headers }: SentRequest): string | null => headers.get('content-type');
const isJson = (request: SentRequest): boolean => /[/+]json(?![\w-])/i.test(typeOf(request) ?? '');
const queryOf = ({ target }: SentRequest): URLSearchParams => new URLSearchParams(target.split('?').slice(1).join('?'));

/** What it refuses and should accept. */
export const WRONG_OBJECTIONS: readonly Exception<Objection>[] = [
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
    applies: ({ location }, request) => isInside(location, '/body') && !isJson(request),
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

/** What it accepts and should refuse. */
export const MISSED_PROBLEMS: readonly Exception<string>[] = [
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

const isWrong = (objection: Objection, request: SentRequest): boolean =>
  WRONG_OBJECTIONS.some(({ applies }) => applies(objection, request));

const isMissed = (message: string, request: SentRequest): boolean => MISSED_PROBLEMS.some(({ applies }) => applies(message, request));

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
