/** Asks the second judge about each request of a walk: server and judge have to agree on which are valid. */
import { exemptionsOf, needless, orExempt } from '../exemptions.ts';
import { describeFailure } from '../failure.ts';
import type { OperationClient } from '../operation-client.ts';
import type { Walk } from '../walk-options.ts';
import { isMissed, isWrong } from './known-holes.ts';
import { secondJudgeOf, type Objection, type SecondJudge, type SentRequest } from './second-judge.ts';
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
export async function disagreement(judge: SecondJudge, request: SentRequest, response: HttpResponse): Promise<string | undefined> {
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
  if (status !== 400 && status !== 415) return undefined;
  try {
    const body = JSON.parse(text) as { code?: unknown; message?: unknown } | null;
    return REFUSALS.includes(body?.code) ? String(body?.message) : undefined;
  } catch {
    return undefined;
  }
}
