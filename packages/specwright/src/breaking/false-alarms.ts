/** What `redocly diff` reports as breaking though no client breaks. */
import {
  type Document,
  type Schema,
  type SourceDocument,
  isReadOnly,
  isWriteOnly,
  limitsOf,
  listOperations,
  pointerKeys,
  pointerTo,
  resolve,
  typesOf,
} from '@specwright/contract/document';
import { flattenSchema } from '../lint/rules/rule.ts';
import type { Change, Comparison, Side } from './change.ts';
import { dayOf } from './rules.ts';

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
    reason: 'An operation without security never answers 401.',
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
    rule: 'schema-constraint-changed',
    reason: 'The format of an integer and that of a number differ with the type, and a change of the type is reported where it breaks.',
    applies: ({ property, base, revision }, { base: before, working: after }) => {
      if (property !== 'format') return false;
      const types = [schemaAt(before, base, property), schemaAt(after, revision, property)].flatMap(typesOf);
      return types.includes('integer') && types.includes('number');
    },
  },
  {
    rule: 'schema-constraint-changed',
    reason: '`required` already demands that many properties.',
    applies: ({ property, base, revision }, { base: before, working: after, sent, received }) => {
      if (property !== 'minProperties') return false;
      const sides = [
        { source: before, schema: schemaAt(before, base, property) },
        { source: after, schema: schemaAt(after, revision, property) },
      ] as const;
      const at = (revision?.pointer ?? '').replace(/\/minProperties$/, '');
      const [least, most] = sides.map(({ schema }) => limitsOf(schema).minProperties ?? 0) as [number, number];
      const required = (isOmittable: (schema: Schema) => boolean) =>
        Math.max(...sides.map(({ source, schema }) => requiredWithout(source.document, schema, isOmittable)));
      return (
        (!sent(at) || most <= Math.max(least, required(isReadOnly))) && (!received(at) || least <= Math.max(most, required(isWriteOnly)))
      );
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

/** The schema that one side of a change of a keyword is about. */
const schemaAt = ({ document }: SourceDocument, side: Side | undefined, keyword: string): Schema => {
  const keys = pointerKeys(side?.pointer ?? '#');
  return resolve<Schema>(document, { $ref: pointerTo(...(keys.at(-1) === keyword ? keys.slice(0, -1) : keys)) });
};

/** How many properties every value of a schema has, because they are required. @param isOmittable those are not counted. */
function requiredWithout(document: Document, schema: Schema, isOmittable: (schema: Schema) => boolean): number {
  const { required, properties } = flattenSchema(document, schema);
  return [...required].filter((name) => !isOmittable(resolve<Schema>(document, properties.get(name) ?? {}))).length;
}

/** Whether every operation that a pointer of the base names, `#/paths/PATH` or `#/paths/PATH/METHOD`, is past its sunset. */
function isPastSunset([, path, method]: readonly string[], { base, now }: Comparison): boolean {
  const named = listOperations(base.document).filter((place) => place.path === path && (method === undefined || place.method === method));
  return named.length > 0 && named.every(({ operation }) => dayOf(operation['x-deprecated-sunset']) <= now.getTime());
}

/** What a client meets after a breaking change, by the name of the rule. */
const REFUSED = 'requests that were valid are refused with 400';
const UNKNOWN = 'a client receives what its contract excluded';
const REFUSED_PROPERTY = 'requests with it are refused with 400';
const GONE = 'a client that relies on it no longer gets it';

/** Rules that concern requests alone, responses alone, or neither. The impact of the others depends on the direction. */
const IMPACTS: Readonly<Record<string, string>> = {
  'base-invalid': 'the base cannot be read, so breaking changes cannot be found',
  'path-removed': 'every call to it is answered with 404',
  'operation-removed': 'every call to it is answered with 404 or 405',
  'operation-id-changed': 'generated clients name a function after it, and code that calls it no longer compiles',
  'server-removed': 'clients continue to call the former address',
  'parameter-removed': 'requests with it are refused with 400: an unknown parameter is not ignored',
  'parameter-became-required': 'requests without it are refused with 400',
  'parameter-serialization-changed': 'a value in the former serialization is misread, or refused with 400',
  'request-body-removed': 'a body is ignored, or refused',
  'request-body-became-required': 'requests without a body are refused with 400',
  'response-removed': 'a client that waits for this status no longer sees it',
  'response-header-removed': GONE,
  'response-header-became-optional': 'a client that reads it without a check fails when it is absent',
  'property-became-read-only': REFUSED,
  'property-became-write-only': GONE,
  'required-properties-added': 'requests without them are refused with 400',
  'required-properties-removed': 'a client that reads them without a check fails when they are absent',
  'enum-values-removed': REFUSED,
  'enum-values-added': `${UNKNOWN}: a switch over the values has no case for it`,
  'default-changed': 'requests without the value behave differently, though the client has not changed',
  'discriminator-changed': 'a client chooses the type by a property that no longer determines it',
  'security-requirement-changed': 'requests that were authorized are answered with 401 or 403',
  'security-scheme-changed': 'credentials in the former place are not found: 401',
  'stability-lowered': 'clients rely on a stability that is no longer promised',
  'sunset-earlier': 'clients that planned for the former day are answered with 410 from the new one on',
  'body-limit-lowered': 'larger requests, which were accepted, are refused with 413',
  'rate-limit-lowered': 'a client that stayed within its limit is answered with 429',
  'rate-limit-cost-raised': 'a client that stayed within its limit is answered with 429',
};

/** @param sent whether clients send what has changed; @param received whether they receive it. */
export function impactOf(rule: string, sent: boolean, received: boolean): string {
  const known = IMPACTS[rule];
  if (known !== undefined) return known;
  if (rule === 'media-type-removed')
    return sent ? 'requests in this format are refused with 400' : 'a client that reads this format no longer gets it';
  if (rule === 'property-removed') return [...(sent ? [REFUSED_PROPERTY] : []), ...(received || !sent ? [GONE] : [])].join('; ');
  if (sent && received) return `it is part of requests and of responses: ${REFUSED}, or ${UNKNOWN}`;
  return sent ? REFUSED : UNKNOWN;
}
