/** The rules that neither Redocly nor Spectral has: which are switched off where, and what they report. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from '../../libraries/zod.ts';
import { pointerTo, type SourceDocument } from '@specwright/contract/document';
import { CALLBACK_RULES, FORM_RULES, LINK_RULES, OPERATION_RULES, VERSION_RULES } from './operation-rules.ts';
import { EFFECT_RULES } from './effect-rules.ts';
import { DISCRIMINATOR_RULES, INTEGER_RULES } from './schema-rules.ts';
import { LIFECYCLE_RULES } from './lifecycle-rules.ts';
import { MESSAGE_RULES, REQUEST_RULES } from './message-rules.ts';
import { PATTERN_RULES } from './pattern-rules.ts';
import { VALUE_RULES } from './value-rules.ts';
import { createRuleContext, type Rule, type RuleProblem } from './rule.ts';
import { SYNTAX_RULES } from './syntax-rules.ts';
import { TRAP_RULES } from './trap-rules.ts';

export const RULES: readonly Rule[] = [
  ...OPERATION_RULES,
  ...MESSAGE_RULES,
  ...REQUEST_RULES,
  ...FORM_RULES,
  ...LIFECYCLE_RULES,
  ...EFFECT_RULES,
  ...LINK_RULES,
  ...CALLBACK_RULES,
  ...VALUE_RULES,
  ...PATTERN_RULES,
  ...DISCRIMINATOR_RULES,
  ...TRAP_RULES,
  ...INTEGER_RULES,
  ...VERSION_RULES,
  ...SYNTAX_RULES,
];

const SETTINGS = z.strictObject({
  rules: z.record(z.string(), z.union([z.literal('off'), z.strictObject({ exceptions: z.array(z.string().startsWith('#/')) })])),
});

/** Rule -> off, or JSON pointers: the rule does not apply there and below. */
export type RuleSettings = z.infer<typeof SETTINGS>['rules'];

/** @throws Error if the file is not valid, or names an unknown rule. */
export function readRuleSettings(file: string): RuleSettings {
  const read = SETTINGS.safeParse(parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  const { rules } = read.data;
  const unknown = Object.keys(rules).filter((name) => !RULES.some((rule) => rule.name === name));
  if (unknown.length > 0)
    throw new Error(`${file}: unknown rule ${unknown.join(', ')}. The rules are:\n${RULES.map(({ name }) => `  ${name}`).join('\n')}`);
  return rules;
}

/**
 * Checks a document that is OpenAPI.
 *
 * @param file the file of the settings, for messages; @param isMeant whether a rule is asked.
 * @throws Error for an exception that matches no problem: exceptions only shrink.
 */
export function checkProjectRules(
  source: SourceDocument,
  settings: RuleSettings,
  file = 'contract-rules.yaml',
  isMeant: (rule: Rule) => boolean = () => true,
): { rule: Rule; problem: RuleProblem }[] {
  const context = createRuleContext(source);
  return RULES.filter(isMeant).flatMap((rule) => {
    const setting = settings[rule.name];
    if (setting === 'off') return [];
    const problems = [...rule.check(context)];
    const exceptions = setting?.exceptions ?? [];
    const exceptionFor = ({ path }: RuleProblem) => exceptions.find((pointer) => `${pointerTo(...path)}/`.startsWith(`${pointer}/`));
    const unused = exceptions.filter((pointer) => !problems.some((problem) => exceptionFor(problem) === pointer));
    if (unused.length > 0) throw new Error(`${file}: ${rule.name} reports nothing at ${unused.join(', ')}: remove the exception`);
    return problems.filter((problem) => exceptionFor(problem) === undefined).map((problem) => ({ rule, problem }));
  });
}
