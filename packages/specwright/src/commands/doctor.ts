/** `specwright doctor` */
import { resolve } from 'node:path';
import { defineCommand, plural } from '@specwright/server/command';
import type { NamedResult } from '../doctor/checks.ts';

export const command = defineCommand({
  description:
    'Looks at what the project needs: Node.js, packages, port, database and its migrations, generated code, Python, git, disk and\nmemory. Each line is ok, warning or problem, with the one next step. It changes nothing, and asks nobody outside but the database.',
  options: {},
  examples: ['specwright doctor', 'DATABASE_URL=postgres://ada:secret@localhost/pets specwright doctor'],
  failure: 'there is a problem',
  async run() {
    const root = process.cwd();
    const { checkInstalled, checkNode, problemOf, formatResults, nextStep, runChecks } = await import('../doctor/checks.ts');
    const first = await runChecks([
      { name: 'node', run: () => checkNode(root) },
      { name: 'packages', run: () => checkInstalled(root) },
    ]);
    // Everything else needs packages, which may be what is missing.
    const rest = await checkRest().catch((error: unknown) => [{ name: 'project', ...problemOf(error) }]);
    const results = [...first, ...rest];
    for (const line of formatResults(results, process.stdout.isTTY && process.stdout.hasColors())) console.log(line);
    const problems = results.filter(({ state }) => state === 'problem');
    if (problems.length > 0) throw new Error(`${plural(problems.length, 'problem')}; ${nextStep(results)}`);
    console.log(nextStep(results));
  },
});

async function checkRest(): Promise<NamedResult[]> {
  const { readProject } = await import('../project-config.ts');
  const { databaseChecks } = await import('../doctor/check-database.ts');
  const { checkDisk, checkGenerated, checkGit, checkMemory, checkPort, checkPython, runChecks } = await import('../doctor/checks.ts');
  const project = readProject();
  const { root, config } = project;
  return runChecks([
    { name: 'port', run: () => checkPort() },
    ...databaseChecks(project),
    ...project.contracts.map((contract) => ({
      name: ['generated', contract.contractName ?? []].flat().join(' '),
      run: () => checkGenerated(contract),
    })),
    { name: 'python', run: () => checkPython(root, `${config}/fuzz-requirements.txt`) },
    { name: 'git', run: () => checkGit(root) },
    { name: 'disk', run: () => checkDisk(resolve(root, process.env['DATA_DIR'] ?? '.data')) },
    { name: 'memory', run: () => checkMemory() },
  ]);
}
