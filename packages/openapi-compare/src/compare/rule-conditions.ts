/** When a difference breaks clients: for each fact and each part of a contract a rule, or the reason why it has none. */
import { isObject } from '@specwright/contract/document';
import { losesAddress } from './addresses.ts';
import {
  CONSTRAINT,
  STABILITY,
  UNPROVED,
  always,
  changed,
  come,
  dayOf,
  flag,
  gone,
  isFormatOfType,
  isInRange,
  isLowered,
  isRequiredIn,
  isRequiredPart,
  isWrittenOtherwise,
  losesMedia,
  losesType,
  lower,
  narrows,
  other,
  received,
  sent,
  upper,
  valueOf,
  type BrokenRule,
  type Condition,
  type Entry,
  type Judged,
} from './conditions.ts';
import { isOpenToAll, losesCredentials } from './credentials.ts';
import type { Part, PartKind } from './part.ts';

const losesServer: Condition = ({ before, beside }) => {
  const current = valueOf(beside, 'servers');
  return Array.isArray(current) && losesAddress(before as string[], current) ? 'server-removed' : undefined;
};

/** What each kind of part says in one value. `*` is every other. */
export const FACTS = {
  document: {
    servers: { rule: losesServer },
  },
  scheme: {
    bearerFormat: 'It is a hint for people (OpenAPI 3.0.3, section 4.7.27).',
    '*': { rule: ({ before }) => (before === undefined ? undefined : 'security-scheme-changed') },
  },
  quota: {
    custom: { rule: (judged) => (gone(judged) ? 'rate-limit-lowered' : undefined) },
    '*': { rule: ({ before, after }) => (Number(after) < Number(before) ? 'rate-limit-lowered' : undefined) },
  },
  operation: {
    'name of the function': changed('operation-id-changed'),
    tags: 'They group operations for people.',
    // A first sunset is an announcement too, unless it is past already.
    deprecated: {
      rule: ({ after, beside, now }) =>
        after === true && dayOf(valueOf(beside, 'x-deprecated-sunset')) <= now.getTime() ? 'sunset-earlier' : undefined,
    },
    'x-deprecated-sunset': {
      rule: ({ before, after, now }) =>
        (before === undefined ? dayOf(after) <= now.getTime() : dayOf(after) < dayOf(before)) ? 'sunset-earlier' : undefined,
    },
    'x-deprecated-successor': 'It says where to go, which no client has to do yet.',
    'x-stability': {
      rule: ({ before, after }) => (STABILITY.indexOf(String(after)) > STABILITY.indexOf(String(before)) ? 'stability-lowered' : undefined),
    },
    servers: { rule: losesServer },
    security: { rule: ({ before, after }) => (losesCredentials(before, after) ? 'security-requirement-changed' : undefined) },
    'x-rate-limit-cost': { rule: ({ before, after }) => (Number(after) > Number(before) ? 'rate-limit-cost-raised' : undefined) },
    tool: { rule: ({ before }) => (before === undefined ? undefined : 'tool-removed') },
  },
  parameter: {
    required: { rule: sent(come, 'parameter-became-required') },
    name: 'The name of a path parameter is not sent.',
    deprecated: 'A deprecation is an announcement.',
    allowReserved: 'What a client encodes is decoded, whether it has to be encoded or not.',
    allowEmptyValue: { rule: sent(gone, 'parameter-serialization-changed') },
    '*': { rule: isWrittenOtherwise },
  },
  body: {
    required: { rule: (judged) => sent(come, 'request-body-became-required')(judged) ?? received(gone, 'body-became-optional')(judged) },
    'x-body-limit': { rule: sent(({ before, after }) => Number(after) < Number(before), 'body-limit-lowered') },
  },
  media: {
    contentType: { rule: narrows('media-type-removed', losesMedia) },
    '*': { rule: isWrittenOtherwise },
  },
  response: {},
  header: {
    required: {
      rule: (judged) => received(gone, 'response-header-became-optional')(judged) ?? sent(come, 'parameter-became-required')(judged),
    },
    deprecated: 'A deprecation is an announcement.',
    '*': { rule: isWrittenOtherwise },
  },
  link: { '*': 'A link says how responses relate; nothing is refused or answered by it.' },
  schema: {
    [UNPROVED]: { values: always(CONSTRAINT) },
    type: { values: narrows('schema-type-changed', losesType) },
    nullable: {
      values: (judged) => {
        const { pointer = '' } = judged.beside['nullable'] ?? judged.former['nullable'] ?? {};
        const rule = /\/(?:oneOf|anyOf)/.test(pointer) ? 'schema-combinator-changed' : 'schema-type-changed';
        return narrows(rule, (before, after) => before === true && after !== true)(judged);
      },
    },
    exclusive: { values: sent(come, 'schema-combinator-changed') },
    values: {
      values: ({ before, after, side }) => {
        if (side === 'sent' && (before === undefined || (after !== undefined && loses(before, after)))) return 'enum-values-removed';
        return side === 'received' && (after === undefined || (before !== undefined && loses(after, before)))
          ? 'enum-values-added'
          : undefined;
      },
    },
    ...{ minimum: lower, exclusiveMinimum: lower, minLength: lower, minItems: lower, minProperties: lower, minContains: lower },
    ...{ maximum: upper, exclusiveMaximum: upper, maxLength: upper, maxItems: upper, maxProperties: upper, maxContains: upper },
    ...{ multipleOf: other, pattern: other, dependentRequired: other, uniqueItems: flag, closed: flag },
    format: {
      values: (judged) => (isFormatOfType(judged) ? undefined : narrows(CONSTRAINT, (_before, after) => after !== undefined)(judged)),
    },
    contentEncoding: changed(CONSTRAINT),
    contentMediaType: changed(CONSTRAINT),
    // It is said of the object around it: that the property accepts the same does not matter.
    required: {
      rule: (judged) =>
        (valueOf(judged.beside, 'readOnly') === true ? undefined : sent(come, 'required-properties-added')(judged)) ??
        (valueOf(judged.former, 'writeOnly') === true ? undefined : received(gone, 'required-properties-removed')(judged)),
    },
    readOnly: {
      rule: (judged) =>
        sent(come, 'property-became-read-only')(judged) ??
        sent(({ beside, ...rest }) => gone({ beside, ...rest }) && isRequiredIn(beside), 'required-properties-added')(judged),
    },
    writeOnly: { rule: received(come, 'property-became-write-only') },
    deprecated: 'A deprecation is an announcement.',
    // What was required was never left out.
    default: { rule: sent(({ former }) => !isRequiredIn(former), 'default-changed') },
    discriminator: {
      rule: ({ before, isToldBy }) => (before === undefined || isToldBy?.(before as string) === true ? undefined : 'discriminator-changed'),
    },
    'names of types': {
      rule: ({ before, after, side }) =>
        (side === 'sent' ? loses(before, after) : side === 'received' && loses(after, before)) ? 'discriminator-changed' : undefined,
    },
    'x-int64': changed('client-type-changed'),
    'x-date-time': changed('client-type-changed'),
    'x-max-bytes': { rule: sent(({ before, after }) => isLowered(before, after), 'file-limit-lowered') },
    '*': 'What no validator reads does not change which values are valid.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Entry>>>>;

/** Whether something of a list is not in the other one. */
const loses = (before: unknown, after: unknown): boolean =>
  Array.isArray(before) && Array.isArray(after) && before.some((value) => !after.includes(value));

type Change = 'added' | 'removed';

/** What is part of each kind of part: when it breaks clients that one is added or removed. */
export const PARTS = {
  scheme: { added: 'It is required by an operation, which tells it.', removed: 'An operation no longer accepts it, which tells it.' },
  limits: { added: changed('rate-limit-lowered'), removed: 'Nobody is refused any more.' },
  plan: { added: 'No account has had it.', removed: changed('rate-limit-lowered') },
  operationLimit: { added: changed('rate-limit-lowered'), removed: 'Nobody is refused any more.' },
  parameter: {
    added: { rule: sent(isRequiredPart, 'parameter-became-required') },
    removed: { rule: sent(() => true, 'parameter-removed') },
  },
  body: {
    added: { rule: sent(isRequiredPart, 'request-body-became-required') },
    removed: changed('request-body-removed'),
  },
  media: {
    added: 'Clients go on with the types that they know.',
    removed: {
      rule: ({ before, side, siblings }) => {
        const type = (before as Part).segment?.text.replaceAll('`', '').toLowerCase() ?? '';
        return side === 'sent' && siblings.some((range) => isInRange(type, range)) ? undefined : 'media-type-removed';
      },
    },
  },
  items: {
    added: { rule: sent(() => true, CONSTRAINT) },
    removed: { rule: received(() => true, 'item-schema-removed') },
  },
  response: {
    added: 'Clients handle statuses that they do not know by their class.',
    removed: {
      rule: ({ before, side, beside }) => {
        // An operation without security never answers 401.
        const isOpen = isOpenToAll(valueOf(beside, 'security'));
        return side === 'received' && isOpen && (before as Part).segment?.text === 'response 401' ? undefined : 'response-removed';
      },
    },
  },
  header: {
    added: { rule: sent(isRequiredPart, 'parameter-became-required') },
    removed: { rule: received(() => true, 'response-header-removed') },
  },
  link: { added: 'A link says how responses relate.', removed: 'A link says how responses relate; nothing is refused or answered by it.' },
  operation: { added: 'No client has called it, or waited for it.', removed: changed('callback-removed') },
  schema: { added: { values: sent(() => true, CONSTRAINT) }, removed: { values: received(() => true, CONSTRAINT) } },
  property: {
    added: { values: sent((judged) => isRequiredPart(judged) && !isReadOnly(judged.after as Part), 'required-properties-added') },
    removed: {
      rule: ({ before, side, beside, siblings }) => {
        const { facts } = before as Part;
        if (side === 'received') return valueOf(facts, 'writeOnly') === true ? undefined : 'property-removed';
        if (side !== 'sent') return undefined;
        if (valueOf(beside, 'closed') === true) return 'property-removed';
        // What is valid by another name is not ignored.
        const isOther = siblings.some((key) => key === 'additionalProperties' || key.startsWith('patternProperties '));
        return valueOf(facts, 'readOnly') === true || isOther ? undefined : 'property-ignored';
      },
    },
  },
  alternative: {
    added: { values: received(() => true, 'schema-combinator-changed') },
    removed: { values: sent(() => true, 'schema-combinator-changed') },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Change, Entry>>>>;

const isReadOnly = ({ facts }: Part) => valueOf(facts, 'readOnly') === true;

/** Parts that are schemas, beside what they are of the part around them. */
const SCHEMAS: readonly string[] = ['property', 'items', 'alternative'];
const factsOf = (kind: string) => (SCHEMAS.includes(kind) ? 'schema' : kind === 'plan' || kind === 'operationLimit' ? 'quota' : kind);
export function judgeFact(kind: PartKind, fact: string, judged: Judged): BrokenRule | undefined {
  const entries: Readonly<Record<string, Entry>> =
    (FACTS as Readonly<Record<string, Readonly<Record<string, Entry>>>>)[factsOf(kind)] ?? {};
  // `requires name` is that of a property which is described elsewhere.
  const name = fact.startsWith('requires ') ? 'required' : fact.startsWith('encoding ') ? (fact.split(' ').at(-1) ?? fact) : fact;
  return brokenRuleOf(entries[name] ?? entries['*'], judged, `${kind} ${fact}`);
}

export const judgePart = (kind: PartKind, change: Change, judged: Judged): BrokenRule | undefined =>
  brokenRuleOf((PARTS as Readonly<Record<string, Readonly<Record<Change, Entry>>>>)[kind]?.[change], judged, `${kind} ${change}`);

function brokenRuleOf(entry: Entry | undefined, judged: Judged, name: string): BrokenRule | undefined {
  if (entry === undefined) throw new Error(`no rule says whether a change of ${name} breaks clients`);
  if (!isObject(entry)) return undefined;
  const isOfValues = 'values' in entry;
  const rule = 'values' in entry ? entry.values(judged) : entry.rule(judged);
  return rule && { rule, sides: judged.side === undefined ? [] : [judged.side], isOfValues };
}
