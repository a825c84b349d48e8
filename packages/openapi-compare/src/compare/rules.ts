/** The breaking changes by name: what a client meets, and what to do about it. */
import type { Side } from '@specwright/contract/proofs';

const REFUSED = 'requests that were valid are refused with 400';
const UNKNOWN = 'a client receives what its contract excluded';
const GONE = 'a client that relies on it no longer gets it';
const LIMITED = 'a client that stayed within its limit is answered with 429';

const KEEP = 'keep it, deprecated, until its clients have moved';
const WIDER = 'keep what was accepted, or offer an operation or a version that is stricter';
const NARROWER = 'keep to what was answered, or offer an operation or a version that answers more';
const OPTIONAL = 'make it optional, with a default that means what was meant without it';

interface Rule {
  /** What a client meets, if it sends what has changed, and if it receives it. One text: it meets that either way. */
  readonly impact: string | Readonly<Record<Side, string>>;
  readonly fix: string | Readonly<Record<Side, string>>;
  /** Whether clients are told of it, though nothing of theirs fails. */
  readonly isWarning?: true;
}

const VALUES: Rule = { impact: { sent: REFUSED, received: UNKNOWN }, fix: { sent: WIDER, received: NARROWER } };
const LIMIT: Rule = { impact: LIMITED, fix: 'keep the limit, or lower it for new accounts only' };

export const BREAKING_RULES = {
  'base-invalid': { impact: 'the base cannot be read, so breaking changes cannot be found', fix: 'correct the base, or record it' },
  'path-removed': { impact: 'every call to it is answered with 404', fix: `${KEEP}: deprecated, x-deprecated-sunset` },
  'operation-removed': { impact: 'every call to it is answered with 404 or 405', fix: `${KEEP}: deprecated, x-deprecated-sunset` },
  'operation-id-changed': {
    impact: 'generated clients name a function after it, and code that calls it no longer compiles',
    fix: 'keep the operationId',
  },
  'client-type-changed': {
    impact: 'generated clients have another type for it, and code that uses it no longer compiles',
    fix: 'keep the type',
  },
  'path-shadowed': {
    impact: 'requests are answered by another operation, or with 404 or 405',
    fix: 'choose a path that no template matches',
  },
  'server-removed': { impact: 'clients continue to call the former address', fix: 'keep serving the former address' },
  'parameter-removed': { impact: 'requests with it are refused with 400: an unknown parameter is not ignored', fix: KEEP },
  'parameter-became-required': { impact: 'requests without it are refused with 400', fix: OPTIONAL },
  'parameter-serialization-changed': {
    impact: 'a value in the former serialization is misread, or refused with 400',
    fix: 'add a parameter of another name',
  },
  'request-body-removed': { impact: { sent: 'a body is ignored, or refused', received: GONE }, fix: KEEP },
  'request-body-became-required': { impact: 'requests without a body are refused with 400', fix: 'keep it optional' },
  'body-became-optional': { impact: 'a client that reads it without a check fails when it is absent', fix: 'keep sending it' },
  'response-removed': {
    impact: { sent: 'a client that answers so is taken to have failed', received: 'a client that waits for this status no longer sees it' },
    fix: { sent: 'keep accepting it', received: 'keep answering it' },
  },
  'response-header-removed': { impact: GONE, fix: 'keep sending it' },
  'response-header-became-optional': { impact: 'a client that reads it without a check fails when it is absent', fix: 'keep sending it' },
  'media-type-removed': {
    impact: { sent: 'requests in this format are refused with 400', received: 'a client that reads this format no longer gets it' },
    fix: { sent: 'keep accepting it', received: 'keep offering it' },
  },
  'item-schema-removed': {
    impact: 'a client that reads typed items gets texts that nothing is promised of',
    fix: 'keep the schema of the items',
  },
  'file-limit-lowered': { impact: 'files that were accepted are refused with 413', fix: 'keep the limit' },
  'body-limit-lowered': { impact: 'larger requests, which were accepted, are refused with 413', fix: 'keep the limit' },
  'property-removed': {
    impact: { sent: 'requests with it are refused with 400', received: GONE },
    fix: { sent: KEEP, received: 'keep sending it' },
  },
  'property-ignored': { impact: 'what clients send there is ignored', fix: KEEP, isWarning: true },
  'property-became-read-only': { impact: 'what clients send there is ignored', fix: 'keep accepting it' },
  'property-became-write-only': { impact: GONE, fix: 'keep sending it' },
  'required-properties-added': { impact: 'requests without them are refused with 400', fix: OPTIONAL },
  'required-properties-removed': { impact: 'a client that reads them without a check fails when they are absent', fix: 'keep sending it' },
  'enum-values-removed': { impact: REFUSED, fix: 'keep accepting the value, as a synonym' },
  'enum-values-added': {
    impact: `${UNKNOWN}: a switch over the values has no case for it`,
    fix: 'send the value only to clients that ask for it',
  },
  'default-changed': {
    impact: 'requests without the value behave differently, though the client has not changed',
    fix: 'keep the default; clients can send the other value',
  },
  'discriminator-changed': {
    impact: 'a client chooses the type by a property that no longer determines it',
    fix: 'keep the names of the types',
  },
  'schema-type-changed': VALUES,
  'schema-constraint-changed': VALUES,
  'schema-combinator-changed': VALUES,
  'security-requirement-changed': {
    impact: 'requests that were authorized are answered with 401 or 403',
    fix: 'accept the former credentials as well',
  },
  'security-scheme-changed': {
    impact: 'clients authenticate as before, and are answered with 401',
    fix: 'add a scheme of another name, and accept both',
  },
  'stability-lowered': { impact: 'clients rely on a stability that is no longer promised', fix: 'keep the stability' },
  'sunset-earlier': { impact: 'clients that planned for the former day are answered with 410 from the new one on', fix: 'keep the day' },
  'rate-limit-lowered': LIMIT,
  'rate-limit-cost-raised': LIMIT,
  'tool-removed': { impact: 'agents that call the tool by its name get an error', fix: 'keep the name: x-mcp/name' },
  'callback-removed': { impact: 'a client that waits for the call gets none', fix: KEEP },
  'webhook-removed': { impact: 'a client that waits for the call gets none', fix: KEEP },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof BREAKING_RULES;

export const isWarning = (rule: string): boolean => (BREAKING_RULES[rule as RuleName] as Rule).isWarning === true;

/** What a client meets, and what to do. @param sides that the change breaks; none if it is not about a value. */
export function explain(rule: string, sides: readonly Side[]): { impact: string; fix: string } {
  const { impact, fix }: Rule = BREAKING_RULES[rule as RuleName];
  const told = (text: Rule['impact']) =>
    typeof text === 'string' ? text : [...new Set((sides.length > 0 ? sides : BOTH).map((side) => text[side]))].join('; ');
  return { impact: told(impact), fix: told(fix) };
}

const BOTH: readonly Side[] = ['sent', 'received'];
