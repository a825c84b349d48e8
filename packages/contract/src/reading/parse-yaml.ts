/** Parses YAML, or JSON, which is YAML 1.2; the first syntax error has its line. */
import type { Document as YamlDocument, YAMLParseError } from 'yaml';
import { loadYaml } from './load-yaml.ts';
import { type CheckedNodes, checkNodes } from './yaml-nodes.ts';
import { ContractError, type Problem } from '../document/problems.ts';

export interface ParsedYaml extends Pick<CheckedNodes, 'closingBrackets' | 'offsetOf'> {
  readonly document: YamlDocument.Parsed;
  /** The location of an offset in the text; line and column count from 1. */
  readonly locationAt: (offset: number) => { line: number; column: number };
  /** The text as values. What aliases repeat is bounded ("billion laughs"). */
  readonly toJS: () => unknown;
}

/**
 * Parses a text. `<<` merges maps, as in YAML 1.1.
 *
 * @throws ContractError with the first syntax error and the number of those after it, or with every key, alias and merge key that is wrong.
 */
export function parseYaml(file: string, text: string): ParsedYaml {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  // Keys are compared below: the library compares each with each, and not as the texts that they are once they are read.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false });
  const locationAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = firstError(text, document.errors, locationAt);
  // What else is read of a text with an error may follow from it.
  if (problems.length === 0) problems.push(...document.warnings.map(({ pos, message }) => ({ ...locationAt(pos[0]), message })));
  if (problems.length > 0) throw new ContractError(file, [mergeConflicts(text), problems].find(({ length }) => length > 0) ?? []);
  const nodes = checkNodes(text, document.contents, (offset) => locationAt(offset).line);
  if (nodes.problems.length > 0)
    throw new ContractError(
      file,
      nodes.problems.map(({ offset, message }) => ({ ...locationAt(offset), message })),
    );
  // Bounded by `checkNodes`: the library's own count refuses 1,001 uses of one anchor.
  return { ...nodes, document, locationAt, toJS: () => document.toJS({ maxAliasCount: -1 }) as unknown };
}

type SyntaxProblem = Pick<YAMLParseError, 'code' | 'pos' | 'message'>;

/** The first error: a lost colon or a tab makes an error of each line that follows. */
function firstError(text: string, errors: readonly SyntaxProblem[], locationAt: ParsedYaml['locationAt']): Problem[] {
  const [first] = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return [];
  const at = locationAt(first.pos[0]);
  const lines = text.split('\n');
  const { message, ...location } =
    first.code === 'BLOCK_AS_IMPLICIT_KEY'
      ? nestedMapping(lines, at)
      : { ...at, message: messageOf(first, lines[at.line - 1]?.trim() ?? '') };
  const more = errors.length - 1;
  const rest = more === 0 ? '' : `; ${more} more ${more === 1 ? 'error' : 'errors'} may follow from it`;
  return [{ ...location, message: `${message}${rest}` }];
}

/** A value that another key follows: in its line, or in the next one, which is indented further than its own key. @param at of the value. */
function nestedMapping(lines: readonly string[], { line, column }: { line: number; column: number }) {
  const value = lines[line - 1]?.slice(column - 1) ?? '';
  const key = lines[line - 1]?.replace(/^[\s-]+/, '').split(':', 1)[0] ?? '';
  const next = lines.findIndex((text, i) => i >= line && !/^\s*(#|$)/.test(text));
  if (/:(\s|$)/.test(value) || next === -1) return { line, column, message: `the value of \`${key}\` has a colon: write it in quotes` };
  const [indent = ''] = /^\s*/.exec(lines[next] ?? '') ?? [];
  return {
    line: next + 1,
    column: indent.length + 1,
    message: `this is indented further than \`${key}\` in line ${line}, which has a value already: indent both alike`,
  };
}

/** @param line where the error is. */
function messageOf({ code, message }: SyntaxProblem, line: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here (`---`): an OpenAPI document is one';
  if (code === 'TAB_AS_INDENT') return 'a tab in the indentation: use spaces';
  if (code === 'RESOURCE_EXHAUSTION') return 'lists and maps are nested too deeply to be read: use fewer levels';
  const [key = ''] = line.split(' ');
  return code === 'MULTILINE_IMPLICIT_KEY' && key !== '' && !line.includes(':') ? `there is no colon after \`${key}\`` : message;
}

/** Where Git has left both sides of a change: each marked block is one problem, however many errors of syntax it makes. */
function mergeConflicts(text: string): Problem[] {
  return text.split('\n').flatMap((line, i) => {
    if (!/^<{7}( |\r?$)/.test(line)) return [];
    const message = 'merge conflict: keep what is meant of both sides, and remove the lines with <<<<<<<, ======= and >>>>>>>';
    return [{ line: i + 1, column: 1, message }];
  });
}
