/** Reads the document that was generated in place of the spec, which costs a fraction, if a build has seen that it is what the spec says. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Document } from '../document/openapi.ts';
import { readText } from './read-text.ts';

/** What a build has seen: proof of what otherwise takes parsing the spec. */
export interface ProvenSpec {
  /** The files that the spec is written in, from its folder, each with the SHA-256 of its text. */
  readonly texts: Readonly<Record<string, string>>;
  /** The digest of its content: `SourceDocument.digest`. */
  readonly content: string;
  /** The file that has this content as JSON, from the folder of the spec. */
  readonly document: string;
  /** SHA-256 of the text of that file. */
  readonly documentText: string;
}

/** Set by a build (`specwright build`): those specs of which there is a proof; not there when the sources run. */
declare const SPECWRIGHT_SPECS: readonly ProvenSpec[] | undefined;

/** In hex. Ends of lines are not counted: git may change them. */
export const textDigest = (text: string): string =>
  createHash('sha256')
    .update(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text)
    .digest('hex');

/**
 * @param digest of the content that everything was generated from.
 * @returns the document, with the text of the spec if that is the whole of it; `undefined` if one of the files was changed after the
 *   build, or there is no proof.
 */
export function readGenerated(
  file: string,
  digest: string,
): { readonly source: string | undefined; readonly published: Document } | undefined {
  const specs = typeof SPECWRIGHT_SPECS === 'undefined' ? [] : SPECWRIGHT_SPECS;
  const proven = specs.find(({ content, texts }) => content === digest && basename(file) in texts);
  if (proven === undefined) return undefined;
  const source = readText(file);
  const texts = Object.entries(proven.texts).map(([name, expected]) => {
    const part = join(dirname(file), name);
    const text = part === join(file) ? source : readIfThere(part);
    return text !== undefined && textDigest(text) === expected;
  });
  if (texts.length === 0 || texts.includes(false)) return undefined;
  const text = readIfThere(join(dirname(file), proven.document));
  if (text === undefined || textDigest(text) !== proven.documentText) return undefined;
  return { source: texts.length === 1 ? source : undefined, published: JSON.parse(text) as Document };
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
