/** Checks the nodes of a parsed YAML text: its keys, anchors, aliases and merge keys, and closing brackets that other parsers refuse. */
import type { Alias, Node, Pair, ParsedNode, YAMLMap } from 'yaml';
import { loadYaml } from './load-yaml.ts';

/** @property offset of what is wrong, in the text. */
interface NodeProblem {
  readonly offset: number;
  readonly message: string;
}

export interface CheckedNodes {
  readonly problems: readonly NodeProblem[];
  /** The offsets of closing brackets that are not indented more than their key. YAML 1.2 (section 7.4) does not allow them, many parsers do. */
  readonly closingBrackets: readonly number[];
  /** The offset of a value: of its key, or of itself in a list. One that is missing has that of its nearest existing parent. */
  readonly offsetOf: (keys: readonly (string | number)[]) => number;
}

/** How many characters aliases and merge keys may repeat: 8 Mi, most of what the largest public documents have in all. */
const MAX_REPEATED_CHARACTERS = 8 * 1024 * 1024;

/** @param lineOf the line of an offset. @param contents the root of the text; no error was found in it. */
export function checkNodes(text: string, contents: ParsedNode | null, lineOf: (offset: number) => number): CheckedNodes {
  return new NodeChecker(text, lineOf).check(contents);
}

interface Anchor {
  readonly node: Node;
  /** How many characters the node has, with those that its aliases repeat; `undefined` while its end was not reached. */
  size?: number;
}

class NodeChecker {
  readonly #yaml = loadYaml();
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  readonly #problems: NodeProblem[] = [];
  readonly #closingBrackets: number[] = [];
  readonly #anchors = new Map<string, Anchor>();
  readonly #targets = new Map<Alias, Node>();
  #hasMergeKeys = false;
  #isTooLarge = false;

  constructor(text: string, lineOf: (offset: number) => number) {
    this.#text = text;
    this.#lineOf = lineOf;
  }

  check(contents: ParsedNode | null): CheckedNodes {
    this.#visit(contents, -1);
    return {
      problems: this.#problems,
      closingBrackets: this.#closingBrackets,
      offsetOf: (keys) => this.#offsetOf(contents, keys),
    };
  }

