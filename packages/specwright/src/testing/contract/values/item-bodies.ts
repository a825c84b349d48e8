/** Bodies of requests that are sequences of items: JSON Lines and JSON text sequences. */
import { itemSchemaOf, sequenceKind } from '@specwright/contract/document';
import type { SpecMedia } from '../document.ts';

/** @returns the items of a media type as a media type of their own; `undefined` if it declares none. */
export function itemMediaOf(type: string, media: SpecMedia): SpecMedia | undefined {
  const declared = isSequence(type) ? itemSchemaOf(type, media) : undefined;
  return declared && { schema: declared.schema };
}

/** Events are sent by servers alone. */
export const isSequence = (type: string): boolean => ['lines', 'records'].includes(sequenceKind(type) ?? '');

/** One item, or a list of them, as the body of the media type. */
export function encodeItems(type: string, items: unknown): string {
  const separator = sequenceKind(type) === 'records' ? '\x1E' : '';
  return [items].flat().map((item) => `${separator}${JSON.stringify(item)}\n`).join(''); // prettier-ignore
}
