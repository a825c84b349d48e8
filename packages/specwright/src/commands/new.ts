/** `specwright new` */
import { defineCommand } from '@specwright/server/command';

export const command = defineCommand({
  description:
    'Makes a project that serves an OpenAPI document: the contract, generated code, a handler for each operation that\nanswers 501, tests, CI and a database. It depends on the packages of specwright:\non their versions, or on tarballs in its folder vendor/ where this program is a checkout or was installed from such.\nDIR is empty or does not exist yet.',
  positionals: ['DIR'],
  options: {
    spec: {
      type: 'string',
      value: 'FILE',
      required: true,
      description: 'an OpenAPI document, YAML or JSON, in one file or split by $ref',
    },
    name: { type: 'string', value: 'NAME', description: 'the name of the project (default: that of the folder)' },
    accounts: {
      type: 'boolean',
      description: 'with accounts: API keys by its security schemes, plans, exact limits, bans, administration',
    },
    'no-install': { type: 'boolean', description: 'writes the files alone, and lists the commands that remain' },
  },
  examples: ['specwright new ../their-api --spec ./their.yaml', 'specwright new pay --spec pay.json --accounts'],
  failure: 'the document cannot be served, or a step in the new project failed',
  async run({ values, positionals: [target = ''] }) {
    const { newProject } = await import('../new/new-project.ts');
    await newProject({ target, spec: values.spec, name: values.name, accounts: values.accounts, install: !values['no-install'] });
  },
});
