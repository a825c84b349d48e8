/** `specwright lint` */
import type { LintProblem } from '../lint/lint-problem.ts';
import { defineCommand, plural } from '@specwright/server/command';
import { CONTRACTS_OPTION, forEachContract, selectContracts } from '../select-contracts.ts';
import { configFile, displayPath, readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Reports what Redocly, Spectral with the OWASP rules, and rules against differences of types and validation find in the\nspec, each problem with its location, reason and fix. A rule is switched off in redocly.yaml, spectral.ts or\ncontract-rules.yaml of the configuration folder; for one of several specs, in the folder of its name there.',
  options: {
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
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
      if (!values.json) for (const problem of problems) console.log(`${formatLintProblem(file, problem)}\n`);
      if (problems.length > 0) {
        const files = ['redocly.yaml', 'spectral.ts', 'contract-rules.yaml']
          .map((name) => displayPath(configFile(contract, name)))
          .join(', ');
        throw new Error(
          `${plural(problems.length, 'problem')} in ${file}: fix the spec, or switch the rule off with its reason in ${files}`,
        );
      }
      if (!values.json) console.log(`${file}: no problems`);
    });
    await linted.finally(() => {
      if (values.json && listed !== undefined) console.log(JSON.stringify(listed, null, 2));
    });
  },
});
