/** What a rule of the contract walk is: what each operation of a kind does, whatever its noun; derived from the contract. */
import type { SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import type { HttpResponse, Witness } from '../witnesses/witness.ts';
import type { RuleContext } from './rule-context.ts';

export interface Rule {
  /** The title of its test. */
  readonly title: string;
  /** Where it applies in an operation; empty if it does not. */
  readonly cases: (spec: Witness, operation: SpecOperation) => readonly RuleCase[];
  /** Whether it needs a client with the credentials of another account. */
  readonly needsOtherClient?: boolean;
}

export interface RuleCase {
  /** As an exemption names it, after the operation: `query/status filters`. */
  readonly name: string;
  /** @returns what breaks the rule. @throws NotTriedError, NoValueError */
  readonly check: (context: RuleContext) => Promise<Finding | undefined>;
}

/** A response that breaks a rule, or shows that an earlier one did. */
export interface Finding {
  readonly operation: SpecOperation;
  readonly call: Call;
  readonly response: HttpResponse;
  readonly problems: readonly string[];
  readonly fix: string;
}
