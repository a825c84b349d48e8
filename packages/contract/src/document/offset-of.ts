/** Finds where a value is written in the text of a YAML or JSON file. */
import { loadYaml } from './load-yaml.ts';

/** The offset of a value: of its key, or of itself in a list. One that is missing has that of its nearest existing parent. */
export function offsetOf(root: unknown, path: readonly (string | number)[]): number {
  const { isMap, isNode, isScalar, isSeq } = loadYaml();
  let node = root;
  let offset = 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) break;
      offset = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
