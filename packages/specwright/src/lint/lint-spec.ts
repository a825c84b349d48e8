/** Lints a spec: what the server refuses, then Redocly, Spectral with the OWASP rules, and the project's own rules. */
import {
  ContractError,
  type Problem,
  type SourceDocument,
  checkDocument,
  parseSource,
  pointerTo,
  printable,
  versionProblem,
} from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { type ProjectConfig, configFile, displayPath, readProject } from '../project-config.ts';
import { selectContract } from '../select-contracts.ts';
import { type LintProblem, withoutDuplicates } from './lint-problem.ts';
import { problemPath, redoclyRuleAdvice } from './redocly-rules.ts';
import { checkProjectRules, readRuleSettings } from './rules/project-rules.ts';
import type { Rule, RuleProblem } from './rules/rule.ts';

export interface LintOptions {
  /** Whose configuration applies; the project in the current folder if not given. */
  readonly project?: ProjectConfig;
  /** Reports a problem once for each tool that finds it: to count the rules that a document breaks. */
  readonly all?: boolean;
}

/**
 * Lints a spec. Warnings and hints are problems too: what may stay is switched off in the configuration.
 *
 * @param file the name of the spec in problems, @param text its content.
 * @returns the problems by line; each that several tools find, once.
 * @throws Error if a configuration file is not valid.
 */
export async function lintSpec(
  file: string,
  text: string,
  { project = selectContract(readProject(), { spec: file }), all = false }: LintOptions = {},
): Promise<LintProblem[]> {
  let problems: LintProblem[];
  try {
    const source = parseSource(file, text, project);
    problems = (await checkDocument(source)).map((problem) => contractProblem(problem, source.locate));
    const isOpenApi = !problems.some(isStructural);
    // The other rules read the document as OpenAPI.
    if (isOpenApi) problems.push(...checkRules(project, source, { all }));
    // Of what is not OpenAPI the structure has been reported, each problem where it is to be solved.
    if (versionProblem(source.document, file) === undefined)
      problems.push(...(await redocly(project, source)).filter(({ rule }) => isOpenApi || rule !== 'struct'));
    if (isOpenApi) problems.push(...(await spectral(project, source)));
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    problems = error.problems.map((problem) => contractProblem(problem, () => locationOf(problem)));
  }
  const reported = all ? problems : withoutDuplicates(problems);
  return reported
    .map(printableProblem)
    .sort((a, b) => (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line || a.column - b.column || a.rule.localeCompare(b.rule));
}

/** Its texts in one line each, whoever's rule has quoted the document. */
const printableProblem = ({ message, reason, fix, ...problem }: LintProblem): LintProblem => ({
  ...problem,
  message: printable(message),
  reason: printable(reason),
  fix: printable(fix),
});

// Loaded only when they run: a document that is not YAML needs none of them.
const redocly = async (project: ProjectConfig, source: SourceDocument) => (await import('./redocly.ts')).redocly(project, source);
const spectral = async (project: ProjectConfig, source: SourceDocument) => (await import('./spectral.ts')).spectral(project, source);

const isStructural = ({ rule }: LintProblem) => ['struct', 'no-unresolved-refs'].includes(rule);

const locationOf = ({ file, line = 1, column = 1 }: Problem) => ({ ...(file !== undefined && { file }), line, column });

/** A problem of `checkDocument`; where it comes from one of Redocly's rules, under that rule's name. */
function contractProblem(problem: Problem, locate: SourceDocument['locate']): LintProblem {
  const [, message, rule] = /^(.*) \(([\w-]+)\)$/s.exec(problem.message) ?? [];
  return {
    ...locate(problemPath(problem.pointer ?? '', rule)),
    message: message ?? problem.message,
    reason: 'The document cannot be served: generate and the server refuse it.',
    fix: rule === undefined ? 'Follow the message; this rule cannot be switched off.' : redoclyRuleAdvice(rule),
    tool: 'contract',
    rule: rule ?? 'contract',
  };
}

/** Rules that compile schemas, which takes longer than all others together. */
const SLOW_RULES = ['valid-enum', 'valid-default', 'valid-example'];

/** The problems of the project's own rules that take little time. @param source has passed `checkDocument`. */
export const lintQuickly = (source: SourceDocument, project: ProjectConfig): LintProblem[] => checkRules(project, source, { quick: true });

function checkRules(project: ProjectConfig, source: SourceDocument, { all = false, quick = false }): LintProblem[] {
  const file = configFile(project, 'contract-rules.yaml');
  const isMeant = ({ name }: { readonly name: string }) => !quick || !SLOW_RULES.includes(name);
  const found = checkProjectRules(source, readRuleSettings(file), displayPath(file), isMeant);
  return (all ? found : rankCauses(found, (path) => source.locate(path).line)).map(
    ({ rule: { name, reason, fix: ruleFix }, problem: { path, at, message, fix = ruleFix } }) => ({
      ...(at ?? source.locate(path)),
      message,
      reason,
      fix,
      tool: 'project',
      rule: name,
    }),
  );
}

/** Ranks the problems of the project's rules: a keyword that refuses examples is one problem, and the examples are counted. */
interface Found {
  readonly rule: Rule;
  readonly problem: RuleProblem;
}

/**
 * Counts the consequences of a problem in its message. Several of one cause that is no problem itself become one at the cause.
 *
 * @param lineOf the line of a path of the document.
 */
export function rankCauses(found: readonly Found[], lineOf: (path: RuleProblem['path']) => number): Found[] {
  const groups = new Map<string, Found[]>();
  for (const each of found) {
    if (each.problem.cause === undefined) continue;
    const pointer = pointerTo(...each.problem.cause);
    groups.set(pointer, [...(groups.get(pointer) ?? []), each]);
  }
  const ranked = found.filter(({ problem }) => problem.cause === undefined);
  for (const [pointer, consequences] of groups) {
    const [first] = consequences;
    if (first?.problem.cause === undefined) continue;
    const refused = plural(consequences.length, 'example');
    const index = ranked.findIndex(({ problem }) => `${pointerTo(...problem.path)}/`.startsWith(`${pointer}/`));
    const cause = ranked[index];
    if (cause !== undefined)
      ranked[index] = { ...cause, problem: { ...cause.problem, message: `${cause.problem.message}; it refuses ${refused}` } };
    else if (consequences.length === 1) ranked.push(first);
    else {
      const { path, cause: at, message } = first.problem;
      const text = `${String(at.at(-1))} refuses ${refused}, the first in line ${lineOf(path)}: ${message}`;
      ranked.push({ rule: first.rule, problem: { path: at, message: text } });
    }
  }
  return ranked;
}
