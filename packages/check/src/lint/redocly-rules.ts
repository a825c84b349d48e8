/** What is known of the rules of Redocly without loading it. */
import { pointerKeys } from '@specwright/server/document';
import type { Keys } from './collect-nodes.ts';

/** The path of a problem. Redocly points to the parent of a broken reference. */
export function problemPath(pointer: string, rule: string | undefined): Keys {
  const keys = pointerKeys(pointer);
  return rule === 'no-unresolved-refs' ? [...keys, '$ref'] : keys;
}

export const redoclyRuleAdvice = (rule: string) => `Follow the rule: https://redocly.com/docs/cli/rules/oas/${rule}`;
