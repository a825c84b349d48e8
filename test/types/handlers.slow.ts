/** The types of handlers by TypeScript 5, and by both compilers without strict. */
import { describe } from '@jest/globals';
import { generateContracts, testLaxTypes, testTypes } from './compile-handlers.ts';

generateContracts();
testTypes('node_modules/typescript/bin/tsc');
describe.each(['typescript', 'typescript-native'])('%s', (name) => {
  testLaxTypes(`node_modules/${name}/bin/tsc`);
});
