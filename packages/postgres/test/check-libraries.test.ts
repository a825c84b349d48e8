/** A version of `pg` or Knex that lacks what is used beside its types is refused at the start, by name. */
import { expect, test } from '@jest/globals';
import { checkParts, missingParts } from '../src/connection/check-libraries.ts';

test('the installed versions have everything', () => {
  expect(missingParts()).toEqual([]);
  expect(() => checkParts()).not.toThrow();
});

test('what is missing is named, with what to do', () => {
  const parts = [['pg: Query', { prepare: () => undefined }, ['prepare', 'submit', 'handleError']]] as const;
  expect(missingParts(parts)).toEqual(['pg: Query.submit', 'pg: Query.handleError']);
  expect(() => checkParts(parts)).toThrow(
    'the installed libraries lack what @specwright/postgres needs: pg: Query.submit, pg: Query.handleError. Install the versions that its peerDependencies name',
  );
});
