/** Breaking changes that `redocly diff` misses. */
import { pointerKeys, resolve, type RequestBody } from '@specwright/contract/document';
import type { DetectedChange, Comparison } from './change.ts';
import { bodyLimitChanges } from './body-limit-rules.ts';
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
