/** `specwright run` */
import { defineCommand } from '@specwright/server/command';

export const command = defineCommand({
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
