/** Where and why, in the words of Redocly. */
import { pointerKeys } from '@specwright/server';
import type { Keys } from './nodes.ts';

/** The keys of a JSON pointer. Redocly points beside a broken reference, not at it. */
export function placeOf(pointer: string, rule: string | undefined): Keys {
  const keys = pointerKeys(pointer);
  return rule === 'no-unresolved-refs' ? [...keys, '$ref'] : keys;
}

export const aboutRedocly = (rule: string) => `What it asks for: https://redocly.com/docs/cli/rules/oas/${rule}`;
