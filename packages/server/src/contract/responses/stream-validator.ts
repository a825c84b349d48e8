/** Validates responses that are streams: bytes where the body is no JSON value, items where the contract declares them. */
import { pointerTo, type Document, type MediaType, type Schema } from '../document/openapi.ts';
import { withoutConditions } from '../schema/discriminator.ts';
import type { CompileSchemaAt } from '../schema/schema-compiler.ts';
import { formatAjvError } from '../schema/validation-error.ts';
import { describesEvents, itemSchemaOf, sequenceKind, type SequenceKind } from './item-schema.ts';
import { isByteStream, type ByteStream, type ItemStream, type StreamedBody } from './streamed-body.ts';
import type { StripUndeclared } from './strip-undeclared.ts';

/** Bytes, or items with what each has to be. */
export type ValidStream = ByteStream | (ItemStream & ItemValidator);

export interface ItemValidator {
  readonly sequence: SequenceKind;
  /** Whether an item is an event, or only the data of one. */
  readonly isEvent: boolean;
  /** @returns the item without undeclared properties, and what breaks the contract. */
  readonly validateItem: (item: unknown) => { readonly item: unknown; readonly problems: readonly string[] };
}

/** What is known of the media type of a stream. */
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
  compile: CompileSchemaAt,
  compileStripUndeclared: (schema: Schema) => StripUndeclared,
  type: string,
  media: MediaType,
  pointer: string,
): ItemValidator | undefined {
  const sequence = sequenceKind(type);
  const declared = itemSchemaOf(type, media);
  if (sequence === undefined || declared === undefined) return undefined;
  const validate = compile(pointer + pointerTo('content', type, declared.keyword).slice(1));
  const stripUndeclared = compileStripUndeclared(declared.schema);
  return {
    sequence,
    isEvent: sequence === 'events' && describesEvents(document, declared.schema),
    validateItem: (given) => {
      const isValid = validate(given);
      const problems = isValid ? [] : withoutConditions(validate.errors ?? []).map((e) => formatAjvError('response/item', e));
      return { item: stripUndeclared(given), problems };
    },
  };
}
