/**
 * A test file that asks for it gets separate modules, which can be replaced.
 *
 * @jest-environment node
 */
import { expect, jest, test } from '@jest/globals';

test('can replace a module', async () => {
  jest.unstable_mockModule('../support/service/client.ts', () => ({ replaced: true }));
  expect(await import('../support/service/client.ts')).toMatchObject({ replaced: true });
});
