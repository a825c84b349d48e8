/** How `pg` reads values by default. Those of its `types` are shared: an application sets others for the whole process. */
// @ts-expect-error It has no types for its parsers.
import textParsers from 'pg-types/lib/textParsers.js';

export type TextParser = (text: string) => unknown;

const { init } = textParsers as { readonly init: (register: (oid: number, parser: TextParser) => void) => void };

/** By the OID of the type. What has none is text. */
export const DEFAULT_PARSERS: ReadonlyMap<number, TextParser> = readParsers();

function readParsers(): Map<number, TextParser> {
  const parsers = new Map<number, TextParser>();
  init((oid, parser) => void parsers.set(oid, parser));
  return parsers;
}
