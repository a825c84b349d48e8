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
import { type Difference, PartComparison } from './compare-parts.ts';
import { renamedSchemes } from './credentials.ts';
import { documentPart, schemesOf } from './document-part.ts';
import { type NamedOperation, operationPart, sentOperations } from './operation-part.ts';
import type { Facts, Part } from './part.ts';
import { type Reach, reachOf, unchangedOperations } from './reach.ts';
import type { RuleName } from './rules.ts';
import { schemaPart } from './schema-part.ts';
import { dayOf, type BrokenRule } from './conditions.ts';
import { shadowedOperations, shapeOf, type ShadowedOperation } from './shadowed-paths.ts';
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
  const schemeNames = renamedSchemes(before, after);
  const old = new Map(
    [...operationsOf(before)].map(([key, placed]) => [key, { ...placed, name: current.get(key)?.name ?? placed.name, schemeNames }]),
  );
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
  const wholes = [documentPart(before, schemeNames, schemes, known), documentPart(after, new Map(), schemes, known)] as const;
  const whole = say(comparison.compare(...wholes), { operations: [] });
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
  const shadowed = shadowedOperations(before, [...old.values()], [...current.values()]).map(shadowedChange);
  return [...whole, ...operations, ...removed, ...shadowed, ...schemas.values()].map(printableChange);
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
  inheritedIn(pointer) !== undefined && inheritedIn(other) !== inheritedIn(pointer) ? undefined : pointer;

const SERVERS = pointerTo('servers');
const INHERITED = [pointerTo('security'), SERVERS];
const inheritedIn = (pointer = '') => INHERITED.find((one) => pointer === one || pointer.startsWith(`${one}/`));

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

const shadowedChange = ({ placed, path }: ShadowedOperation): ClientChange => ({
  kind: 'changed',
  where: '',
  what: `requests to \`${path}\` are taken over by that path, which is new`,
  operations: [placed.name],
  base: [pointerTo(...placed.itemKeys)],
  working: [pointerTo('paths', path)],
  brokenRule: { rule: 'path-shadowed', sides: [], isOfValues: false },
});

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

/** What a line says beside the fact or the part that has changed: whether a new part is required, when what is deprecated ends. */
function pointersOf(pointer: string | undefined, facts: Facts, fact: string | undefined): string[] {
  if (pointer === undefined) return [];
  const told = fact === undefined ? facts['required'] : fact === 'deprecated' ? facts['x-deprecated-sunset'] : undefined;
  return [pointer, ...(told !== undefined && told.value !== false ? [told.pointer] : [])];
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
