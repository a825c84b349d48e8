/** Replaces references in the text of a document: everything else stays, comments included. */
import { type Node, type Scalar, isAlias, isNode, isPair, isScalar, visit } from 'yaml';
import { parseYaml } from '@specwright/contract/document';

type Replace = (found: { value: string; line: number; column: number; keys: readonly string[] }) => string | undefined;

/**
 * @param replace is asked for each text that is the value of a key, with the place of that, and the keys that lead there.
 * @returns the text with what that gives.
 * @throws ContractError if the text cannot be parsed.
 */
export function editReferences(file: string, text: string, replace: Replace): string {
  const { document, locationAt } = parseYaml(file, text);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  visit(document, {
    Pair(_, { key, value }, ancestors) {
      const scalar = isAlias(value) ? value.resolve(document) : value;
      if (!isScalar(key) || !isNode(value) || !isScalar(scalar) || typeof scalar.value !== 'string') return;
      const keys = [...ancestors.filter(isPair).map((pair) => pair.key), key].map((one) => String(isScalar(one) ? one.value : one));
      const replaced = replace({ value: scalar.value, ...locationAt(key.range?.[0] ?? 0), keys });
      const [start = 0, end = 0] = value.range ?? [];
      if (replaced !== undefined) edits.push({ start, end, text: written(replaced, value, text.slice(start, end)) });
    },
  });
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((edited, { start, end, text: inserted }) => edited.slice(0, start) + inserted + edited.slice(end), text);
}

/** In the quotes that the former value has. */
function written(value: string, node: Node, former: string): string {
  const { type } = node as Scalar;
  if (type === 'PLAIN') return value;
  if (type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value) + (former.endsWith('\n') ? '\n' : '');
}

/** The references of a fetched document, in examples too, by their URLs: its copy has another folder around it. */
export const withAbsoluteReferences = (text: string, base: URL): string =>
  editReferences(base.href, text, ({ value, keys }) => {
    const isReference = keys.at(-1) === '$ref' || (keys.at(-2) === 'mapping' && /#|\.(ya?ml|json)$/i.test(value));
    const [path = '', ...fragment] = value.split('#');
    if (!isReference || path === '' || !URL.canParse(path, base.href)) return undefined;
    const absolute = [new URL(path, base).href, ...fragment].join('#');
    return absolute === value ? undefined : absolute;
  });
