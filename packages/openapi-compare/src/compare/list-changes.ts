/** What differs between two documents for clients, as sentences: by operation, and of each shared schema once. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  type Schema,
  type SourceDocument,
  isObject,
  listOperations,
  operationKeys,
  pointerKeys,
  pointerTo,
  printable,
  resolve,
  resolveAt,
  valueAt,
} from '@specwright/contract/document';
import { type PlacedOperation, flatFacts, operationPart, ROOT, sentOperations, serverUrls } from './operation-part.ts';
import { type Difference, PartComparison } from './compare-parts.ts';
import { canonicalPointer } from '@specwright/contract/proofs';
import { type Facts, type Part, type PartKind, plainPart } from './part.ts';
import type { RuleName } from './rules.ts';
import { schemaPart } from './schema-part.ts';
import { dayOf, type BrokenRule } from './rule-conditions.ts';
import { type Sentence, sentencesOf } from './words.ts';

export interface ClientChange extends Sentence {
  /** The schema that has changed; `undefined` for a change of operations alone, or of the whole API. */
  readonly schema?: string;
  /** Whether the schema is part of requests, and of responses. */
  readonly sides?: readonly ('requests' | 'responses')[];
  /** `GET /pets`, in the order of the document; none for a change of the whole API. */
  readonly operations: readonly string[];
  readonly base: readonly string[];
  readonly working: readonly string[];
  readonly brokenRule?: BrokenRule | undefined;
}

type Subject = Pick<ClientChange, 'schema' | 'sides' | 'operations'>;

/** @param now decides which operations are past their sunset. */
export function listChanges(base: SourceDocument, working: SourceDocument, now: Date): ClientChange[] {
  const [before, after] = [base.document, working.document];
  const current = operationsOf(after);
  // Under one name, though path parameters may be called otherwise.
  const old = new Map([...operationsOf(before)].map(([key, placed]) => [key, { ...placed, name: current.get(key)?.name ?? placed.name }]));
  const names = new Map(listOperations(after).map((operation) => [operation.id, formatOperation(operation)]));
  const comparison = new PartComparison(before, after, now);
  const say = (differences: readonly Difference[], subject: Subject) =>
    differences.flatMap((difference) => {
      const exchanged = exchangedAt(before, after, difference);
      return sentencesOf(difference, (id) => `\`${names.get(id) ?? id}\``).map((sentence): ClientChange => ({
        ...sentence,
        ...subject,
        base: exchanged?.base ?? pointersOf(ownPointer(difference.base, difference.working), difference.former, difference.fact),
        working: exchanged?.working ?? pointersOf(ownPointer(difference.working, difference.base), difference.beside, difference.fact),
        brokenRule: difference.brokenRule,
      }));
    });

  const known = new Set([...old.values()].map(({ operation }) => operation.operationId ?? ''));
  const schemes = new Set([...schemesOf(before, old), ...schemesOf(after, current)]);
  const [wholeBefore, wholeAfter] = [before, after].map((document) => documentPart(document, schemes, known)) as [Part, Part];
  const whole = say(comparison.compare(wholeBefore, wholeAfter), { operations: [] });
  const isUnchanged = unchangedOperations(before, after);
  const operations = [...current].flatMap(([key, placed]): ClientChange[] => {
    const former = old.get(key);
    if (former !== undefined && isUnchanged(former, placed)) return [];
    const subject = { operations: [placed.name] };
    const part = operationPart(after, placed);
    if (former !== undefined) return say(comparison.compare(operationPart(before, former), part).filter(isOfOperation), subject);
    return [{ kind: 'added', where: '', what: addedWhat(placed), ...subject, base: [], working: [part.pointer] }];
  });
  const removed = [...old].flatMap(([key, placed]) => (current.has(key) ? [] : [removedChange(before, placed, current, now)]));

  const reaches = [reachOf(before, byName(old)), reachOf(after, byName(current))];
  const order = [...[...current.values()], ...[...old.values()]].map(({ name }) => name);
  const schemas = new Map<string, ClientChange>();
  // Comparing a schema may add others.
  for (const { pointer, side } of comparison.shared.values()) {
    const [former, part] = [before, after].map((document) => componentPart(document, pointer));
    if (former === undefined || part === undefined) continue;
    const differences = comparison.compare(former, part, side);
    if (differences.length > 0) for (const change of say(differences, schemaSubject(pointer, reaches, order))) addOnce(schemas, change);
  }
  return [...whole, ...operations, ...removed, ...schemas.values()].map(printableChange);
}

/** What it quotes of the documents is in one line: changes are printed, recorded, and read by other programs. */
const printableChange = ({ where, what, schema, operations, ...change }: ClientChange): ClientChange => ({
  ...change,
  where: printable(where),
  what: printable(what),
  ...(schema !== undefined && { schema: printable(schema) }),
  operations: operations.map(printable),
});

