/** `specwright fuzz` */
import { defineCommand, UsageError } from '@specwright/server/command';
import { CONTRACT_OPTION, selectContract } from '../select-contracts.ts';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Starts the server of the project with an empty embedded database, lets the module at specwright.fuzz of package.json\nprepare it, and runs schemathesis with schemathesis.toml of the configuration folder. Needs uv, pipx or Python 3.11.',
  options: {
    contract: CONTRACT_OPTION,
    main: { type: 'string', value: 'FILE', description: 'the module that starts the server (default: specwright.main)' },
    base: { type: 'string', value: 'PATH', description: 'where it serves the contract, such as /v1 (default: at the root)' },
    seed: { type: 'string', value: 'N|random', description: 'the seed of the generated values (default: 1)' },
    'max-examples': { type: 'string', value: 'N', description: 'examples per operation (default: as in schemathesis.toml)' },
  },
  examples: ['specwright fuzz --seed random --max-examples 50'],
  failure: 'schemathesis reports a failure, or the server logs an error or ends',
  async run({ values }) {
    const { seed: given = '1', 'max-examples': maxExamples, main, base } = values;
    const { fuzz } = await import('../fuzz/fuzz.ts');
    const seed = given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given);
    if (!Number.isSafeInteger(seed) || seed < 0) throw new UsageError(`--seed must be a whole number or random, not ${given}`);
    await fuzz(selectContract(readProject(), values), { seed, maxExamples, main, base });
  },
});
