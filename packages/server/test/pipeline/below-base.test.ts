/** Paths of responses below the path of a mount, whatever characters it has. */
import { expect, test } from '@jest/globals';
import { belowBase, withoutBaseBefore } from '../../src/http/below-base.ts';
import { HeaderFields } from '@specwright/contract';

test.each(['/v1', '/$&', "/$'$`$1$$", '/a.b'])('%s precedes each path as it is written, and can be removed', (base) => {
  const fields = HeaderFields.of({ Location: '/pets/1', Link: '</pets?a=1>; rel="next", </pets>; rel="first"', X: '/pets' });
  expect(belowBase(fields, base).list).toEqual([
    ...['Location', `${base}/pets/1`],
    ...['Link', `<${base}/pets?a=1>; rel="next", <${base}/pets>; rel="first"`],
    ...['X', '/pets'],
  ]);
  expect(withoutBaseBefore('location', `${base}/pets/1`, base)).toBe('/pets/1');
});
