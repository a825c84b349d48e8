/** How a client reads the items of the sequences that a contract has. */
import {
  alternativesOf,
  branchesOf,
  describesEvents,
  itemSchemaOf,
  listOperations,
  propertiesOf,
  resolve,
  sequenceKind,
  typesOf,
  type Document,
  type MediaType,
  type RequestBody,
  type Response,
  type Schema,
} from '@specwright/contract/document';

/** As the runtime of clients has it (`client/items.ts`). */
export type ItemKind = 'event' | 'event-text' | 'data' | 'data-text' | 'lines';

/** @returns `undefined` for a media type whose items are not declared. */
export function itemKindOf(document: Document, type: string, media: MediaType): ItemKind | undefined {
  const declared = itemSchemaOf(type, media);
  if (declared === undefined) return undefined;
  if (sequenceKind(type) !== 'events') return 'lines';
  const isEvent = describesEvents(document, declared.schema);
  const data = isEvent ? dataSchemas(document, declared.schema) : [resolve<Schema>(document, declared.schema)];
  const isText = data.every((schema) => typesOf(schema).length > 0 && typesOf(schema).every((kind) => kind === 'string'));
  return `${isEvent ? 'event' : 'data'}${isText ? '-text' : ''}`;
}

/** The schemas of the data of an event, of all its kinds. */
function dataSchemas(document: Document, given: Schema, seen = new Set<Schema>()): Schema[] {
  const schema = resolve<Schema>(document, given);
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { data } = propertiesOf(schema);
  const branches = [...alternativesOf(schema), ...branchesOf(schema).allOf];
  return [
    ...(data === undefined ? [] : [resolve<Schema>(document, data)]),
    ...branches.flatMap((branch) => dataSchemas(document, branch, seen)),
  ];
}

/** How the items of a body are sent, by media type; `undefined` without any. */
export function sentSequencesOf({ content }: RequestBody): Record<string, 'lines' | 'records'> | undefined {
  const sequences = Object.entries(content).flatMap(([type, media]): [string, 'lines' | 'records'][] => {
    const kind = itemSchemaOf(type, media) === undefined ? undefined : sequenceKind(type);
    return kind === undefined || kind === 'events' ? [] : [[type, kind]];
  });
  return sequences.length === 0 ? undefined : Object.fromEntries(sequences);
}

/** The operations that answer with server-sent events. */
export const listEventOperations = (document: Document): string[] =>
  listOperations(document)
    .filter(({ operation }) =>
      Object.entries(operation.responses).some(
        ([status, response]) =>
          status.startsWith('2') &&
          Object.entries(resolve<Response>(document, response).content ?? {}).some(
            ([type, media]) => sequenceKind(type) === 'events' && itemSchemaOf(type, media) !== undefined,
          ),
      ),
    )
    .map(({ id }) => id);
