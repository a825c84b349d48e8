/** `specwright new` */
import { defineCommand, UsageError } from '@specwright/server/command';
import { OUTSIDE_OPTION } from '../select-contracts.ts';

export const command = defineCommand({
  description:
    'Makes a project that serves an OpenAPI document: the contract, generated code, a handler for each operation that\nanswers 501, tests, CI and a database. It depends on the packages of specwright:\non their versions, or on tarballs in its folder vendor/ where this program is a checkout or was installed from such.\nDIR is empty, has only .git, or does not exist yet.\nWith --example it is a small project to read instead, by default in a folder of that name.',
  positionals: ['[DIR]'],
  options: {
    spec: {
      type: 'string',
      value: 'FILE',
      description: 'an OpenAPI document, YAML or JSON, in one file or split by $ref',
    },
    example: { type: 'string', value: 'NAME', description: 'copies an example, such as hello; any other name lists all' },
    name: { type: 'string', value: 'NAME', description: 'the name of the project (default: that of the folder)' },
    accounts: {
      type: 'boolean',
      description: 'with accounts: API keys by its security schemes, plans, exact limits, bans, administration',
    },
    'allow-outside': OUTSIDE_OPTION,
    'no-install': { type: 'boolean', description: 'writes the files alone, and lists the commands that remain' },
  },
  examples: [
    'specwright new ../their-api --spec ./their.yaml',
    'specwright new pay --spec pay.json --accounts',
    'specwright new --example hello',
  ],
  failure: 'the document cannot be served, or a step in the new project failed',
  async run({
    values: { spec, example, name, accounts, 'no-install': noInstall, 'allow-outside': allowOutside },
    positionals: [target, ...more],
  }) {
    if (more.length > 0) throw new UsageError(`unexpected argument ${more.join(' ')}`);
    if (example !== undefined) {
      const other = Object.entries({ spec, name, accounts, 'allow-outside': allowOutside }).find(
        ([, value]) => value !== undefined && value !== false,
      );
      if (other !== undefined) throw new UsageError(`--${other[0]} is not for an example`);
      const { newExample } = await import('../new/new-example.ts');
      return newExample({ example, target: target ?? example, install: !noInstall });
    }
    const missing = [...(target ? [] : ['DIR']), ...(spec ? [] : ['--spec FILE'])];
    if (!target || !spec) throw new UsageError(`missing ${missing.join(', ')}`);
    const { newProject } = await import('../new/new-project.ts');
    await newProject({ target, spec, name, accounts, allowOutside, install: !noInstall });
  },
});
