/** `specwright add-resource` */
import { defineCommand } from '@specwright/server/command';
import { CONTRACT_OPTION, selectContract } from '../select-contracts.ts';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Adds a noun with its operations (list, create, read, replace, change, delete), schemas, table, store, handlers and contract\ntests, and generates. Each PROPERTY is name:type, with ? at the end if it is optional; types: string, integer, number, boolean,\ndate, date-time, email, uri, uuid, the values of an enum (status:active|closed), or a noun that it refers to (category:categories).\nAll or nothing: what is taken is refused before anything is written.',
  positionals: ['NOUN', '[PROPERTY...]'],
  options: {
    contract: CONTRACT_OPTION,
    schema: { type: 'string', value: 'NAME', description: 'the schema of its records: one of the spec, or what the new one is called' },
    tag: { type: 'string', value: 'TAG', description: 'the tag of its operations (default: a new one, if operations have tags)' },
    'allow-dirty': { type: 'boolean', description: 'changes files with uncommitted changes too' },
  },
  examples: [
    "specwright add-resource suppliers name:string email:email? 'status:active|closed' category:categories?",
    'specwright add-resource suppliers --schema Supplier',
  ],
  failure: 'a name is taken, or the project is not as expected: nothing was changed',
  async run({ values, positionals: [noun = '', ...properties] }) {
    const { addResource } = await import('../resource/add-resource.ts');
    const { schema, tag } = values;
    const project = selectContract(readProject(), values);
    const { written, operations, notes } = await addResource(project, {
      noun,
      schema,
      properties,
      tag,
      allowDirty: values['allow-dirty'],
    });
    for (const path of written) console.log(`wrote ${path}`);
    for (const note of notes) console.log(`note: ${note}`);
    console.log(`Next: read them, then \`TEST_OPERATIONS=${operations.join(',')} npm test -- ./${project.contractTests}\`.`);
  },
});
