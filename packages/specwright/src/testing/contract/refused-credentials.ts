/** Credentials that an operation has to refuse: none, unknown ones, those that have expired, and those that lack scopes. */
import type { SpecOperation, SpecRequirement, SpecSecurityScheme } from './document.ts';
import { type MakeCredentials, type Walk, describeFailure } from './walk-options.ts';
import type { Call } from './operation-client.ts';

type RefusalTests = Pick<Walk<unknown>, 'client' | 'refusedCredentials' | 'exemptions' | 'app' | 'credentialsFile'>;

interface RefusalTest {
  readonly title: string;
  /** @throws Error if the credentials are not refused. */
  readonly run: () => Promise<void>;
}

/** A text that is nobody's key, token or password. */
const WRONG: MakeCredentials = (_name, scheme) =>
  scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic' ? 'wrong:wrong' : 'wrong';
/** What an operation answers as long as its scheme is not implemented, whatever is sent. */
const UNIMPLEMENTED = /the security scheme \S+ is not implemented yet/;

/** Statuses that are answered before a handler is reached, for a request that is not valid. */
export const REJECTED: readonly number[] = [400, 413, 415, 422];

/** Whether the credentials of a scheme are access tokens of an identity provider. */
export const isTokenScheme = (scheme: SpecSecurityScheme): boolean =>
  scheme.type === 'oauth2' ||
  scheme.type === 'openIdConnect' ||
  (scheme.type === 'http' && scheme.scheme.toLowerCase() === 'bearer' && scheme.bearerFormat?.toLowerCase() === 'jwt');

/** Whether all of its alternatives need a client certificate, which is of the connection: no credentials of a request are accepted. */
export const needsCertificate = ({ security }: SpecOperation): boolean =>
  security.length > 0 && security.every((all) => all.some(({ scheme }) => scheme.type === 'mutualTLS'));

/** The tests of an operation; none for one that admits everybody. */
export function refusalTests(tests: RefusalTests, operation: SpecOperation): readonly RefusalTest[] {
  if (!operation.secured) return [];
  const { wrong = WRONG, expired, weak } = tests.refusedCredentials ?? {};
  const list: (RefusalTest | undefined)[] = [
    { title: 'rejects a request without credentials with 401', run: () => expectRefusal(tests, operation, { anonymous: true }, 401) },
    { title: 'rejects wrong credentials with 401', run: () => tryCredentials(tests, operation, wrong, 0, 401) },
    refusal('rejects expired credentials with 401', expired, (all) => all.some(({ scheme }) => isTokenScheme(scheme)), 401),
    refusal('rejects credentials without the required scopes with 403', weak, (all) => needsScopes(operation, all), 403),
  ];
  return list.filter((one) => one !== undefined);

  function refusal(
    title: string,
    make: MakeCredentials | undefined,
    matches: (alternative: readonly SpecRequirement[]) => boolean,
    status: number,
  ): RefusalTest | undefined {
    const alternative = operation.security.findIndex(matches);
    if (make === undefined || alternative === -1) return undefined;
    return { title, run: () => tryCredentials(tests, operation, make, alternative, status) };
  }
}

/** Whether its credentials are refused without scopes. Another alternative, which requires none, may admit what is sent in the same field. */
function needsScopes({ security }: SpecOperation, alternative: readonly SpecRequirement[]): boolean {
  const sent = new Set(alternative.map(fieldOf));
  const isAdmitted = security.some((all) => all.every((one) => one.scopes.length === 0 && sent.has(fieldOf(one))));
  return !isAdmitted && alternative.some(({ scopes }) => scopes.length > 0);
}

/** Where a request has the credentials. */
const fieldOf = ({ scheme }: SpecRequirement): string =>
  scheme.type === 'apiKey'
    ? `${scheme.in} ${scheme.name}`
    : `Authorization ${scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'}`;

async function tryCredentials(
  tests: RefusalTests,
  operation: SpecOperation,
  make: MakeCredentials,
  alternative: number,
  status: number,
): Promise<void> {
  const made = new Map<string, string>();
  for (const { name, scheme, scopes } of operation.security[alternative] ?? []) made.set(name, await make(name, scheme, scopes));
  await expectRefusal(tests, operation, { credentials: (name) => made.get(name) ?? '', alternative }, status);
}

async function expectRefusal(tests: RefusalTests, operation: SpecOperation, call: Call, status: number): Promise<void> {
  const response = await tests.client.send(operation.id, call);
  if (response.status === status) return;
  // As long as a scheme is not implemented, an operation that no request can reach answers what is wrong with the request.
  const isExempt = tests.exemptions?.[operation.id] !== undefined && REJECTED.includes(response.status);
  // A response to HEAD has no body that could say so.
  const isUnimplemented = response.status === 501 && (operation.method === 'HEAD' || UNIMPLEMENTED.test(response.text));
  if (call.anonymous !== true && (isExempt || isUnimplemented)) return;
  throw new Error(describeFailure(operation, call, response, [`status ${response.status}, not ${status}`], tests));
}
