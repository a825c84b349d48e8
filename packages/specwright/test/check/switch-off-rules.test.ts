/** The rules that a spec breaks are switched off in the configuration of their tool, in order, each with how often it is broken. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { LintProblem } from '../../src/lint/lint-problem.ts';
import { switchOffRules } from '../../src/lint/switch-off-rules.ts';
import { TEMPLATE } from '../../src/new/template.ts';
import type { ProjectConfig } from '../../src/project-config.ts';

const problem = (tool: LintProblem['tool'], rule: string): LintProblem => ({
  ...{ line: 3, column: 5, message: 'wrong', reason: '', fix: '' },
  tool,
  rule,
});

test('lists the rules in the order of their names, and changes nothing if a problem is of none', () => {
  const root = mkdtempSync(join(tmpdir(), 'rules-'));
  try {
    cpSync(join(TEMPLATE, '.config'), join(root, '.config'), { recursive: true });
    const project = { root, config: '.config', spec: 'spec/openapi.yaml' } as ProjectConfig;
    const rules = () => readFileSync(join(root, '.config/contract-rules.yaml'), 'utf8');
    const found = ['valid-enum', 'empty-object', 'valid-enum', 'same-type'].map((rule) => problem('project', rule));

    const before = rules();
    expect(() => switchOffRules([{ project, problems: [...found, problem('contract', 'contract')] }])).toThrow(
      'spec/openapi.yaml:3:5 wrong: this rule cannot be switched off',
    );
    expect(rules()).toBe(before);

    expect(switchOffRules([{ project, problems: found }])).toEqual(new Map([['.config/contract-rules.yaml', 3]]));
    expect(rules().match(/^ {2}[\w-]+: off # \d+ problems?/gm)).toEqual([
      '  empty-object: off # 1 problem',
      '  same-type: off # 1 problem',
      '  valid-enum: off # 2 problems',
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
