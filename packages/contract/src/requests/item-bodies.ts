/** Bodies of requests that are sequences: JSON Lines and JSON text sequences, whose items a handler gets one by one. */
import { requestMedia, type Document, type DocumentOperation, type MediaType, type Schema } from '../document/openapi.ts';
import { itemSchemaOf, sequenceKind, type SequenceKind } from '../schema/item-schema.ts';
import { hasNativeValues } from '../schema/native-values.ts';
import type { CompileSchemaAt } from '../schema/compile-schema.ts';
import { describeErrors, type ValueProblem } from '../schema/validation-error.ts';
import { isBigIntegerAt } from '../codec/big-integer-values.ts';
import { toNativeValues } from '../codec/native-values.ts';
import type { JsonPath } from '../json/altered-numbers.ts';
import { createValueShape } from '../codec/typed-values.ts';
import { remember } from '../remember.ts';

/** Events are sent by servers alone. */
export type SentSequence = Exclude<SequenceKind, 'events'>;

export interface ItemBody {
  readonly type: string;
  readonly sequence: SentSequence;
  readonly schema: Schema;
  readonly schemaPointer: string;
}

export interface RequestItemValidator {
  readonly sequence: SentSequence;
  readonly isBigIntegerAt: (path: JsonPath) => boolean;
  /** Fills in defaults. @param location of the item: `body/3`. */
  readonly validateItem: (item: unknown, location: string) => { readonly item: unknown; readonly problems: readonly ValueProblem[] };
}

/** How the items of a body are sent; `undefined` for one without declared items. */
export function sentSequence(type: string, media: MediaType): SentSequence | undefined {
  const sequence = sequenceKind(type);
  return sequence === 'events' || itemSchemaOf(type, media) === undefined ? undefined : sequence;
}

export const itemBodiesOf = (document: Document, operation: DocumentOperation): ItemBody[] =>
  requestMedia(document, operation).flatMap(({ type, media, pointer }) => {
    const [sequence, declared] = [sentSequence(type, media), itemSchemaOf(type, media)];
    if (sequence === undefined || declared === undefined) return [];
    return [{ type, sequence, schema: declared.schema, schemaPointer: `${pointer}/${declared.keyword}` }];
  });

/** Creates the validators of an operation's items, by media type, each when it is first asked for. */
export function createItemValidators(
  document: Document,
  compile: CompileSchemaAt,
  operation: DocumentOperation,
): (type: string) => RequestItemValidator | undefined {
  return remember((type) => {
    const body = itemBodiesOf(document, operation).find((candidate) => candidate.type === type);
    if (body === undefined) return undefined;
    const { sequence, schema, schemaPointer } = body;
    const shape = createValueShape(document, schema);
    const hasNative = hasNativeValues(document, [schema]);
    return {
      sequence,
      isBigIntegerAt: (path) => isBigIntegerAt(shape, path),
      validateItem: (item, location) => {
        const validate = compile(schemaPointer);
        const problems = validate(item) ? [] : describeErrors(location, validate.errors);
        // Defaults were filled in as numbers and texts.
        return { item: hasNative ? toNativeValues(shape, item) : item, problems };
      },
    };
  });
}
