/** `specwright add-operation`, `add-resource`, `add-migration`: what is added to a project for its contract. */
import { defineCommand, plural, UsageError, print } from '@specwright/server/command';
import { CONTRACT_OPTION, selectContract } from '../select-contracts.ts';
import { readProject } from '../project-config.ts';

/** `specwright add-operation` */
export const operation = defineCommand({
  description:
    'Gives each operation without a handler one that answers 501, and a test that fails until it is written. Renames the\nhandler and the test of an operation that has only another operationId, and names those of operations that are gone.',
  options: {
    contract: CONTRACT_OPTION,
    'no-tests': { type: 'boolean', description: 'leaves the table of contract tests unchanged' },
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
  },
  examples: ['specwright add-operation', 'specwright add-operation --no-tests'],
  failure: 'the spec has problems, or the handlers are not composed where they are expected',
  async run({ values }) {
    const { readDocument } = await import('@specwright/contract/document');
    const { generate, generatedForm } = await import('../generate/generate.ts');
    const { writeGenerated } = await import('../generate/generated-files.ts');
    const { addStubs, formatStubs } = await import('../stubs/add-stubs.ts');
    const project = selectContract(readProject(), values);
    const spec = readDocument(project.spec);
    // Before they are written: the generated files of before tell a renamed operation from a removed one.
    const files = await generate(spec, generatedForm(project.generated));
    const report = await addStubs({ project, spec, tests: !values['no-tests'] });
    for (const path of writeGenerated(project.root, files, project.generated)) print(`wrote ${path}`);
    for (const line of formatStubs(report)) print(line);
  },
});

/** `specwright add-resource` */
export const resource = defineCommand({
  description:
    'Adds a noun with its operations (list, create, read, replace, change, delete), schemas, table, store, handlers and contract\ntests, and generates. Each PROPERTY is name:type, with ? at the end if it is optional; types: string, integer, number, decimal,\nboolean, date, date-time, email, uri, uuid, the values of an enum (status:active|closed), or a noun that it refers to (category:categories).\nAll or nothing: what is taken is refused before anything is written.',
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
    for (const path of written) print(`wrote ${path}`);
    for (const note of notes) print(`note: ${note}`);
    print(`Next: read them, then \`TEST_OPERATIONS=${operations.join(',')} npm test -- ./${project.contractTests}\`.`);
  },
});

/** `specwright add-migration` */
export const migration = defineCommand({
  description:
    'Writes the migration that brings the tables to the contract: tables of the schema map, columns for new properties, changed\nlimits. It is registered and tried on a new database; yours gets it when the server starts. What it cannot decide it\nnames. No file is overwritten.',
  options: {
    contract: CONTRACT_OPTION,
    name: { type: 'string', value: 'NAME', description: 'what its file is called after the number (default: what it changes)' },
    fill: {
      type: 'string',
      value: 'TABLE.COLUMN=VALUE',
      description: 'what existing rows get in a column that requires a value',
    },
  },
  examples: ['specwright add-migration --name pet_colour', 'specwright add-migration --fill pets.colour=brown'],
  failure: 'something is left to decide, or the migration does not run',
  async run({ values }) {
    const { name, fill } = values;
    if (name !== undefined && !/^[a-z][a-z0-9_]*$/.test(name))
      throw new UsageError('--name must be lower-case letters, digits and underscores');
    const [, column, value] = /^(\w+\.\w+)=([^]*)$/.exec(fill ?? '') ?? [];
    if (fill !== undefined && column === undefined) throw new UsageError('--fill must be TABLE.COLUMN=VALUE, as in pets.nickname=none');
    const { addMigration } = await import('../migrations/add-migration.ts');
    const project = selectContract(readProject(), values);
    const report = await addMigration(project, { name, fill: new Map(column === undefined ? [] : [[column, value ?? '']]) });
    const { file, written, undecided, notes, problems } = report;
    for (const path of written) print(`wrote ${path}`);
    for (const note of notes) print(`note: ${note}`);
    if (undecided.length > 0) throw new Error(['to be decided:', ...undecided.map((line) => `  ${line}`)].join('\n'));
    if (problems.length > 0)
      throw new Error([`${plural(problems.length, 'difference')} left:`, ...problems.map((line) => `  ${line}`)].join('\n'));
    if (file === undefined) print('the database has what the contract has: there is no migration to write');
    else print(`Next: read ${file}, then name the new columns in their stores, where \`npm run typecheck\` says.`);
  },
});
