/** Proves for a build that a generated document is what the spec says. */
import { dirname, relative } from 'node:path';
import { type ProvenSpec, readIfThere, textDigest } from './generated-document.ts';
import { readFast } from './source-document.ts';

/**
 * @param generated the file `document.json` that was generated from the spec.
 * @returns `undefined` if the one is not what the other says, or cannot be read: what is wrong is said when the contract is loaded.
 */
export function proveSpec(file: string, generated: string): ProvenSpec | undefined {
  const spec = readFast(file);
  const text = readIfThere(generated);
  if (spec === undefined || text === undefined || JSON.stringify(spec.published) !== compact(text)) return undefined;
  return {
    texts: Object.fromEntries(spec.files.map((part) => [relative(dirname(file), part.file), textDigest(part.text)])),
    content: spec.digest,
    document: relative(dirname(file), generated),
    documentText: textDigest(text),
  };
}

function compact(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
