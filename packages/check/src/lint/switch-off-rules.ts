/** Switches off each lint rule that the spec breaks, with the count, to be switched on again one by one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plural } from '@specwright/server/command';
import type { ProjectConfig } from '@specwright/cli/project';
import type { LintProblem } from './lint-problem.ts';

/** After the line with this text, the configuration of each tool lists the rules that are off. */
const MARK = 'Off because the spec breaks them today';

/** The file of each tool, and its line for a rule. */
const FILES: Readonly<Record<string, readonly [file: string, line: (rule: string, count: string) => string]>> = {
  redocly: ['redocly.yaml', (rule, count) => `  ${rule}: off # ${count}`],
  spectral: ['spectral.ts', (rule, count) => `    '${rule}': 'off', // ${count}`],
  project: ['contract-rules.yaml', (rule, count) => `  ${rule}: off # ${count}`],
};

/**
 * Switches off the rules of these problems.
 *
 * @returns how many rules, by file.
 * @throws Error for a problem whose rule cannot be off, because the spec cannot be served; and for a file without the marked line.
 */
export function switchOffRules(project: ProjectConfig, problems: readonly LintProblem[]): Map<string, number> {
  const composed = composeSwitchedOff(project, problems);
  for (const [file, { text }] of composed) writeFileSync(join(project.root, file), text);
  return new Map([...composed].map(([file, { count }]) => [file, count]));
}

/** As `switchOffRules`, without writing. @returns by file, from the root: its text and how many rules it switches off. */
export function composeSwitchedOff(
  project: ProjectConfig,
  problems: readonly LintProblem[],
): Map<string, { readonly text: string; readonly count: number }> {
  const blocking = problems.find(({ tool }) => FILES[tool] === undefined);
  if (blocking !== undefined)
    throw new Error(`${project.spec}:${blocking.line}:${blocking.column} ${blocking.message}: this rule cannot be switched off`);
  const changed = new Map<string, { text: string; count: number }>();
  for (const [tool, [name, line]] of Object.entries(FILES)) {
    const counts = new Map<string, number>();
    for (const problem of problems) if (problem.tool === tool) counts.set(problem.rule, (counts.get(problem.rule) ?? 0) + 1);
    if (counts.size === 0) continue;
    const file = join(project.config, name);
    const today = new Date().toISOString().slice(0, 10);
    const lines = [...counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([rule, times]) => line(rule, `${plural(times, 'problem')} on ${today}`));
    const text = readFileSync(join(project.root, file), 'utf8');
    const mark = text.split('\n').find((one) => one.includes(MARK));
    if (mark === undefined)
      throw new Error(`${file} has no line with "${MARK}": add one. The rules to switch off are\n${lines.join('\n')}`);
    const added = text.replace('\nrules: {}\n', '\nrules:\n').replace(mark, () => [mark, ...lines].join('\n'));
    changed.set(file, { text: added, count: counts.size });
  }
  return changed;
}
