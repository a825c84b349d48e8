/** The contracts of the server's type proofs are generated: they must be what the generator makes of their documents today. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const NODE_ARGUMENTS = ['--conditions=@specwright/source', '--import', 'tsx', 'packages/cli/src/main.ts'];

test.each(['library', 'weather'])(
  'the generated files of %s are up to date',
  async (name) => {
    const folder = `packages/server/test/types/${name}`;
    const check = ['generate', '--check', '--spec', `${folder}/openapi.yaml`, '--out', `${folder}/generated`];
    const { stdout } = await promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, ...check]);
    expect(stdout).toContain(`${folder}/generated/ is what`);
  },
  120_000,
);
