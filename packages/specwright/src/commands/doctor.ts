/** `specwright doctor` */
import { resolve } from 'node:path';
import { defineCommand, plural, print } from '@specwright/server/command';

export const command = defineCommand({
  description:
    'Looks at what a start does not say by itself: packages, the database, what is between, its migrations, disk and memory. Each\nline is ok, warning or problem, with the one next step. It changes nothing, and asks nobody outside but the database.',
  options: {},
  examples: ['specwright doctor', 'DATABASE_URL=postgres://ada:secret@localhost/pets specwright doctor'],
  failure: 'there is a problem',
  async run() {
    const { readProject } = await import('../project-config.ts');
    const { checkDatabase, checkDisk, checkInstalled, checkMemory, formatResult, runCheck } = await import('../doctor/checks.ts');
    const root = process.cwd();
    const results = [
      await runCheck('packages', () => checkInstalled(root)),
      ...(await checkDatabase(readProject(root))),
      await runCheck('disk', () => checkDisk(resolve(root, process.env['DATA_DIR'] ?? '.data'))),
      await runCheck('memory', () => checkMemory()),
    ];
    for (const result of results) print(formatResult(result));
    const problems = results.filter(({ state }) => state === 'problem');
    if (problems.length > 0) throw new Error(`${plural(problems.length, 'problem')}: ${problems.map(({ name }) => name).join(', ')}`);
  },
});
