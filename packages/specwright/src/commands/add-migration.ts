/** `specwright add-migration` */
import { defineCommand, UsageError } from '@specwright/server/command';
import { CONTRACT_OPTION, selectContract } from '../select-contracts.ts';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
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
    const { plural } = await import('@specwright/server/command');
    const { addMigration } = await import('../migrations/add-migration.ts');
    const project = selectContract(readProject(), values);
    const report = await addMigration(project, { name, fill: new Map(column === undefined ? [] : [[column, value ?? '']]) });
    const { file, written, undecided, notes, problems } = report;
    for (const path of written) console.log(`wrote ${path}`);
    for (const note of notes) console.log(`note: ${note}`);
    if (undecided.length > 0) throw new Error(['to be decided:', ...undecided.map((line) => `  ${line}`)].join('\n'));
    if (problems.length > 0)
      throw new Error([`${plural(problems.length, 'difference')} left:`, ...problems.map((line) => `  ${line}`)].join('\n'));
    if (file === undefined) console.log('the database has what the contract has: there is no migration to write');
    else console.log(`Next: read ${file}, then name the new columns in their stores, where \`npm run typecheck\` says.`);
  },
});
