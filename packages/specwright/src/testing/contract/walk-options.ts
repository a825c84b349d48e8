/** What the contract walk needs of a project, and what it says when an operation does not answer as it should. */
import type { Json, SpecOperation } from './document.ts';
import type { Call, OperationClient } from './operation-client.ts';
import type { Credentials } from './values/sample.ts';
import { type RequestSchemas, hasPlace } from './values/variants.ts';
import type { HttpResponse, Witness } from './witnesses/witness.ts';
import type { LogLine } from '../fixtures/app.ts';

/** The calls that make an operation answer a status. `world` is what a project's scenarios prepare them with. */
export type Scenario<World> = (world: World) => Promise<readonly Call[]> | readonly Call[];

/**
 * Makes the service send one webhook or callback to `url`, on loopback: `WEBHOOK_ALLOW_PRIVATE` or `allowPrivate` has to allow that.
 *
 * @returns the secret that it is signed with, if it is; the signature is then verified.
 */
export type OutgoingScenario<World> = (world: World, url: string) => Promise<string | undefined>;

/** By the name of the function that sends it. */
export type OutgoingScenarios<World> = Readonly<Record<string, OutgoingScenario<World>>>;

/** As `Credentials`; they may take time. */
export type MakeCredentials = (...args: Parameters<Credentials>) => string | Promise<string>;

/** Made by a project for its tests. Those that it does not make are not tried, except wrong ones. */
export interface RefusedCredentials {
  /** Nobody's. Default: a text. */
  readonly wrong?: MakeCredentials;
  /** Valid once. Tried with schemes of tokens (`oauth2`, `openIdConnect`, and `http` `bearer` whose `bearerFormat` is JWT). */
  readonly expired?: MakeCredentials;
  /** Valid, without any scope of those that are required. Tried where some are. */
  readonly weak?: MakeCredentials;
}

export interface Walk<World> extends FailureContext {
  readonly spec: Witness;
  readonly client: OperationClient;
  /** A fixture: it is first read when a test runs. */
  readonly world: World;
  readonly scenarioFor: (operation: SpecOperation, status: string) => Scenario<World> | undefined;
  /** Where a missing scenario is to be written, for messages. */
  readonly scenariosFile: string;
  /** A client with the credentials of another account, which sees no record of the first one. A fixture. Without it this is not tried. */
  readonly otherClient?: OperationClient | undefined;
  /** Credentials that each operation has to refuse, beside none and wrong ones. */
  readonly refusedCredentials?: RefusedCredentials | undefined;
  /** Everything about a response that breaks the contract; by default what the witness says. */
  readonly problems?: (operationId: string, response: HttpResponse) => readonly string[];
  /** What makes the service send each webhook and callback of the contract. One without a scenario fails, unless it is exempt (`webhook orderCompleted`). */
  readonly outgoing?: OutgoingScenarios<World>;
  /** Which calls this walk can send. By default all. */
  readonly canSend?: (call: Call) => boolean;
  /**
   * What is refused, does not come back or breaks a rule for a good reason, by operation and place or rule, with the reason:
   * `{ 'updateOrder body/complete=false': 'an order that is complete stays so', 'deleteKey deletion': 'a revoked key can be read' }`.
   * One that is not needed fails, so they only shrink.
   */
  readonly exemptions?: Readonly<Record<string, string>>;
  /** Where they are written, for messages. */
  readonly exemptionsFile?: string;
}

/** Exemptions of a contract walk: what is refused, does not come back or breaks a rule for a good reason. */
type Exemptions = Pick<Walk<unknown>, 'exemptions' | 'exemptionsFile'>;

/** By what is exempt: a place in the request (`body/note`), a variant (`body/status=sold`), or the case of a rule (`filter status`). */
export function exemptionsOf({ exemptions = {} }: Exemptions, { id }: Pick<SpecOperation, 'id'>): ReadonlyMap<string, string> {
  const prefix = `${id} `;
  const own = Object.entries(exemptions).filter(([key]) => key.startsWith(prefix));
  return new Map(own.map(([key, reason]) => [key.slice(prefix.length), reason]));
}

/** The places in the request of an operation that are exempt. */
export const exemptPlacesOf = (walk: Exemptions, operation: SpecOperation, schemas: RequestSchemas, document: Json): string[] =>
  [...exemptionsOf(walk, operation).keys()].filter((name) => hasPlace(document, schemas, name));

/** Where they are written. */
export const exemptionsFileOf = ({ exemptionsFile = 'the exemptions of the walk' }: Exemptions): string => exemptionsFile;

/** The end of a fix: what to do if the failure is right. */
export const orExempt = (walk: Exemptions, { id }: Pick<SpecOperation, 'id'>, name: string): string =>
  `, or exempt "${id} ${name}" with the reason in ${exemptionsFileOf(walk)}`;

/** What is reported of an exemption that is not needed. @param why `it is accepted and comes back` */
export const needless = (walk: Exemptions, { id }: Pick<SpecOperation, 'id'>, name: string, why: string): string =>
  `"${id} ${name}" is exempt (${exemptionsOf(walk, { id }).get(name) ?? ''}), but ${why}. Remove it from ${exemptionsFileOf(walk)}`;

/** The ids of the operations to test, separated by commas; without it all are tested. */
const SELECTION_VARIABLE = 'TEST_OPERATIONS';

/** @throws Error if an id is of no operation, because a run that tests nothing would be green. */
export function selectOperations(
  operations: readonly SpecOperation[],
  selection: string | undefined = process.env[SELECTION_VARIABLE],
): readonly SpecOperation[] {
  const ids = (selection ?? '').split(',').flatMap((id) => id.trim() || []);
  if (ids.length === 0) return operations;
  const unknown = ids.filter((id) => !operations.some((operation) => operation.id === id));
  if (unknown.length > 0) throw new Error(`${SELECTION_VARIABLE}: the contract has no operation ${unknown.join(', ')}`);
  return operations.filter(({ id }) => ids.includes(id));
}

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
