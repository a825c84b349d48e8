/** Breaking changes that `redocly diff` misses, and those that it reports though no client breaks. */
import { listOperations, pointerKeys, resolve, type RequestBody } from '@specwright/server';
import type { DetectedChange, Change, Comparison } from './change.ts';
import { rateLimitChanges } from './rate-limit-rules.ts';
import { securityChanges } from './security-rules.ts';

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
      const message = `\`${property}\` changed from ${text(base?.value)} to ${text(revision?.value)}.`;
      yield { rule, message, base: base?.pointer, working: revision?.pointer };
    }
  };
}

/** From the strongest promise to the weakest. */
const STABILITY = [undefined, 'beta', 'experimental'];

const day = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Infinity);

export const RULES: readonly Rule[] = [
  securityChanges,
  rateLimitChanges,
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
    before === undefined ? day(after) <= now.getTime() : day(after) < day(before),
  ),
  function* requestBodyAdded({ changes, working }) {
    for (const { typeName, kind, revision } of changes) {
      if (typeName !== 'RequestBody' || kind !== 'added') continue;
      const { required } = resolve<RequestBody>(working.document, revision?.value as RequestBody);
      if (required) yield { rule: 'request-body-became-required', message: 'Required request body was added.', working: revision?.pointer };
    }
  },
];

/** A report of `redocly diff` that breaks no client. */
interface FalseAlarm {
  readonly rule: string;
  readonly reason: string;
  readonly applies: (change: Change, comparison: Comparison) => boolean;
}

export const FALSE_ALARMS: readonly FalseAlarm[] = [
  {
    rule: 'operation-removed',
    reason: 'After its sunset an operation answers nothing but 410.',
    applies: ({ base }, comparison) => isPastSunset(pointerKeys(base?.pointer ?? ''), comparison),
  },
  {
    rule: 'path-removed',
    reason: 'After their sunset its operations answer nothing but 410.',
    applies: ({ base }, comparison) => isPastSunset(pointerKeys(base?.pointer ?? ''), comparison),
  },
  {
    rule: 'response-removed',
    reason: 'What requires no credentials refuses none.',
    applies: ({ base }, { working }) => {
      const [section, path, method, , status] = pointerKeys(base?.pointer ?? '');
      const operation = listOperations(working.document).find((place) => place.path === path && place.method === method)?.operation;
      const security = operation?.security ?? working.document.security ?? [];
      return (
        section === 'paths' && status === '401' && operation !== undefined && security.every((schemes) => Object.keys(schemes).length === 0)
      );
    },
  },
  {
    rule: 'schema-constraint-changed',
    reason: 'Each multiple of the one is a multiple of the other.',
    applies: ({ property, base, revision }, { sent, received }) => {
      if (property !== 'multipleOf' || base?.value === undefined || revision?.value === undefined) return false;
      const [before, after] = [Number(base.value), Number(revision.value)];
      const at = revision.pointer.replace(/\/multipleOf$/, '');
      return (!sent(at) || before % after === 0) && (!received(at) || after % before === 0);
    },
  },
  {
    rule: 'response-header-removed',
    reason: 'Header names are case-insensitive (RFC 9110, section 5.1).',
    applies: ({ base }, { working }) => {
      const keys = pointerKeys(base?.pointer ?? '');
      const name = keys.at(-1)?.toLowerCase();
      const headers = keys
        .slice(0, -1)
        .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], working.document);
      return Object.keys(headers ?? {}).some((other) => other.toLowerCase() === name);
    },
  },
];

/** Whether every operation that a pointer of the base names, `#/paths/PATH` or `#/paths/PATH/METHOD`, is past its sunset. */
function isPastSunset([, path, method]: readonly string[], { base, now }: Comparison): boolean {
  const named = listOperations(base.document).filter((place) => place.path === path && (method === undefined || place.method === method));
  return named.length > 0 && named.every(({ operation }) => day(operation['x-deprecated-sunset']) <= now.getTime());
}
