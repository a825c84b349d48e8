/** What is said of the whole API, as a part: its servers, its security schemes and its limits. */
import { type Document, isObject, pointerTo, resolveAt } from '@specwright/contract/document';
import { ROOT, serverUrls } from './addresses.ts';
import type { NamedOperation } from './operation-part.ts';
import { flatFacts, type Part, type PartKind, plainPart } from './part.ts';

/** The security schemes that operations require. */
export const schemesOf = (document: Document, operations: ReadonlyMap<string, NamedOperation>): string[] =>
  [...operations.values()].flatMap(({ operation }) => (operation.security ?? document.security ?? []).flatMap(Object.keys));

/**
 * What is said of the whole API: its servers, how clients authenticate, and its limits.
 *
 * @param names of schemes that are called otherwise now. @param required the security schemes that matter. @param known the operations that clients know: a limit of another one is no news to them.
 */
export function documentPart(
  document: Document,
  names: ReadonlyMap<string, string>,
  required: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Part {
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).flatMap(([name, scheme]): [string, Part][] => {
    const { value, pointer } = resolveAt<object>(document, scheme as object, pointerTo('components', 'securitySchemes', name));
    const text = `security scheme \`${name}\``;
    return required.has(name)
      ? [[`scheme ${names.get(name) ?? name}`, plainPart('scheme', pointer, { text, facts: flatFacts(value, pointer) })]]
      : [];
  });
  const parts = new Map<string, Part>(schemes);
  const table = document[PLANS_KEY] as PlanTable | undefined;
  if (isObject(table)) parts.set('limits', limitsPart(table, known));
  const servers = { servers: { value: serverUrls(document.servers ?? ROOT), pointer: pointerTo('servers') } };
  return { ...plainPart('document', '#', { facts: servers, parts: () => parts }), segment: undefined };
}

const PLANS_KEY = 'x-rate-limit-plans';

interface PlanTable {
  readonly plans?: object;
  readonly address?: object;
  readonly operations?: object;
}

function limitsPart({ plans = {}, address, operations = {} }: PlanTable, known: ReadonlySet<string>): Part {
  const quota = (kind: PartKind, text: string, value: object, ...keys: string[]): [string, Part] => {
    const pointer = pointerTo(PLANS_KEY, ...keys);
    return [keys.join(' '), plainPart(kind, pointer, { text, facts: flatFacts(value, pointer) })];
  };
  const parts = new Map([
    ...Object.entries(plans).map(([name, one]) => quota('plan', `plan \`${name}\``, one as object, 'plans', name)),
    ...(address === undefined ? [] : [quota('plan', 'limit of an IP address', address, 'address')]),
    ...Object.entries(operations)
      .filter(([id]) => known.has(id))
      .map(([id, one]) => quota('operationLimit', `limit of ${id}`, one as object, 'operations', id)),
  ]);
  return plainPart('limits', pointerTo(PLANS_KEY), { text: 'rate limits', parts: () => parts });
}
