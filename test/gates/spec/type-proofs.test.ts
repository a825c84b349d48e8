/** The contracts of the server's type proofs and of its README are generated: they must be what the generator makes today. */
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { withCommands } from '../../support/projects/commands.ts';

const command = withCommands();

test.each(['types/library', 'types/scopes', 'types/streams', 'types/weather', 'readme'])(
  'the generated files of packages/server/test/%s are up to date',
  async (name) => {
    const folder = `packages/server/test/${name}`;
    const check = ['generate', '--check', '--spec', `${folder}/openapi.yaml`, '--out', `${folder}/generated`];
    expect(await command(resolve('.'), ...check)).toEqual({ code: 0, output: expect.stringContaining(`${folder}/generated/ is what`) });
  },
  scaleTimeout(60_000),
);