  /** @param column of the block collection around it; -1 if there is none. @returns how many characters the aliases in it repeat. */
  #visit(node: unknown, column: number): number {
    const { isAlias, isMap, isNode, isSeq } = this.#yaml;
    if (!isNode(node)) return 0;
    if (isAlias(node)) return this.#alias(node);
    const anchor: Anchor | undefined = node.anchor === undefined ? undefined : { node };
    if (anchor !== undefined && node.anchor !== undefined) this.#anchors.set(node.anchor, anchor);
    let repeated = 0;
    if (isMap(node) || isSeq(node)) {
      if (node.flow === true) this.#bracket(node, column);
      const within = node.flow === true ? column : this.#columnOf(node);
      if (isMap(node)) repeated = this.#map(node, within);
      else for (const item of node.items) repeated += this.#visit(item, within);
    }
    if (anchor !== undefined) anchor.size = lengthOf(node) + repeated;
    return repeated;
  }

  #alias(alias: Alias): number {
    const anchor = this.#anchors.get(alias.source);
    if (anchor === undefined) return this.#report(alias, `there is no anchor &${alias.source} before this alias`);
    if (anchor.size === undefined)
      return this.#report(alias, `the alias *${alias.source} is within its own anchor: it would contain itself`);
    this.#targets.set(alias, anchor.node);
    if (anchor.size > MAX_REPEATED_CHARACTERS) {
      if (!this.#isTooLarge) this.#report(alias, tooLarge(alias.source));
      this.#isTooLarge = true;
      return 0;
    }
    return anchor.size;
  }

  #map(map: YAMLMap, column: number): number {
    const firsts = new Map<string, number>();
    let repeated = 0;
    for (const { key, value } of map.items) {
      repeated += this.#visit(key, column);
      if (isMergeKey(key)) {
        this.#hasMergeKeys = true;
        repeated += this.#visit(value, column);
        if (this.#mergeSources(value) === undefined)
          this.#report(key, '`<<` merges maps: write an alias of a map, such as `<<: *base`, or a list of them');
      } else {
        this.#key(key, firsts);
        repeated += this.#visit(value, column);
      }
      if (repeated > MAX_REPEATED_CHARACTERS && !this.#isTooLarge) {
        this.#report(key, tooLarge(''));
        this.#isTooLarge = true;
      }
    }
    return repeated;
  }

  /** Keys are texts once they are read: `200` and `'200'` are one. */
  #key(key: unknown, firsts: Map<string, number>): void {
    const name = this.#nameOf(key);
    if (name === undefined) return;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, startOf(key));
    else this.#report(key, `the key \`${name}\` is there twice, first in line ${this.#lineOf(first)}: remove one, or rename it`);
  }

  #nameOf(key: unknown): string | undefined {
    const { isAlias, isScalar } = this.#yaml;
    const node = isAlias(key) ? this.#targets.get(key) : key;
    const value: unknown = isScalar(node) ? node.value : undefined;
    if (value === null) return '';
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }

  /** The maps that a merge key names, by priority; `undefined` if one is none. */
  #mergeSources(value: unknown): YAMLMap[] | undefined {
    const { isAlias, isMap, isSeq } = this.#yaml;
    const target = isAlias(value) ? this.#targets.get(value) : value;
    if (isMap(target)) return [target];
    if (!isSeq(target)) return undefined;
    const sources = target.items.map((item) => (isAlias(item) ? this.#targets.get(item) : item));
    return sources.every(isMap) ? sources : undefined;
  }

  /** Looks back only over the indentation: a document may be one line. */
  #bracket(collection: Node, column: number): void {
    const closing = (collection.range?.[1] ?? 0) - 1;
    let start = closing;
    while (start > 0 && closing - start <= column && this.#text[start - 1] === ' ') start--;
    if (closing - start <= column && this.#text[start - 1] === '\n') this.#closingBrackets.push(closing);
  }

  /** The column of a block collection, from 0: that of its first key or dash. */
  #columnOf(collection: Node): number {
    const { isMap } = this.#yaml;
    const start = isMap(collection) && collection.items[0] !== undefined ? startOf(collection.items[0].key) : startOf(collection);
    return start - (this.#text.lastIndexOf('\n', start - 1) + 1);
  }

  #offsetOf(contents: unknown, keys: readonly (string | number)[]): number {
    const { isAlias, isMap, isNode, isSeq } = this.#yaml;
    let node: unknown = contents;
    let offset = 0;
    for (const key of keys) {
      if (isAlias(node)) node = this.#targets.get(node);
      if (isMap(node)) {
        const pair = this.#pairOf(node, String(key));
        if (pair === undefined) break;
        offset = isNode(pair.key) ? startOf(pair.key) : offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(key)];
        if (!isNode(node)) break;
        offset = startOf(node);
      } else break;
    }
    return offset;
  }

  /** A map's own keys come before those that it merges, and of these the first. */
  #pairOf(map: YAMLMap, name: string): Pair | undefined {
    const own = map.items.find(({ key }) => !isMergeKey(key) && this.#nameOf(key) === name);
    if (own !== undefined || !this.#hasMergeKeys) return own;
    for (const { key, value } of map.items) {
      if (!isMergeKey(key)) continue;
      for (const source of this.#mergeSources(value) ?? []) {
        const merged = this.#pairOf(source, name);
        if (merged !== undefined) return merged;
      }
    }
    return undefined;
  }

  #report(node: unknown, message: string): 0 {
    this.#problems.push({ offset: startOf(node), message });
    return 0;
  }
}

const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;

const lengthOf = ({ range }: Node): number => (range ? range[1] - range[0] : 0);

/** A plain `<<`. In quotes it is a key like any other, as in JSON. */
const isMergeKey = (key: unknown): boolean => typeof (key as { value?: unknown } | null)?.value === 'symbol';

const tooLarge = (source: string): string =>
  `${source === '' ? 'aliases' : `the alias *${source} and those in it`} repeat more than 8 Mi characters: write less by aliases`;
