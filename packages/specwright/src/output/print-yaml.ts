/** YAML for standard output: of the same value, without control characters, and without lines that a CI system would run. */
import { printableCommands, printableLines } from '@specwright/contract';
import { Scalar, isScalar, parseDocument, visit } from 'yaml';

/** Where a line could begin with a command, or has one. */
const COMMAND = /^[\p{Zs}\uFEFF]*::|##\w*\[/mu;
const isSafe = (text: string): boolean => printableCommands(text) === text && !COMMAND.test(text);

/** @returns the same text if nothing in it has to be escaped. */
export function printableYaml(text: string): string {
  if (printableLines(text) === text) return text;
  const document = parseDocument(text);
  visit(document, {
    Node(_, node) {
      for (const name of ['comment', 'commentBefore'] as const) if (typeof node[name] === 'string') node[name] = printableLines(node[name]);
      // Between double quotes every character can be written as an escape.
      if (isScalar(node) && typeof node.value === 'string' && !isSafe(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  for (const name of ['comment', 'commentBefore'] as const)
    if (typeof document[name] === 'string') document[name] = printableLines(document[name]);
  return printableLines(document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }));
}
