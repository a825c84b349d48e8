/** What the gate of the prose reads: the sentences of a page in Markdown, by Prettier's parser, and the patterns that readers stumble over. */
import { parsers } from 'prettier/plugins/markdown';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly position: { readonly start: { readonly line: number } };
}

export interface Sentence {
  readonly line: number;
  readonly text: string;
  /** Of a table, whose cells may be lists. */
  readonly isCell: boolean;
}

/** A title, and the pattern of a sentence that is to be written another way. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ['"of its own": delete it, or say "separate"', /\b(?:of|on) (?:its|their|his|our|your|one's) own\b/i],
  ['"at all", "as it is": delete them', /\b(?:at all|as it is|as they are)\b/i],
  ['"stands in": say "is defined in"', /\b(?:stands?|stood|standing) in\b(?! for)/i],
  ['"held against", "held by tests": say "validated against", "checked by tests"', /\b(?:hold|holds|held) (?:against|by)\b/i],
  ['"those who", "whoever": name them', /\b(?:those (?:who|that|which)|whoever|anyone who|no one|nobody|he who)\b|^Who\b.*[.:;]$/i],
  [
    '"what" or "whose" as the subject: name the noun',
    /^(?:What|Whatever|Which|Whose)\b.*[.:;]$|\b(?:what|whatever) (?:is|are|was|were|has|have|had)\b/,
  ],
  ['"nowhere", "none\'s": say where, and whose', /\b(?:nowhere|none's|nobody's)\b/i],
  [
    'a word that has another name: amiss, mend, dear, fault, verdict, excuse',
    /\b(?:amiss|mends?|mended|dear|finds? fault|verdicts?|excuses?)\b/i,
  ],
  ['a second thought: "though there be", "all the same", "from then on"', /\b(?:though there be|all the same|from then on|if need be)\b/i],
  [
    'history: say what holds now',
    /\b(?:used to be|before the last|was tried and|were tried and|earlier versions?|in the past|until recently)\b/i,
  ],
];
const MAX_WORDS = 40;
/** More make a list. */
const MAX_SEMICOLONS = 1;

const sentencesIn = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The text of a paragraph, with code as one word, which may begin a sentence. */
function textOf(node: Node): string {
  if (node.type === 'inlineCode') return '`Code`';
  if (node.type === 'image' || node.type === 'html') return '';
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

const TEXTS = new Set(['paragraph', 'heading', 'tableCell']);

/** @throws SyntaxError if the page cannot be parsed */
export function sentencesOf(page: string): readonly Sentence[] {
  const found: Sentence[] = [];
  const visit = (node: Node): void => {
    if (!TEXTS.has(node.type)) return (node.children ?? []).forEach(visit);
    const text = textOf(node).replaceAll(/\s+/g, ' ').trim();
    for (const { segment } of sentencesIn.segment(text))
      found.push({ line: node.position.start.line, text: segment.trim(), isCell: node.type === 'tableCell' });
  };
  // Prettier's types have an options argument, which this parser does not read.
  visit((parsers.markdown.parse as (text: string) => Node)(page));
  return found;
}

/** What is to be changed in a sentence. */
export function problemsOf({ text, isCell }: Sentence): readonly string[] {
  const words = text.split(' ').length;
  const semicolons = text.split(';').length - 1;
  return [
    ...PATTERNS.flatMap(([title, pattern]) => (pattern.test(text) ? [title] : [])),
    ...(words > MAX_WORDS ? [`${words} words: at most ${MAX_WORDS}`] : []),
    ...(semicolons > MAX_SEMICOLONS && !isCell ? [`${semicolons} semicolons: make a list, or sentences`] : []),
  ];
}

/** The words of a page, code within a sentence included. */
export function wordsOf(page: string): readonly string[] {
  const text = page.replaceAll(/^ *```[^]*?^ *```$/gm, '').replaceAll(/<!--[^]*?-->/g, '');
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
