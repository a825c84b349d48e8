/** The contracts of the server's type proofs and of its README are generated: they must be what the generator makes today. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const NODE_ARGUMENTS = ['--conditions=@specwright/source', '--import', 'tsx', 'packages/cli/src/main.ts'];

test.each(['types/library', 'types/weather', 'readme'])(
  'the generated files of packages/server/test/%s are up to date',
  async (name) => {
    const folder = `packages/server/test/${name}`;
    const check = ['generate', '--check', '--spec', `${folder}/openapi.yaml`, '--out', `${folder}/generated`];
    const { stdout } = await promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, ...check]);
    expect(stdout).toContain(`${folder}/generated/ is what`);
  },
  120_000,
);
