/** Breaking changes that `redocly diff` misses. */
import {
  DEFAULT_MAX_BODY_BYTES,
  type Document,
  type DocumentOperation,
  type OperationObject,
  type RequestBody,
  type SourceDocument,
  bodyLimitOf,
  listOperations,
  operationKeys,
  pointerKeys,
  pointerTo,
  resolve,
  valueAt,
} from '@specwright/contract/document';
import type { Comparison, DetectedChange } from './change.ts';

/** Detects one kind of breaking change in the list of changes, or in the two documents. */
type Rule = (comparison: Comparison) => Iterable<DetectedChange>;

const text = (value: unknown) => (value === undefined ? 'none' : `'${typeof value === 'string' ? value : JSON.stringify(value)}'`);

/** A rule about one keyword of one kind of part. `breaks` gets its value before and after. */
function keyword(
  rule: string,
  typeName: string,
  property: string,
  breaks: (before: unknown, after: unknown, parts: { at: string; comparison: Comparison }) => boolean,
): Rule {
  return function* (comparison) {
    for (const change of comparison.changes) {
      const { base, revision } = change;
      if (change.kind !== 'modified' || change.typeName !== typeName || change.property !== property) continue;
      const at = (revision?.pointer ?? '').replace(new RegExp(`/${property}$`), '');
      if (!breaks(base?.value, revision?.value, { at, comparison })) continue;
      const name = nameOfProperty(at);
      const message = `\`${property}\`${name} changed from ${text(base?.value)} to ${text(revision?.value)}.`;
      yield { rule, message, base: base?.pointer, working: revision?.pointer };
    }
  };
}

/** Of the property at a pointer; nothing for another schema. */
function nameOfProperty(pointer: string): string {
  const keys = pointerKeys(pointer);
  return keys.at(-2) === 'properties' ? ` of \`${keys.at(-1)}\`` : '';
}

/** From the strongest promise to the weakest. */
const STABILITY = [undefined, 'beta', 'experimental'];

/** A day in ms; infinitely late for what is none. */
export const dayOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Infinity);

export const RULES: readonly Rule[] = [
  securityChanges,
  rateLimitChanges,
  bodyLimitChanges,
  // Adding one counts: requests without the value behave differently.
  keyword('default-changed', 'Schema', 'default', (_before, _after, { at, comparison }) => comparison.sent(at)),
  keyword('response-header-became-optional', 'Header', 'required', (before, after) => before === true && after !== true),
  keyword('property-became-read-only', 'Schema', 'readOnly', (_before, after, { at, comparison }) => after === true && comparison.sent(at)),
  keyword(
    'property-became-write-only',
    'Schema',
    'writeOnly',
    (_before, after, { at, comparison }) => after === true && comparison.received(at),
  ),
  keyword('discriminator-changed', 'Discriminator', 'propertyName', () => true),
  keyword(
    'stability-lowered',
    'Operation',
    'x-stability',
    (before, after) => STABILITY.indexOf(after as string) > STABILITY.indexOf(before as string),
  ),
  keyword('rate-limit-cost-raised', 'Operation', 'x-rate-limit-cost', (before = 1, after = 1) => Number(after) > Number(before)),
  // A first sunset is an announcement, unless it is past already.
  keyword('sunset-earlier', 'Operation', 'x-deprecated-sunset', (before, after, { comparison: { now } }) =>
    before === undefined ? dayOf(after) <= now.getTime() : dayOf(after) < dayOf(before),
  ),
  function* requestBodyAdded({ changes, working }) {
    for (const { typeName, kind, revision } of changes) {
      if (typeName !== 'RequestBody' || kind !== 'added') continue;
      const { required } = resolve<RequestBody>(working.document, revision?.value as RequestBody);
      if (required) yield { rule: 'request-body-became-required', message: 'Required request body was added.', working: revision?.pointer };
    }
  },
];

/** Breaking changes of rate limits: a client within its plan is refused once the plan allows less. */
interface Quota {
  readonly minute: number;
  readonly day: number;
}
type Quotas = Readonly<Record<string, Quota>>;
type Table = { readonly plans: Quotas; readonly address: Quota; readonly operations?: Quotas } | undefined;

const PLANS_KEY = 'x-rate-limit-plans';
const SPANS = ['minute', 'day'] as const;

/** Plans that are removed or allow less, limits that allow less, and limits where there were none. */
function* rateLimitChanges({ base, working }: Comparison): Generator<DetectedChange> {
  const [before, after] = [base, working].map(({ document }) => document[PLANS_KEY] as Table);
  if (after === undefined) return;
  if (before === undefined) {
    yield { rule: 'rate-limit-lowered', message: 'Rate limits were added.', working: pointerTo(PLANS_KEY) };
    return;
  }
  for (const [name, quota] of Object.entries(before.plans)) yield* lowered(`Plan '${name}'`, quota, after.plans[name], ['plans', name]);
  yield* lowered('The limit of an IP address', before.address, after.address, ['address']);
  const known = new Set(listOperations(base.document).map(({ id }) => id));
  for (const [id, quota] of Object.entries(after.operations ?? {}).filter(([id]) => known.has(id))) {
    const was = before.operations?.[id];
    const keys = ['operations', id];
    if (was !== undefined) yield* lowered(`The limit of ${id}`, was, quota, keys);
    else yield { rule: 'rate-limit-lowered', message: `A limit of ${id} was added.`, working: pointerTo(PLANS_KEY, ...keys) };
  }
}

