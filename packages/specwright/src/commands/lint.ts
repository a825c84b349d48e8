/** `specwright lint` and `specwright lint-baseline` */
import { readFileSync } from 'node:fs';
import type { LintProblem } from '../lint/lint-problem.ts';
import type { SpecProblems } from '../lint/switch-off-rules.ts';
import { defineCommand, plural, print } from '@specwright/server/command';
import { CONTRACTS_OPTION, OUTSIDE_OPTION, forEachContract, selectContracts } from '../select-contracts.ts';
import { configFile, displayPath, readProject } from '../project-config.ts';

/** `specwright lint` */
export const lint = defineCommand({
  description:
    'Reports what Redocly, Spectral with the OWASP rules, and rules against differences of types and validation find in the\nspec, each problem with its location, reason and fix. A rule is switched off in redocly.yaml, spectral.ts or\ncontract-rules.yaml of the configuration folder; for one of several specs, in the folder of its name there.',
  options: {
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
    json: { type: 'boolean', description: 'prints the problems as JSON' },
  },
  examples: ['specwright lint', 'specwright lint --spec ../their.yaml --json'],
  failure: 'the spec has problems',
  async run({ values }) {
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

/** `specwright lint-baseline` */
export const lintBaseline = defineCommand({
  description:
    'Adds each rule that the spec breaks, with the number of problems and the date, to the rules that are off in redocly.yaml,\nspectral.ts and contract-rules.yaml of the configuration folder.',
  options: { contract: CONTRACTS_OPTION },
  examples: ['specwright lint-baseline'],
  failure: 'the spec has a problem that cannot be switched off',
  async run({ values }) {
    const { lintSpec } = await import('../lint/lint-spec.ts');
    const { switchOffRules } = await import('../lint/switch-off-rules.ts');
    const found: SpecProblems[] = [];
    // All before a rule is switched off: specs may share the files that list those.
    await forEachContract(selectContracts(readProject(), values), async (contract) => {
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
  },
});
