/** Loads the libraries of YAML when a document is read or written: a built server starts on its generated document and does neither. */
import { createRequire } from 'node:module';
import type * as FastYaml from 'js-yaml';
import type * as Yaml from 'yaml';
import { requireLibrary } from '../runtime/require-library.ts';

const require = createRequire(import.meta.url);

/** Knows the line of everything. */
export const loadYaml = (): typeof Yaml => require('yaml') as typeof Yaml;

/**
 * Parses a text to the values that `parseYaml` gives. Knows no lines, and takes a quarter of the time.
 *
 * @throws Error if it cannot be parsed, is not YAML 1.2 to the letter, or its aliases may repeat much: `parseYaml` says what is wrong, if anything.
 */
export function parseFast(text: string): unknown {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // A map of YAML may begin so too.
    }
  }
  const { CORE_SCHEMA, load, mergeTag } = requireLibrary('js-yaml', new URL('../libraries/', import.meta.url)) as typeof FastYaml;
  const value = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) });
  if (ANCHOR.test(text) && sizeOf(value, new Map()) > MAX_SIZE) throw new Error('aliases repeat too much');
  return value;
}

/** What an anchor looks like; it may be in a text, too. */
const ANCHOR = /[\s[{,]&\w/;

/** In characters and values. The library shares what aliases repeat, and whatever reads the values does not. */
const MAX_SIZE = 8 * 1024 * 1024;

/** @param known the sizes of lists and maps; infinite while one is measured, as it is if it contains itself. */
function sizeOf(value: unknown, known: Map<object, number>): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let size = known.get(value);
  if (size !== undefined) return size;
  known.set(value, Infinity);
  size = 1;
  for (const [key, part] of Object.entries(value)) size += key.length + sizeOf(part, known);
  known.set(value, size);
  return size;
}

/**
 * Writes a value as YAML that readers of YAML 1.1 understand too: what is text to one and a boolean to the other (`no`, `on`) is quoted.
 *
 * @throws RangeError if the value contains itself.
 */
export const formatYaml = (value: unknown): string =>
  loadYaml().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' });

/** Whether a text may have merge keys: one in a comment counts too. */
export const mayMerge = (text: string): boolean => /<<[ \t]{0,8}:/.test(text);
