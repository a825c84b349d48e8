/** What is known of the rules of Redocly without loading it. */
import { pointerKeys } from '@specwright/contract/document';
import type { Keys } from './rules/rule.ts';

/** The path of a problem. Redocly points to the parent of a broken reference. */
export function problemPath(pointer: string, rule: string | undefined): Keys {
  const keys = pointerKeys(pointer);
  return rule === 'no-unresolved-refs' ? [...keys, '$ref'] : keys;
}

/** Rules of paths and of what a server answers, which Redocly applies to webhooks and callbacks too: these are paths and responses of others. */
const SERVED_ONLY = [
  'no-http-verbs-in-paths',
  'operation-4xx-response',
  'path-parameters-defined',
  'path-segment-plural',
  'paths-kebab-case',
  'response-contains-header',
  'response-contains-property',
  'security-defined',
];

/** Whether a rule says nothing of what is at a path: it is about what the server serves, and this is what it sends. */
export const isOfOthers = (path: Keys, rule: string): boolean =>
  SERVED_ONLY.includes(rule) && (path[0] === 'webhooks' || path[0] === 'x-webhooks' || (path[0] === 'paths' && path.includes('callbacks')));

export const redoclyRuleAdvice = (rule: string) => `Follow the rule: https://redocly.com/docs/cli/rules/oas/${rule}`;
