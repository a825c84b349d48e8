/** `specwright lint` */
import { readFileSync } from 'node:fs';
import type { LintProblem } from '../lint/lint-problem.ts';
import type { SpecProblems } from '../lint/switch-off-rules.ts';
import { defineCommand, plural, print, UsageError } from '@specwright/server/command';
import { CONTRACTS_OPTION, OUTSIDE_OPTION, forEachContract, selectContracts } from '../select-contracts.ts';
import { type ProjectConfig, configFile, displayPath, readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Reports what Redocly, Spectral with the OWASP rules, and rules against differences of types and validation find in the\nspec, each problem with its location, reason and fix. A rule is switched off in redocly.yaml, spectral.ts or\ncontract-rules.yaml of the configuration folder; for one of several specs, in the folder of its name there.\nWith --baseline, each rule that the spec breaks is added to those, with the number of problems and the date.',
  options: {
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
    json: { type: 'boolean', description: 'prints the problems as JSON' },
    baseline: { type: 'boolean', description: 'switches off each rule that the spec breaks' },
  },
  examples: ['specwright lint', 'specwright lint --spec ../their.yaml --json', 'specwright lint --baseline'],
  failure: 'the spec has problems; with --baseline, one that cannot be switched off',
  async run({ values }) {
    if (values.baseline) {
      if (values.json || values.spec !== undefined)
        throw new UsageError('--baseline switches off rules for the specs of the project: remove --json and --spec');
      return switchOff(selectContracts(readProject(), values));
    }
    const { readText } = await import('@specwright/contract/document');
    const { formatLintProblem } = await import('../lint/lint-problem.ts');
    const { lintSpec } = await import('../lint/lint-spec.ts');
    let listed: (LintProblem & { readonly file: string })[] | undefined;
    const linted = forEachContract(selectContracts(readProject(), values), async (contract) => {
      const file = displayPath(contract.spec);
      const problems = await lintSpec(file, readText(file), { project: contract });
      listed = [...(listed ?? []), ...problems.map((problem) => ({ file, ...problem }))];
      if (!values.json) for (const problem of problems) print(`${formatLintProblem(file, problem)}\n`);
      if (problems.length > 0) {
        const files = ['redocly.yaml', 'spectral.ts', 'contract-rules.yaml']
          .map((name) => displayPath(configFile(contract, name)))
          .join(', ');
        throw new Error(
          `${plural(problems.length, 'problem')} in ${file}: fix the spec, or switch the rule off with its reason in ${files}`,
        );
      }
      if (!values.json) print(`${file}: no problems`);
    });
    await linted.finally(() => {
      if (values.json && listed !== undefined) print(JSON.stringify(listed, null, 2));
    });
  },
});

/** Adds the rules that the specs break to those that are off. */
async function switchOff(contracts: readonly ProjectConfig[]): Promise<void> {
  const { lintSpec } = await import('../lint/lint-spec.ts');
  const { switchOffRules } = await import('../lint/switch-off-rules.ts');
  const found: SpecProblems[] = [];
  // All before a rule is switched off: specs may share the files that list those.
  await forEachContract(contracts, async (contract) => {
    found.push({
      project: contract,
      problems: await lintSpec(contract.spec, readFileSync(contract.spec, 'utf8'), { project: contract, all: true }),
    });
  });
  for (const [file, count] of switchOffRules(found)) print(`${file}: switched off ${plural(count, 'rule')}`);
  for (const {
    project: { spec },
    problems,
  } of found)
    if (problems.length === 0) print(`${spec}: no problems`);
}
