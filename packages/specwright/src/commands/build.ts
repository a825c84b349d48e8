/** `specwright build` */
import { defineCommand } from '@specwright/server/command';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Builds the programs of the project as JavaScript in .build/, for `node .build/main.js`: without a loader and without\nthe dependencies of development. `specwright run` does it by itself when a source has changed. Types are not checked.',
  options: { quiet: { type: 'boolean', description: 'says nothing if all is well' } },
  examples: ['specwright build && node .build/main.js'],
  failure: 'a source cannot be built',
  async run({ values }) {
    const { build } = await import('../build/build.ts');
    const { programs, size } = await build(readProject());
    if (!values.quiet) console.log(`built ${programs.join(', ')}: ${Math.ceil(size / 1024)} KiB`);
  },
});
