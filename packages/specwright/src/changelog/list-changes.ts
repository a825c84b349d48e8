/** What differs between two documents for clients, as sentences: by operation, and of each shared schema once. */
import {
  type Document,
  type Schema,
  type SourceDocument,
  isObject,
  listOperations,
  operationKeys,
  pointerKeys,
  pointerTo,
  resolve,
  resolveAt,
  valueAt,
} from '@specwright/contract/document';
import { dayOf } from '../breaking/rules.ts';
import { type PlacedOperation, flatFacts, operationPart, sentOperations, serverUrls } from './operation-part.ts';
import { type Difference, type Facts, type Part, PartComparison } from './part.ts';
import { schemaPart } from './schema-part.ts';
import { type Sentence, sentencesOf } from './words.ts';

/** A change that clients can notice. */
export interface ClientChange extends Sentence {
  /** The schema that has changed; `undefined` for a change of operations alone, or of the whole API. */
  readonly schema?: string;
  /** Whether the schema is part of requests, and of responses. */
  readonly sides?: readonly ('requests' | 'responses')[];
  /** `GET /pets`, in the order of the document; none for a change of the whole API. */
  readonly operations: readonly string[];
  /** Where the documents say it. */
  readonly base: readonly string[];
  readonly working: readonly string[];
}

/** @param now decides which operations are past their sunset. */
export function listChanges(base: SourceDocument, working: SourceDocument, now: Date): ClientChange[] {
  const [before, after] = [base.document, working.document];
  const [old, current] = [operationsOf(before), operationsOf(after)];
  const names = new Map(listOperations(after).map((operation) => [operation.id, formatOperation(operation)]));
  const comparison = new PartComparison();
  const say = (differences: readonly Difference[], subject: Pick<ClientChange, 'schema' | 'sides' | 'operations'>) =>
    differences.flatMap((difference) =>
      sentencesOf(difference, (id) => `\`${names.get(id) ?? id}\``).map((sentence): ClientChange => ({
        ...sentence,
        ...subject,
        base: pointersOf(difference.base, difference.former, difference.fact),
        working: pointersOf(difference.working, difference.beside, difference.fact),
      })),
    );

  const whole = say(comparison.compare(documentPart(before), documentPart(after)), { operations: [] });
  const operations = [...current].flatMap(([key, placed]): ClientChange[] => {
    const former = old.get(key);
    const subject = { operations: [placed.name] };
    const part = operationPart(after, placed);
    if (former !== undefined) return say(comparison.compare(operationPart(before, former), part), subject);
    return [{ kind: 'added', where: '', what: addedWhat(placed), ...subject, base: [], working: [part.pointer] }];
  });
  const removed = [...old].flatMap(([key, placed]): ClientChange[] => {
    if (current.has(key)) return [];
    const sunset = placed.operation['x-deprecated-sunset'];
    const ended = dayOf(sunset) <= now.getTime() ? `, after its end on ${String(sunset)}` : '';
    const what = `${placed.isIncoming ? 'operation' : 'webhook'} removed${ended}`;
    return [{ kind: 'removed', where: '', what, operations: [placed.name], base: [operationPart(before, placed).pointer], working: [] }];
  });

  const reaches = [reachOf(before, byName(old)), reachOf(after, byName(current))];
  const order = [...[...current.values()], ...[...old.values()]].map(({ name }) => name);
  const schemas: ClientChange[] = [];
  // Comparing a schema may add others.
  for (const pointer of comparison.shared) {
    const [former, part] = [before, after].map((document) => componentPart(document, pointer));
    if (former === undefined || part === undefined) continue;
    const differences = comparison.compare(former, part);
    if (differences.length > 0) schemas.push(...say(differences, schemaSubject(pointer, reaches, order)));
  }
  return [...whole, ...operations, ...removed, ...schemas];
}

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
    return [`${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`, { ...placed, name: formatOperation(place) }];
  });
  const webhooks = (['webhooks', 'x-webhooks'] as const).flatMap((section) =>
    Object.entries(isObject(document[section]) ? document[section] : {}).flatMap(([key, reference]) => {
      const { value, pointer } = resolveAt(
        document,
        reference,
        `#/${section}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      );
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

/** What is said of the whole API: its servers, how clients authenticate, and its limits. */
function documentPart(document: Document): Part {
  const named = (text: string, pointer: string, facts: Facts): Part => {
    const made: Part = { segment: { text }, pointer, facts, references: [], parts: () => new Map(), expand: () => made };
    return made;
  };
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).map(([name, scheme]) => {
    const { value, pointer } = resolveAt<object>(document, scheme as object, `#/components/securitySchemes/${name}`);
    return [`scheme ${name}`, named(`security scheme \`${name}\``, pointer, flatFacts(value, pointer))] as const;
  });
  const limits = document['x-rate-limit-plans'];
  const parts = new Map<string, Part>(schemes);
  if (isObject(limits)) parts.set('limits', named('rate limits', '#/x-rate-limit-plans', flatFacts(limits, '#/x-rate-limit-plans')));
  const servers = { servers: { value: serverUrls(document.servers ?? [{ url: '/' }]), pointer: '#/servers' } };
  return { ...named('', '#', servers), segment: undefined, parts: () => parts };
}

/** Operations by name. */
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
      into.add(pointerTo(...pointerKeys($ref)));
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
