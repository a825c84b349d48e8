/** Validates the items of responses that are sequences of them. */
import { responseMedia, type DeclaredMedia, type Document, type DocumentOperation } from '../document/openapi.ts';
import { describesEvents, itemSchemaOf, sequenceKind, type SequenceKind } from '../schema/item-schema.ts';
import type { CompileSent } from './sent-value.ts';

export { itemSchemaOf };

export interface ItemValidator {
  readonly sequence: SequenceKind;
  /** Whether an item is an event, or only the data of one. */
  readonly isEvent: boolean;
  /** @returns the item without undeclared properties, and what breaks the contract. */
  readonly validateItem: (item: unknown) => { readonly item: unknown; readonly problems: readonly string[] };
}

/** Whether one of its responses is a sequence of declared items. */
export const hasItems = (document: Document, operation: DocumentOperation): boolean =>
  responseMedia(document, operation).some(({ type, media }) => itemSchemaOf(type, media) !== undefined);

/** @returns `undefined` for a media type without declared items. */
export function compileItems(
  document: Document,
  compileSent: CompileSent,
  { type, media, pointer }: DeclaredMedia,
): ItemValidator | undefined {
  const sequence = sequenceKind(type);
  const declared = itemSchemaOf(type, media);
  if (sequence === undefined || declared === undefined) return undefined;
  const validate = compileSent(declared.schema, `${pointer}/${declared.keyword}`);
  const isEvent = sequence === 'events' && describesEvents(document, declared.schema);
  const arriving = sequence === 'events' ? arrivingEvent : (item: unknown) => item;
  return {
    sequence,
    isEvent,
    validateItem: (given) => {
      const problems: string[] = [];
      return { item: validate(arriving(given, isEvent, problems), 'response/item', problems), problems };
    },
  };
}

/** An event as its client gets it: a text is written as it is, and each of its line breaks arrives as a line feed (WHATWG HTML, section 9.2.6). */
function arrivingEvent(item: unknown, isEvent: boolean, problems: string[]): unknown {
  if (!isEvent) return arrivingText(item, 'response/item', problems);
  if (typeof item !== 'object' || item === null) return item;
  const { data, event, id } = item as Record<string, unknown>;
  for (const [name, text] of Object.entries({ event, id })) arrivingText(text, `response/item/${name}`, problems);
  const arriving = arrivingText(data, 'response/item/data', problems);
  return arriving === data ? item : { ...item, data: arriving };
}

function arrivingText(value: unknown, location: string, problems: string[]): unknown {
  if (typeof value !== 'string') return value;
  if (!value.isWellFormed()) problems.push(`${location} has an unpaired surrogate`);
  return value.includes('\r') ? value.replaceAll(/\r\n?/g, '\n') : value;
}
