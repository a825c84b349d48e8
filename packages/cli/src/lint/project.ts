/** The rules of this project: all of them, which are switched off where, and what they find. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { pointerTo, type SourceDocument } from '@specwright/server';
import { DISCRIMINATOR_RULES } from './discriminators.ts';
import { LINK_RULES } from './links.ts';
import { OPERATION_RULES } from './operations.ts';
import { subjectOf, type Complaint, type Rule } from './rule.ts';
import { TRAP_RULES } from './traps.ts';
import { VALUE_RULES } from './values.ts';

export const RULES: readonly Rule[] = [...OPERATION_RULES, ...LINK_RULES, ...VALUE_RULES, ...DISCRIMINATOR_RULES, ...TRAP_RULES];

const SETTINGS = z.strictObject({
  rules: z.record(z.string(), z.union([z.literal('off'), z.strictObject({ exceptions: z.array(z.string().startsWith('#/')) })])),
});

/** Rule -> off, or the places (JSON pointers, and all below them) where it does not hold. */
export type RuleSettings = z.infer<typeof SETTINGS>['rules'];

/** @throws Error if the file cannot be read, or names a rule that there is not. */
export function readRuleSettings(file: string): RuleSettings {
  const read = SETTINGS.safeParse(parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  const { rules } = read.data;
  const unknown = Object.keys(rules).filter((name) => !RULES.some((rule) => rule.name === name));
  if (unknown.length > 0)
    throw new Error(`${file}: there is no rule ${unknown.join(', ')}: the rules are ${RULES.map(({ name }) => name).join(', ')}`);
  return rules;
}

/**
 * What the rules have against a document that is OpenAPI.
 *
 * @throws Error for an exception that excuses nothing: exceptions only shrink.
 */
export function checkProjectRules(source: SourceDocument, settings: RuleSettings): { rule: Rule; complaint: Complaint }[] {
  const subject = subjectOf(source);
  return RULES.flatMap((rule) => {
    const setting = settings[rule.name];
    if (setting === 'off') return [];
    const complaints = [...rule.check(subject)];
    const exceptions = setting?.exceptions ?? [];
    const excuse = ({ path }: Complaint) => exceptions.find((pointer) => `${pointerTo(...path)}/`.startsWith(`${pointer}/`));
    const idle = exceptions.filter((pointer) => !complaints.some((complaint) => excuse(complaint) === pointer));
    if (idle.length > 0)
      throw new Error(`${rule.name} has nothing against ${idle.join(', ')}: remove the exception from .config/contract-rules.yaml`);
    return complaints.filter((complaint) => excuse(complaint) === undefined).map((complaint) => ({ rule, complaint }));
  });
}
