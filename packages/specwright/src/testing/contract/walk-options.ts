/** What the contract walk needs of a project. */
import type { SpecOperation } from './document.ts';
import type { FailureContext } from './failure.ts';
import type { Call, OperationClient } from './operation-client.ts';
import type { RefusedCredentials } from './refused-credentials.ts';
import type { HttpResponse, Witness } from './witnesses/witness.ts';

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
