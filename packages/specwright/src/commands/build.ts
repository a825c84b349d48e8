/** `specwright build` and `specwright run` */
import { defineCommand, print } from '@specwright/server/command';
import { readProject } from '../project-config.ts';

/** `specwright build` */
export const buildPrograms = defineCommand({
  description:
    'Builds the programs of the project as JavaScript in .build/, for `node .build/main.js`: without a loader and without\nthe dependencies of development. `specwright run` does it by itself when a source has changed. Types are not checked.',
  options: { quiet: { type: 'boolean', description: 'says nothing if all is well' } },
  examples: ['specwright build && node .build/main.js'],
  failure: 'a source cannot be built',
  async run({ values }) {
    const { build } = await import('../build/build.ts');
    const { programs, size } = await build(readProject());
    if (!values.quiet) print(`built ${programs.join(', ')}: ${Math.ceil(size / 1024)} KiB`);
  },
});

/** `specwright run` */
export const runProgram = defineCommand({
  description:
    'Runs a program of the project, src/main.ts or one of specwright.programs in package.json, with the arguments that follow.\nIt is built first if a source has changed, and runs as JavaScript, without a loader.',
  positionals: ['FILE'],
  options: {},
  examples: ['specwright run src/main.ts --migrate'],
  failure: 'a source cannot be built, or the program fails',
  // The program `specwright` has started FILE itself: what comes here has none, or asks for help.
  async run() {
    throw new Error('start the program specwright itself, not this module: npx specwright run FILE');
  },
});
