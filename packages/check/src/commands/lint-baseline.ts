/** `specwright lint-baseline` */
import { readFileSync } from 'node:fs';
import { defineCommand, plural } from '@specwright/server/command';
import { readProjectConfig } from '@specwright/cli/project';

export const command = defineCommand({
  description:
    'Adds each rule that the spec breaks, with the number of problems and the date, to the rules that are off in redocly.yaml,\nspectral.ts and contract-rules.yaml of the configuration folder.',
  options: {},
  examples: ['specwright lint-baseline'],
  failure: 'the spec has a problem that cannot be switched off',
  async run() {
    const { lintSpec } = await import('../lint/lint-spec.ts');
    const { switchOffRules } = await import('../lint/switch-off-rules.ts');
    const project = readProjectConfig();
    const problems = await lintSpec(project.spec, readFileSync(project.spec, 'utf8'), { project, all: true });
    for (const [file, count] of switchOffRules(project, problems)) console.log(`${file}: switched off ${plural(count, 'rule')}`);
    if (problems.length === 0) console.log(`${project.spec}: no problems`);
  },
});
