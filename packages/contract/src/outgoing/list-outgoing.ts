/** The requests that a service sends by its contract: webhooks (OpenAPI 3.1), `x-webhooks` (3.0) and the callbacks of its operations. */
import { concreteType, isJson } from '../http/media-types.ts';
import { RESERVED_OPERATION_IDS } from '../reading/assign-operation-ids.ts';
import {
  isObject,
  listOperations,
  METHODS,
  operationKeys,
  pointerTo,
  resolveAt,
  type Document,
  type FixedMethod,
  type OperationObject,
  type PathItem,
  type RequestBody,
  type Schema,
} from '../document/openapi.ts';
import type { DocumentPath } from '../document/visit-schemas.ts';

export type OutgoingSource = 'webhooks' | 'x-webhooks' | 'callbacks';

export interface DocumentOutgoing {
  /** Of the function that sends it: its operationId, or its key in camel case. */
  readonly name: string;
  readonly source: OutgoingSource;
  /** Of the webhook, or of the callback. */
  readonly key: string;
  readonly method: FixedMethod;
  readonly operation: Partial<OperationObject>;
  /** The keys from the root of the document, for messages. */
  readonly path: DocumentPath;
  /** Where the operation is, references followed. */
  readonly pointer: string;
  /** Of a callback: the operation that it belongs to, and the expression that makes its URL. */
  readonly callback?: { readonly operationId: string; readonly expression: string };
}

interface Found extends Omit<DocumentOutgoing, 'name'> {
  /** Names that are made of its key, the preferred one first. */
  readonly derived: readonly string[];
}

export function listOutgoing(document: Document): DocumentOutgoing[] {
  const found = [...webhooksIn(document), ...callbacksIn(document)];
  const explicit = new Set(found.map(({ operation }) => operation.operationId));
  const used = new Set<string>(RESERVED_OPERATION_IDS);
  return found.map(({ derived, ...outgoing }) => {
    const { operationId } = outgoing.operation;
    const isOwn = typeof operationId === 'string' && operationId !== '' && !used.has(operationId);
    const free = derived.find((one) => !used.has(one) && !explicit.has(one));
    const name = isOwn ? operationId : (free ?? numbered(derived.at(-1) ?? '', used));
    used.add(name);
    return { name, ...outgoing };
  });
}

function numbered(name: string, used: ReadonlySet<string>): string {
  let n = 2;
  while (used.has(`${name}${n}`)) n++;
  return `${name}${n}`;
}

function* webhooksIn(document: Document): Generator<Found> {
  for (const source of ['webhooks', 'x-webhooks'] as const) {
    const items = document[source];
    for (const [key, item] of Object.entries(isObject(items) ? items : {}))
      for (const one of operationsOf(document, item, [source, key]))
        yield { ...one, source, key, derived: [key, `${key} ${one.method}`].map(camelCase) };
  }
}

function* callbacksIn(document: Document): Generator<Found> {
  for (const owner of listOperations(document)) {
    const { callbacks } = owner.operation;
    for (const [key, reference] of Object.entries(isObject(callbacks) ? callbacks : {})) {
      const path = [...operationKeys(owner), 'callbacks', key];
      const { value, pointer } = resolveAt<unknown>(document, reference, pointerTo(...path));
      for (const [expression, item] of Object.entries(isObject(value) ? value : {})) {
        if (expression.startsWith('x-')) continue;
        const callback = { operationId: owner.id, expression };
        for (const one of operationsOf(document, item as PathItem, [...path, expression], pointer + pointerTo(expression).slice(1)))
          yield {
            ...one,
            source: 'callbacks',
            key,
            callback,
            derived: [key, `${owner.id} ${key}`, `${owner.id} ${key} ${one.method}`].map(camelCase),
          };
      }
    }
  }
}

type Located = Pick<DocumentOutgoing, 'method' | 'operation' | 'path' | 'pointer'>;

function operationsOf(document: Document, item: PathItem, path: DocumentPath, at = pointerTo(...path)): Located[] {
  const { value, pointer } = resolveAt<PathItem>(document, item, at);
  if (!isObject(value)) return [];
  return METHODS.flatMap((method) => {
    const operation = value[method];
    if (!isObject(operation)) return [];
    return [{ method, operation, path: [...path, method], pointer: pointer + pointerTo(method).slice(1) }];
  });
}

/** `order.completed`, `order-completed`, `ORDER_COMPLETED` and `OrderCompleted` are `orderCompleted`. */
function camelCase(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const name = words
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, i) => `${i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
  return /^\p{L}/u.test(name) ? name : `send${name}`;
}

const SENT_METHODS: readonly string[] = ['post', 'put', 'patch', 'delete'];

/** The body of a delivery: its media type, and the schema of that, if there is one. */
export interface OutgoingBody {
  readonly type: string;
  /** As it is sent. */
  readonly contentType: string;
  readonly isRequired: boolean;
  readonly schema: Schema | undefined;
  readonly schemaPointer: string;
}

/** The JSON body that is declared; `undefined` if there is none. */
export function outgoingBody(document: Document, { operation, pointer: at }: DocumentOutgoing): OutgoingBody | undefined {
  if (operation.requestBody === undefined) return undefined;
  const { value, pointer } = resolveAt<RequestBody>(document, operation.requestBody, `${at}/requestBody`);
  const [type, media] = Object.entries(value.content).find(([one]) => isJson(one) || isJson(concreteType(one))) ?? [];
  if (type === undefined || media === undefined) return undefined;
  return {
    type,
    contentType: concreteType(type),
    isRequired: value.required === true,
    schema: media.schema,
    schemaPointer: pointer + pointerTo('content', type, 'schema').slice(1),
  };
}

/** Why it cannot be sent; `undefined` if it can. */
export function unsentReason(document: Document, outgoing: DocumentOutgoing): string | undefined {
  if (!SENT_METHODS.includes(outgoing.method)) return `only ${SENT_METHODS.map((method) => method.toUpperCase()).join(', ')} are sent`;
  if (outgoing.operation.requestBody !== undefined && outgoingBody(document, outgoing) === undefined) return 'only JSON is sent';
  return undefined;
}

/** One row of the table of `generated/outgoing.ts`. */
export interface OutgoingEntry {
  readonly source: OutgoingSource;
  readonly method: string;
  /** The media type of the body; `null`: it has none. */
  readonly type: string | null;
  /** The statuses that the receiver may answer with: `200`, `2XX`, `default`. */
  readonly statuses: readonly string[];
  /** Of a callback: the operation that it belongs to, and the expression that makes its URL. */
  readonly callback: { readonly operationId: string; readonly expression: string } | null;
}

/** Those that can be sent. @returns name -> row, in the order of the document. */
export function outgoingTable(document: Document): Record<string, OutgoingEntry> {
  const sent = listOutgoing(document).filter((outgoing) => unsentReason(document, outgoing) === undefined);
  return Object.fromEntries(
    sent.map((outgoing): [string, OutgoingEntry] => {
      const { name, source, method, operation, callback = null } = outgoing;
      const type = outgoingBody(document, outgoing)?.contentType ?? null;
      return [name, { source, method: method.toUpperCase(), type, statuses: Object.keys(operation.responses ?? {}), callback }];
    }),
  );
}