function* lowered(what: string, before: Quota, after: Quota | undefined, keys: readonly string[]): Generator<DetectedChange> {
  if (after === undefined) {
    yield { rule: 'rate-limit-lowered', message: `${what} was removed.`, base: pointerTo(PLANS_KEY, ...keys) };
    return;
  }
  for (const span of SPANS) {
    if (after[span] >= before[span]) continue;
    const pointer = pointerTo(PLANS_KEY, ...keys, span);
    const message = `${what} went from ${before[span]} to ${after[span]} requests per ${span}.`;
    yield { rule: 'rate-limit-lowered', message, base: pointer, working: pointer };
  }
}

/** Breaking changes of security: credentials that were sufficient for an operation have to stay so. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/**
 * Operations whose former credentials are no longer sufficient, counting what they inherit from the document (OpenAPI 3.0.3, section 4.7.10.1).
 * A change of the document's own list is reported once, however many operations inherit it.
 */
function* securityChanges({ base, working }: Comparison): Generator<DetectedChange> {
  const now = new Map(listOperations(working.document).map((place) => [identity(place), place]));
  const reported = new Set<string>();
  for (const before of listOperations(base.document)) {
    const after = now.get(identity(before));
    if (after === undefined) continue;
    const accepted = effective(working.document, after);
    const refused = effective(base.document, before).find((former) => !accepted.some((needed) => isSufficient(former, needed)));
    if (refused === undefined) continue;
    const inherited = before.operation.security === undefined && after.operation.security === undefined;
    const sides = { base: listPointer(base.document, before, inherited), working: listPointer(working.document, after, inherited) };
    if (reported.has(JSON.stringify(sides))) continue;
    reported.add(JSON.stringify(sides));
    const message = `With ${formatRequirements([refused])} it could be called; now it takes ${formatRequirements(accepted)}.`;
    yield { rule: 'security-requirement-changed', message, ...sides };
  }
}

/** Renamed path parameters leave the path the same. */
const identity = ({ path, method }: DocumentOperation) => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;

/** The alternatives, any one of which is sufficient. A missing or empty list allows every caller. */
function effective(document: Document, { operation }: DocumentOperation): readonly Requirement[] {
  const list = operation.security ?? document.security ?? [];
  return list.length === 0 ? [{}] : list;
}

const isSufficient = (former: Requirement, needed: Requirement) =>
  Object.entries(needed).every(([scheme, scopes]) => scopes.every((scope) => former[scheme]?.includes(scope)) && scheme in former);

/** The pointer of the list; without one, of its parent. */
function listPointer(document: Document, { path, method, operation }: DocumentOperation, inherited: boolean): string {
  if (inherited) return document.security === undefined ? '#' : pointerTo('security');
  return pointerTo(...operationKeys({ path, method }), ...(operation.security === undefined ? [] : ['security']));
}

function formatRequirements(requirements: readonly Requirement[]): string {
  const one = (requirement: Requirement) => {
    const schemes = Object.entries(requirement).map(([name, scopes]) => (scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name));
    return schemes.length === 0 ? 'no key' : schemes.join(' and ');
  };
  return requirements.map(one).join(', or ');
}

/** Breaking changes of body limits: a request that was accepted is refused with 413 once the limit is lower. */
const BODY_LIMIT_KEY = 'x-body-limit';

/**
 * Operations whose largest body is smaller than before; without a limit it is that of a server without configuration. A change of
 * the document's own limit is reported once.
 */
function* bodyLimitChanges({ base, working }: Comparison): Generator<DetectedChange> {
  const before = new Map(listOperations(base.document).map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const reported = new Set<string>();
  for (const after of listOperations(working.document)) {
    const former = before.get(`${after.method} ${after.path}`);
    if (former?.operation.requestBody === undefined || after.operation.requestBody === undefined) continue;
    const [old, now] = [limitOf(base, former.operation), limitOf(working, after.operation)];
    if (now >= old) continue;
    const keys = operationKeys(after);
    const sides = { base: pointerOf(base, keys), working: pointerOf(working, keys) };
    const message = `The largest body went from ${old} to ${now} bytes.`;
    const key = JSON.stringify([sides.working ?? sides.base, message]);
    if (reported.has(key)) continue;
    reported.add(key);
    yield { rule: 'body-limit-lowered', message, ...sides };
  }
}

const limitOf = ({ document }: SourceDocument, operation: Parameters<typeof bodyLimitOf>[1]): number =>
  bodyLimitOf(document, operation) ?? DEFAULT_MAX_BODY_BYTES;

/** Of the limit of an operation, that of the document if it has none, `undefined` without both. */
function pointerOf({ document }: SourceDocument, keys: readonly string[]): string | undefined {
  const operation = valueAt(document, keys) as OperationObject | undefined;
  if (operation?.[BODY_LIMIT_KEY] !== undefined) return pointerTo(...keys, BODY_LIMIT_KEY);
  return document[BODY_LIMIT_KEY] === undefined ? undefined : pointerTo(BODY_LIMIT_KEY);
}
