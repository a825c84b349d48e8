/** `specwright lint-baseline` */
import { readFileSync } from 'node:fs';
import { defineCommand, plural } from '@specwright/server/command';
import { CONTRACTS_OPTION, forEachContract, selectContracts } from '../select-contracts.ts';
import { readProject } from '../project-config.ts';
import type { SpecProblems } from '../lint/switch-off-rules.ts';

export const command = defineCommand({
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
    for (const [file, count] of switchOffRules(found)) console.log(`${file}: switched off ${plural(count, 'rule')}`);
    for (const {
      project: { spec },
      problems,
    } of found)
      if (problems.length === 0) console.log(`${spec}: no problems`);
  },
});
