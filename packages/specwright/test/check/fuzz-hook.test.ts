/** What a project says of its server to `fuzz`. */
import { expect, test } from '@jest/globals';
import { baseOf, type FuzzHook } from '../../src/fuzz/fuzz.ts';

const hook = (bases?: FuzzHook['bases']): FuzzHook => ({ prepare: async () => [], ...(bases && { bases }) });

test('the only contract is served at the root', () => {
  expect(baseOf({ contractName: undefined, fuzz: 'scripts/fuzz.ts' }, hook())).toBe('');
});

test('one of several is served where the module says', () => {
  expect(baseOf({ contractName: 'v2', fuzz: 'scripts/fuzz.ts' }, hook({ v1: '', v2: '/v2' }))).toBe('/v2');
  expect(baseOf({ contractName: 'v1', fuzz: 'scripts/fuzz.ts' }, hook({ v1: '', v2: '/v2' }))).toBe('');
});

test('a contract is served where the command line says', () => {
  expect(baseOf({ contractName: undefined, fuzz: undefined }, hook(), '/api')).toBe('/api');
  expect(baseOf({ contractName: 'v2', fuzz: 'scripts/fuzz.ts' }, hook({ v2: '/v2' }), '/api')).toBe('/api');
});

test('one of several of which the module does not say it is refused', () => {
  expect(() => baseOf({ contractName: 'v2', fuzz: 'scripts/fuzz.ts' }, hook({ v1: '' }))).toThrow(
    "scripts/fuzz.ts does not say where v2 is served: export const bases = { 'v2': '/v2' }",
  );
  expect(() => baseOf({ contractName: 'v2', fuzz: undefined }, hook())).toThrow(
    'the module at specwright.fuzz in package.json does not say',
  );
});
