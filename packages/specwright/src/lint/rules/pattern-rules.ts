/** Rules of patterns: those that take exponential time, or are not proven to take linear time, and those that accept more than they seem to. */
import {
  compilePattern,
  type CompiledPattern,
  limitsOf,
  patternOf,
  patternPropertiesOf,
  patternTestOf,
  propertyNamesOf,
} from '@specwright/contract/document';
import { findAttack } from '@specwright/contract/proofs';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { Keys, Rule, RuleContext } from './rule.ts';

interface LocatedPattern {
  readonly path: Keys;
  readonly pattern: string;
  readonly compiled: CompiledPattern;
  /** The length of the texts that it is tested on. */
  readonly maxLength: number;
}

function* patternsOf({ schemas }: RuleContext): Generator<LocatedPattern> {
  for (const { value, path } of schemas) {
    const pattern = patternOf(value);
    const located: (readonly [Keys, string])[] = Object.keys(patternPropertiesOf(value)).map((name) => [['patternProperties', name], name]);
    for (const [keys, text] of pattern === undefined ? located : [[['pattern'], pattern] as const, ...located]) {
      const compiled = compilePattern(text);
      if (compiled === undefined) continue;
      const { maxLength = Infinity } = limitsOf(keys[0] === 'pattern' ? value : (propertyNamesOf(value) ?? {}));
      yield { path: [...path, ...keys], pattern: text, compiled, maxLength };
    }
  }
}

const parsePattern = ({ source, unicode }: CompiledPattern): AST.Pattern =>
  new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode });

type Edge = 'start' | 'end';

/** The first or last element, within groups too; `undefined` where alternatives differ or there is none. */
function edgeOf({ elements }: AST.Alternative, edge: Edge): AST.Element | undefined {
  const element = edge === 'start' ? elements[0] : elements.at(-1);
  const isGroup = element?.type === 'Group' || element?.type === 'CapturingGroup';
  return isGroup && element.alternatives.length === 1 ? edgeOf(element.alternatives[0] as AST.Alternative, edge) : element;
}

const isAnchor = (element: AST.Element | undefined, edge: Edge) => element?.type === 'Assertion' && element.kind === edge;

/** A repetition at an edge without anchor: how often it may repeat has no effect, unless anything may. */
const isVain = (element: AST.Element | undefined): boolean =>
  element?.type === 'Quantifier' && element.max > 1 && !['.', '[\\s\\S]', '[\\S\\s]', '[^]'].includes(element.element.raw);

/** Why the pattern is probably meant for the whole value; `undefined` if it is, or if a part of it may be meant. */
function missingAnchor({ alternatives }: AST.Pattern): string | undefined {
  for (const edge of ['start', 'end'] as const) {
    const edges = alternatives.map((alternative) => edgeOf(alternative, edge));
    const sign = edge === 'start' ? '^' : '$';
    const anchored = edges.filter((element) => isAnchor(element, edge)).length;
    if (anchored > 0 && anchored < edges.length) return `${sign} is part of one alternative only`;
    const vain = anchored === 0 ? edges.find(isVain) : undefined;
    if (vain !== undefined) return `without ${sign} any text may ${edge === 'start' ? 'precede' : 'follow'} ${vain.raw}`;
  }
  return undefined;
}

export const PATTERN_RULES: readonly Rule[] = [
  {
    name: 'exponential-pattern',
    reason: 'Each further repetition doubles the time of the match: a text of 50 characters stops the server for years.',
    fix: 'Repeat one thing in one way only: ^[a-z]+$ for ^([a-z]+)+$, ^[a-z]+( [a-z]+)*$ for ^([a-z]+ ?)+$.',
    *check(context) {
      for (const { path, compiled } of patternsOf(context)) {
        const attack = findAttack(compiled);
        if (attack === undefined) continue;
        const { before, repeated, after } = attack;
        const text = [before, `${JSON.stringify(repeated)} 50 times`, after].map((part, i) =>
          i === 1 ? part : part && JSON.stringify(part),
        );
        yield { path, message: `the pattern takes exponential time, as on ${text.filter((part) => part !== '').join(', then ')}` };
      }
    },
  },
  {
    name: 'linear-pattern',
    reason: 'A longer text is refused: the time of the match may grow with the square of its length, or faster.',
    fix: 'Add a maxLength, beside patternProperties in propertyNames; or read each character in one way: ^[^@]+@.+$ for ^.+@.+$.',
    *check(context) {
      for (const { path, pattern, compiled, maxLength } of patternsOf(context)) {
        const { maxText } = patternTestOf(pattern) ?? { maxText: Infinity };
        if (maxLength <= maxText || findAttack(compiled) !== undefined) continue;
        const refusal = `refuses texts of more than ${maxText} characters`;
        yield { path, message: `the pattern ${pattern}, which ${refusal}, is not proven to take linear time` };
      }
    },
  },
  {
    name: 'anchored-pattern',
    reason: 'A pattern is searched in the value (OpenAPI 3.0.3, section 4.7.24): without anchors other text around it is accepted.',
    fix: 'Begin with ^ and end with $, alternatives in a group: ^(?:a|b)$; write .* where any text is meant.',
    *check(context) {
      for (const { path, compiled } of patternsOf(context)) {
        const missing = missingAnchor(parsePattern(compiled));
        if (missing !== undefined) yield { path, message: missing };
      }
    },
  },
];
