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
  // A reference to another host has no path of this server (RFC 3986, section 4.2).
  for (const [name, value] of [
    ['Location', '//example.com/pets'],
    ['Content-Location', '//example.com/pets'],
    ['Link', '<//example.com/pets>; rel="next"'],
  ] as const)
    expect(belowBase(HeaderFields.of({ [name]: value }), base).list).toEqual([name, value]);
  expect(belowBase(HeaderFields.of({ 'Content-Location': '/pets' }), base).list).toEqual(['Content-Location', `${base}/pets`]);
  expect(withoutBaseBefore('location', `${base}/pets/1`, base)).toBe('/pets/1');
});
