/** The types of handlers by TypeScript 7: proofs, and messages that are short and name the operation, the status and the property. */
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { generateContracts, testTypes } from './compile-handlers.ts';

const command = generateContracts();
testTypes('node_modules/typescript-native/bin/tsc');

test("the committed files of the README's contract are what the generator makes today", async () => {
  const folder = 'packages/server/test/readme';
  const check = ['generate', '--check', '--spec', `${folder}/openapi.yaml`, '--out', `${folder}/generated`];
  expect(await command(resolve('.'), ...check)).toEqual({ code: 0, output: expect.stringContaining(`${folder}/generated/ is what`) });
});