/** A schema that is sent and received is compared for both: what differs is told once. */
function addOnce(changes: Map<string, ClientChange>, change: ClientChange): void {
  const { brokenRule, kind, where, what, schema, base, working } = change;
  const key = JSON.stringify([kind, where, what, schema, base, working]);
  const known = changes.get(key)?.brokenRule;
  const sides = [...new Set([...(known?.sides ?? []), ...(brokenRule?.sides ?? [])])].sort().reverse();
  const both = brokenRule ?? known;
  changes.set(key, { ...change, brokenRule: both && { ...both, sides } });
}

/** Where one side inherits what the document says, and the other one does not, the operation is what has changed. */
const ownPointer = (pointer: string | undefined, other: string | undefined) =>
  pointer !== undefined && INHERITED.includes(pointer) && other !== pointer ? undefined : pointer;

const SERVERS = pointerTo('servers');
const INHERITED = [pointerTo('security'), SERVERS];

/** Servers that both sides inherit are told once, of the document. */
const isOfOperation = ({ base, working }: Difference) => base !== SERVERS || working !== SERVERS;

/** The references that were exchanged, if what each leads to is as it was: the reference has changed, not what it names. */
function exchangedAt(before: Document, after: Document, { exchanged }: Difference): { base: string[]; working: string[] } | undefined {
  if (exchanged === undefined) return undefined;
  const isUnchanged = exchanged.targets.every((pointer) => {
    const [old, current] = [before, after].map((document) => valueAt(document, pointerKeys(pointer)));
    return old !== undefined && isDeepStrictEqual(old, current);
  });
  return isUnchanged ? { base: [exchanged.base], working: [exchanged.working] } : undefined;
}

function removedChange(document: Document, placed: NamedOperation, current: ReadonlyMap<string, NamedOperation>, now: Date): ClientChange {
  const { operation, isIncoming, path, name, itemKeys } = placed;
  const sunset = operation['x-deprecated-sunset'];
  const isEnded = dayOf(sunset) <= now.getTime();
  const isWholePath = isIncoming && ![...current.values()].some((other) => other.isIncoming && shapeOf(other.path) === shapeOf(path));
  const rule: RuleName = isIncoming ? (isWholePath ? 'path-removed' : 'operation-removed') : 'webhook-removed';
  return {
    kind: 'removed',
    where: '',
    what: `${isIncoming ? 'operation' : 'webhook'} removed${isEnded ? `, after its end on ${String(sunset)}` : ''}`,
    operations: [name],
    base: [isWholePath ? pointerTo(...itemKeys) : operationPart(document, placed).pointer],
    working: [],
    brokenRule: isEnded ? undefined : { rule, sides: [], isOfValues: false },
  };
}

/** What else a document says of all its operations. */
const OF_ALL = ['security', 'servers', 'x-body-limit'] as const;

/**
 * Most operations are as they were, with all that they refer to: those need not be taken apart.
 *
 * @returns whether an operation of the one document is, to the letter, that of the other.
 */
function unchangedOperations(before: Document, after: Document): (former: NamedOperation, placed: NamedOperation) => boolean {
  if (!OF_ALL.every((key) => isDeepStrictEqual(before[key], after[key]))) return () => false;
  const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other);
  const references = referencesWithin(after);
  const compared = new Map<string, boolean>();
  const isSameAt = (pointer: string): boolean => {
    const known = compared.get(pointer);
    if (known !== undefined) return known;
    const [old, current] = [before, after].map((document) => valueAt(document, pointerKeys(pointer)));
    const result = isSame(old, current);
    compared.set(pointer, result);
    return result;
  };
  return (former, placed) => {
    const own = [former, placed].map(({ name, path, item: { parameters, servers }, operation }) => [
      { name, path, parameters, servers },
      operation,
    ]);
    if (!isSame(own[0], own[1])) return false;
    const reached = new Set([...references(placed.operation), ...references(placed.item.parameters)]);
    // A set grows while it is read.
    for (const pointer of reached) {
      if (!isSameAt(pointer)) return false;
      for (const next of references(valueAt(after, pointerKeys(pointer)))) reached.add(next);
    }
    return true;
  };
}

/** Of a path, whatever its parameters are called. */
const shapeOf = (path: string) => path.replace(/\{[^{}]*\}/g, '{}');

/** What a line says beside the fact or the part that has changed: whether a new part is required, when what is deprecated ends. */
function pointersOf(pointer: string | undefined, facts: Facts, fact: string | undefined): string[] {
  if (pointer === undefined) return [];
  const told = fact === undefined ? facts['required'] : fact === 'deprecated' ? facts['x-deprecated-sunset'] : undefined;
  return [pointer, ...(told !== undefined && told.value !== false ? [told.pointer] : [])];
}

interface NamedOperation extends PlacedOperation {
  readonly name: string;
}

const formatOperation = ({ path, method }: { path: string; method: string }) => `${method.toUpperCase()} ${path}`;

