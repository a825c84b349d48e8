/** Validates responses that are streams: bytes where the body is no JSON value, items where the contract declares them. */
import type { DeclaredMedia, Document } from '../document/openapi.ts';
import { describesEvents, itemSchemaOf, sequenceKind, type SequenceKind } from '../schema/item-schema.ts';
import type { CompileSent } from './sent-value.ts';
import { isByteStream, type ByteStream, type ItemStream, type StreamedBody } from './handler-response.ts';

/** Bytes, or items with what each has to be. */
export type ValidStream = ByteStream | (ItemStream & ItemValidator);

export interface ItemValidator {
  readonly sequence: SequenceKind;
  /** Whether an item is an event, or only the data of one. */
  readonly isEvent: boolean;
  /** @returns the item without undeclared properties, and what breaks the contract. */
  readonly validateItem: (item: unknown) => { readonly item: unknown; readonly problems: readonly string[] };
}

interface ChosenBody {
  readonly contentType: string;
  readonly isJson: boolean;
  readonly items: ItemValidator | undefined;
}

/** @returns `undefined` if the media type has no such stream, which is added to `problems`. */
export function validStream(streamed: StreamedBody, chosen: ChosenBody | undefined, problems: string[]): ValidStream | undefined {
  if (chosen === undefined) problems.push('response/body is not declared');
  else if (isByteStream(streamed)) {
    if (!chosen.isJson && chosen.items === undefined) return streamed;
    problems.push(`response/body must not be a stream of bytes, to be sent as ${chosen.contentType}`);
  } else {
    if (chosen.items !== undefined) return { items: streamed.items, ...chosen.items };
    problems.push(`response/body has no items: ${chosen.contentType} declares none`);
  }
  return undefined;
}

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
