/** The README names every export. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as webhooks from '@specwright/accounts/webhooks';

const readme = readFileSync(new URL('../../src/webhooks/README.md', import.meta.url), 'utf8');

test('names every function and constant of the package', () => {
  expect(Object.keys(webhooks).filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
});