/** Operations and webhooks, by method and path, whatever their path parameters are called. */
function operationsOf(document: Document): Map<string, NamedOperation> {
  const operations = listOperations(document).map((place): [string, NamedOperation] => {
    const { path, method, item, operation } = place;
    const placed = { path, item, itemKeys: ['paths', path], operation, keys: operationKeys(place), isIncoming: true };
    return [`${method} ${shapeOf(path)}`, { ...placed, name: formatOperation(place) }];
  });
  const webhooks = (['webhooks', 'x-webhooks'] as const).flatMap((section) =>
    Object.entries(isObject(document[section]) ? document[section] : {}).flatMap(([key, reference]) => {
      const { value, pointer } = resolveAt(document, reference, pointerTo(section, key));
      return sentOperations(value, pointerKeys(pointer)).map((sent): [string, NamedOperation] => [
        `webhook ${key} ${sent.keys.at(-1)}`,
        { ...sent, name: `webhook ${key}` },
      ]);
    }),
  );
  return new Map([...operations, ...webhooks]);
}

const byName = (operations: ReadonlyMap<string, NamedOperation>) =>
  new Map([...operations.values()].map((placed) => [placed.name, placed]));

function addedWhat({ operation, isIncoming }: NamedOperation): string {
  const { summary, 'x-stability': stability } = operation as { summary?: unknown; 'x-stability'?: unknown };
  const title = typeof summary === 'string' ? `: ${summary.replace(/\.$/, '')}` : '';
  return `${isIncoming ? 'operation' : 'webhook'} added${title}${typeof stability === 'string' ? ` (${stability})` : ''}`;
}

function componentPart(document: Document, pointer: string): Part | undefined {
  try {
    return schemaPart(document, resolve<Schema>(document, { $ref: pointer }), pointer);
  } catch {
    // It leads nowhere, which is a problem of the document.
    return undefined;
  }
}

function schemaSubject(pointer: string, reaches: readonly ReadonlyMap<string, Reach>[], order: readonly string[]) {
  const all = (side: keyof Reach) => new Set(reaches.flatMap((reach) => [...(reach.get(pointer)?.[side] ?? [])]));
  const [sent, received] = [all('sent'), all('received')];
  return {
    schema: pointerKeys(pointer).at(-1) ?? pointer,
    sides: [...(sent.size > 0 ? (['requests'] as const) : []), ...(received.size > 0 ? (['responses'] as const) : [])],
    operations: [...new Set(order)].filter((name) => sent.has(name) || received.has(name)),
  };
}

/** The security schemes that operations require. */
const schemesOf = (document: Document, operations: ReadonlyMap<string, NamedOperation>): string[] =>
  [...operations.values()].flatMap(({ operation }) => (operation.security ?? document.security ?? []).flatMap(Object.keys));

/**
 * What is said of the whole API: its servers, how clients authenticate, and its limits.
 *
 * @param required the security schemes that matter. @param known the operations that clients know: a limit of another one is no news to them.
 */
function documentPart(document: Document, required: ReadonlySet<string>, known: ReadonlySet<string>): Part {
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).flatMap(([name, scheme]): [string, Part][] => {
    const { value, pointer } = resolveAt<object>(document, scheme as object, pointerTo('components', 'securitySchemes', name));
    const text = `security scheme \`${name}\``;
    return required.has(name) ? [[`scheme ${name}`, plainPart('scheme', pointer, { text, facts: flatFacts(value, pointer) })]] : [];
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

interface Reach {
  readonly sent: Set<string>;
  readonly received: Set<string>;
}

/** @returns the operations by the pointer of what they refer to. */
function reachOf(document: Document, operations: ReadonlyMap<string, PlacedOperation>): ReadonlyMap<string, Reach> {
  const reach = new Map<string, Reach>();
  const references = referencesWithin(document);
  const follow = (values: readonly unknown[], name: string, side: keyof Reach) => {
    const queue = values.flatMap((value) => [...references(value)]);
    for (let pointer = queue.pop(); pointer !== undefined; pointer = queue.pop()) {
      const entry = reach.get(pointer) ?? { sent: new Set<string>(), received: new Set<string>() };
      reach.set(pointer, entry);
      if (entry[side].has(name)) continue;
      entry[side].add(name);
      queue.push(...references(valueAt(document, pointerKeys(pointer))));
    }
  };
  for (const [name, { item, operation, isIncoming }] of operations) {
    const [request, response] = isIncoming ? (['sent', 'received'] as const) : (['received', 'sent'] as const);
    follow([item.parameters, operation.parameters, operation.requestBody], name, request);
    follow([operation.responses], name, response);
    // What the server sends is received.
    follow([operation.callbacks], name, response);
  }
  return reach;
}

/** The references in a value, each read once. */
function referencesWithin(document: Document): (value: unknown) => ReadonlySet<string> {
  const found = new Map<unknown, ReadonlySet<string>>();
  const collect = (value: unknown, into: Set<string>): void => {
    if (Array.isArray(value)) return value.forEach((part) => collect(part, into));
    if (!isObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && $ref.startsWith('#/') && valueAt(document, pointerKeys($ref)) !== undefined)
      into.add(canonicalPointer($ref));
    for (const part of Object.values(value)) collect(part, into);
  };
  return (value) => {
    const known = found.get(value);
    if (known !== undefined) return known;
    const into = new Set<string>();
    collect(value, into);
    found.set(value, into);
    return into;
  };
}
