/** Switches off each lint rule that the spec breaks, with the count, to be switched on again one by one. */
import { readFileSync } from 'node:fs';
import { plural } from '@specwright/server/command';
import { assertWritable, writeFile } from '../files/write-files.ts';
import { configFile, displayPath, type ProjectConfig } from '../project-config.ts';
import type { LintProblem } from './lint-problem.ts';

/** After the line with this text, the configuration of each tool lists the rules that are off. */
const MARK = 'Off because the spec breaks them today';

/** The file of each tool, and its line for a rule. */
const FILES: Readonly<Record<string, readonly [file: string, line: (rule: string, count: string) => string]>> = {
  redocly: ['redocly.yaml', (rule, count) => `  ${rule}: off # ${count}`],
  spectral: ['spectral.ts', (rule, count) => `    '${rule}': 'off', // ${count}`],
  project: ['contract-rules.yaml', (rule, count) => `  ${rule}: off # ${count}`],
};

export interface SpecProblems {
  readonly project: ProjectConfig;
  readonly problems: readonly LintProblem[];
}

/**
 * Switches off the rules of these problems.
 *
 * @returns how many rules, by file.
 * @throws Error for a problem whose rule cannot be off, because the spec cannot be served; and for a file without the marked line.
 */
export function switchOffRules(found: readonly SpecProblems[]): Map<string, number> {
  const composed = composeSwitchedOff(found);
  for (const [file, { root }] of composed) assertWritable(root, file);
  for (const [file, { root, text }] of composed) writeFile(root, file, text);
  return new Map([...composed.values()].map(({ name, count }) => [name, count]));
}

/** A file of the configuration with more rules off. */
export interface SwitchedOff {
  /** From the root. */
  readonly name: string;
  /** The folder of the project. */
  readonly root: string;
  readonly text: string;
  /** How many rules it switches off. */
  readonly count: number;
}

/** As `switchOffRules`, without writing. @returns by file, absolute. */
export function composeSwitchedOff(found: readonly SpecProblems[]): Map<string, SwitchedOff> {
  for (const { project, problems } of found) {
    const blocking = problems.find(({ tool }) => FILES[tool] === undefined);
    if (blocking !== undefined)
      throw new Error(`${project.spec}:${blocking.line}:${blocking.column} ${blocking.message}: this rule cannot be switched off`);
  }
  const changed = new Map<string, SwitchedOff>();
  for (const [tool, [name, line]] of Object.entries(FILES)) {
    for (const [file, { root, counts }] of countByFile(found, tool, name)) {
      const shown = displayPath(file, root);
      const today = new Date().toISOString().slice(0, 10);
      const lines = [...counts]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([rule, times]) => line(rule, `${plural(times, 'problem')} on ${today}`));
      const text = readFileSync(file, 'utf8');
      const mark = text.split('\n').find((one) => one.includes(MARK));
      if (mark === undefined)
        throw new Error(`${shown} has no line with "${MARK}": add one. The rules to switch off are\n${lines.join('\n')}`);
      const added = text.replace('\nrules: {}\n', '\nrules:\n').replace(mark, () => [mark, ...lines].join('\n'));
      changed.set(file, { name: shown, root, text: added, count: counts.size });
    }
  }
  return changed;
}

/** How often each rule of a tool is broken, by the file in which it is switched off: several specs may have one. */
function countByFile(found: readonly SpecProblems[], tool: string, name: string) {
  const files = new Map<string, { readonly root: string; readonly counts: Map<string, number> }>();
  for (const { project, problems } of found)
    for (const { rule } of problems.filter((problem) => problem.tool === tool)) {
      const file = configFile(project, name);
      const { root, counts } = files.get(file) ?? { root: project.root, counts: new Map<string, number>() };
      files.set(file, { root, counts: counts.set(rule, (counts.get(rule) ?? 0) + 1) });
    }
  return files;
}
