/**
 * ESLint's rule specwright/linear-expression: a regular expression takes time in proportion to the length of its text.
 *
 * recheck proves it for most in 0.1 s each and for some in 20 s, so the expressions that it has judged are recorded in
 * linear-expressions.json (`node scripts/record-expressions.mjs` writes it, and a nightly test judges all of them again). A new one is judged by the lint.
 * Its build for browsers is taken, because the others run a program that is not part of Node.
 */
import { readFileSync } from 'node:fs';
import recheck from 'recheck/lib/browser.js';

const TIMEOUT_MS = 60_000;

export const recordFile = new URL('linear-expressions.json', import.meta.url);
/** @type {Map<string, boolean>} whether an expression is linear. Those that are not have an exemption where they are used. */
const recorded = new Map(Object.entries(JSON.parse(readFileSync(recordFile, 'utf8'))));

/** Without a quantifier that repeats, the time is bounded by the length of the expression. */
const repeats = (source) => /[*+{]/.test(source);

/** @returns {string | undefined} why an expression is not known to be linear. */
export function problemOf(source, flags) {
  const { status, complexity, error, attack } = recheck.checkSync(source, flags, { timeout: TIMEOUT_MS });
  if (status === 'safe') return undefined;
  if (status === 'unknown') return `cannot be proven to take linear time (${error.kind})`;
  const degree = complexity.type === 'polynomial' ? `${complexity.type} (degree ${complexity.degree})` : complexity.type;
  return `takes ${degree} time, as for ${attack.pattern.slice(0, 100)}`;
}

/** The source and the flags of `/a/g`, and of `new RegExp('a', 'g')` whose arguments are literals. */
function expressionOf(node) {
  if (node.type === 'Literal') return node.regex && [node.regex.pattern, node.regex.flags];
  const [source, flags] = node.arguments.map((argument) => textOf(argument));
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp' || source === undefined) return undefined;
  return [source, flags ?? ''];
}

function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.quasis.length === 1) return node.quasis[0].value.cooked;
  return undefined;
}

/** @param check is asked about each expression that repeats something. */
export const createRule = (check) => ({
  meta: { type: 'problem', schema: [], messages: { slow: 'The expression {{problem}}: rewrite it, or scan the text with a loop.' } },
  create(context) {
    const visit = (node) => {
      const expression = expressionOf(node);
      if (expression === undefined || !repeats(expression[0])) return;
      const problem = check(...expression);
      if (problem !== undefined) context.report({ node, messageId: 'slow', data: { problem } });
    };
    return { Literal: visit, NewExpression: visit, CallExpression: visit };
  },
});

const found = new Map([...recorded].map(([text, isLinear]) => [text, isLinear ? undefined : 'takes more than linear time']));
/** Each text is judged once. */
function cachedProblemOf(source, flags) {
  const text = `/${source}/${flags}`;
  if (!found.has(text)) found.set(text, problemOf(source, flags));
  return found.get(text);
}

export default { rules: { 'linear-expression': createRule(cachedProblemOf) } };
