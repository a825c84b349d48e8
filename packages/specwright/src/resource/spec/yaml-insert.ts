/** Inserts entries into a YAML document as text: comments and formatting of what is there stay. */
import { format as formatText } from '../../libraries/prettier.ts';
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

export interface YamlStyle {
  /** The spaces of a level. */
  readonly indent: number;
  /** Whether small collections of operations are written in braces. */
  readonly compact: boolean;
}

/** No line is broken. */
const MAX_WIDTH = 10_000;
/** Lists that are written in one line. */
const SHORT = new Set(['tags', 'required', 'enum', 'security']);
/** What is written in one line where the document does so. */
const COMPACT = new Set(['example', 'links']);

export function styleOf(text: string): YamlStyle {
  const paths = parseDocument(text).get('paths', true);
  const key = isMap(paths) && paths.flow !== true ? paths.items[0]?.key : undefined;
  return { indent: isNode(key) ? columnOf(text, key) || 2 : 2, compact: /: \{ \$ref: /.test(text) };
}

/** The text of a value, without indentation. */
export async function toYaml(value: object, { indent, compact }: YamlStyle, isOperation = false): Promise<string> {
  // As parsers of YAML 1.1 read it too: a date in quotes is a text.
  const document = new Document(value, { aliasDuplicateObjects: false, version: '1.1' });
  visit(document, {
    Pair(_, { key, value: node }) {
      if (!isScalar(key) || !isCollection(node)) return;
      const name = String(key.value);
      if (isSeq(node) && SHORT.has(name)) node.flow = true;
      if (!isOperation || !compact) return;
      if (name === 'links') for (const link of (node as YAMLMap).items) if (isCollection(link.value)) link.value.flow = true;
      if (COMPACT.has(name) && name !== 'links') node.flow = true;
      if (name === 'schema' && isMap(node) && node.has('$ref')) node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, singleQuote: true });
  return formatText(text, { parser: 'yaml', printWidth: MAX_WIDTH, tabWidth: indent, singleQuote: true, proseWrap: 'preserve' });
}

/**
 * Appends entries to a mapping, or items to a list, which is made if the document does not have it.
 *
 * @param path the keys that lead there. @param entries each as text, without indentation.
 * @throws Error if it is written in braces, which entries cannot be appended to as text.
 */
export function appendToYaml(text: string, path: readonly string[], entries: readonly string[], indent: number): string {
  if (entries.length === 0) return text;
  const document = parseDocument(text);
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (node === undefined || node === null || (isScalar(node) && node.value === null)) {
    const [name = '', parent] = [path.at(-1), path.slice(0, -1)];
    const body = entries.map((entry) => indented(entry, indent)).join('');
    if (node !== undefined && node !== null) throw new Error(`${path.join('/')} is empty: remove it`);
    return appendToYaml(text, parent, [`${name}:\n${body}`], indent);
  }
  if (!isMap(node) && !isSeq(node)) throw new Error(`${path.join('/')} is no mapping`);
  const [start, end] = node.range ?? [0, 0];
  if (node.flow === true) {
    if (node.items.length > 0) throw new Error(`${path.join('/')} is written in braces: write it with an entry in each line`);
    const column = indentAt(text, start) + indent;
    const body = entries.map((entry) => indented(entry, column)).join('');
    return `${text.slice(0, start).trimEnd()}\n${body.trimEnd()}${text.slice(end)}`;
  }
  const column = columnOf(text, node.items[0]);
  const separator = isSpaced(text, node) ? '\n' : '';
  const at = endOfLast(text, node);
  const before = text.slice(0, at);
  const body = entries.map((entry) => separator + indented(entry, column)).join('');
  return `${before}${before.endsWith('\n') ? '' : '\n'}${body}${text.slice(at)}`;
}

const indented = (text: string, column: number): string => `${text.trimEnd()}\n`.replace(/^(?=.)/gm, ' '.repeat(column));

const startOf = (item: unknown): number => ((isPair(item) ? item.key : item) as Node).range?.[0] ?? 0;

const indentAt = (text: string, at: number): number => /^ */.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0].length ?? 0;

/** The column at which an entry begins, with the dash of a list. */
const columnOf = (text: string, item: unknown): number => indentAt(text, startOf(item));

/** Whether the entries have an empty line between them. */
function isSpaced(text: string, { items }: YAMLMap | YAMLSeq): boolean {
  const [first, second] = items.map(startOf);
  return first !== undefined && second !== undefined && /\n[ \t]*\n[^\n]*$/.test(text.slice(first, second));
}

/** The start of the line after the last entry. */
function endOfLast(text: string, { items }: YAMLMap | YAMLSeq): number {
  const end = endOf(items.at(-1));
  // A block of text ends after its line break.
  const line = text.indexOf('\n', end - 1);
  return line === -1 ? text.length : line + 1;
}

function endOf(item: unknown): number {
  const node = (isPair(item) ? (item.value ?? item.key) : item) as Node;
  const last = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  return last === undefined ? (node.range?.[1] ?? 0) : endOf(last);
}
