/** The pages of a list: the cursor, and the link to the next page. */
import { expect, test } from '@jest/globals';
import { pageResponse, parsePage } from '@specwright/server';

/** The sizes of the pages of a list of so many records, as a client that follows the links gets them. */
function pagesOf(count: number, limit: number): number[] {
  const records = Array.from({ length: count }, (_, i) => ({ id: i + 1 }));
  const sizes: number[] = [];
  for (let cursor: string | undefined = undefined, isLast = false; !isLast;) {
    const query: { limit: number; cursor?: string | undefined } = { limit, cursor };
    const page = parsePage(query);
    const found = records.filter(({ id }) => id > page.after).slice(0, page.limit);
    const { body, headers } = pageResponse('/things', query, found);
    sizes.push(body.length);
    cursor = /cursor=([^&>]+)>; rel="next"$/.exec(headers.Link ?? '')?.[1];
    isLast = cursor === undefined;
  }
  return sizes;
}

test.each([
  [0, [0]],
  [2, [2]],
  [3, [3]],
  [4, [3, 1]],
  [6, [3, 3]],
  [7, [3, 3, 1]],
])('a list of %d has pages of %j, and no link after the last one', (count, sizes) => {
  expect(pagesOf(count, 3)).toEqual(sizes);
});
