/** Which template a path matches, and its parameters. */
import { expect, test } from '@jest/globals';
import { createRouter } from '../../src/pipeline/match/router.ts';

const find = createRouter(
  [
    '/',
    '/books',
    '/books/',
    '/books/{bookId}',
    '/books/mine',
    '/books/{bookId}/photos',
    '/books/{id}/owner',
    '/files/{name}.json',
    '/files/{name}',
    '/jobs/{id}:cancel',
    '/a+b(c)',
    '/{org}/x',
    '/tiles/{a}-{b}-{c}.json',
    '/pairs/{a}{b}',
    '/ranges/v{from}..{to}',
  ].map((template) => [template, template] as const),
);

test.each<[path: string, template: string, parameters: Record<string, string>]>([
  ['/', '/', {}],
  ['/books', '/books', {}],
  ['/b%6Foks', '/books', {}],
  ['/books/', '/books/', {}],
  ['/books/7', '/books/{bookId}', { bookId: '7' }],
  ['/books/mine', '/books/mine', {}],
  ['/books/mine/photos', '/books/{bookId}/photos', { bookId: 'mine' }],
  ['/books/7/owner', '/books/{id}/owner', { id: '7' }],
  ['/books/a%2Fb', '/books/{bookId}', { bookId: 'a/b' }],
  ['/books/%20', '/books/{bookId}', { bookId: ' ' }],
  ['/books/a%0Ab', '/books/{bookId}', { bookId: 'a\nb' }],
  ['/files/a.json', '/files/{name}.json', { name: 'a' }],
  ['/files/a.txt', '/files/{name}', { name: 'a.txt' }],
  ['/jobs/7:cancel', '/jobs/{id}:cancel', { id: '7' }],
  ['/a+b(c)', '/a+b(c)', {}],
  ['/books/x', '/books/{bookId}', { bookId: 'x' }],
  ['/cats/x', '/{org}/x', { org: 'cats' }],
  ['/tiles/1-2-3.json', '/tiles/{a}-{b}-{c}.json', { a: '1', b: '2', c: '3' }],
  ['/tiles/1-2-3-4.json.json', '/tiles/{a}-{b}-{c}.json', { a: '1', b: '2', c: '3-4.json' }],
  ['/tiles/-----.json', '/tiles/{a}-{b}-{c}.json', { a: '-', b: '-', c: '-' }],
  ['/pairs/xyz', '/pairs/{a}{b}', { a: 'x', b: 'yz' }],
  ['/ranges/v1...2', '/ranges/v{from}..{to}', { from: '1', to: '.2' }],
])('%s matches %s', (path, template, parameters) => {
  const { entry, values } = find(path) ?? {};
  expect([entry, values]).toEqual([template, Object.values(parameters)]);
});

test('keeps the encoded values, whose encoded commas are no delimiters', () => {
  expect(find('/books/a%2Cb,c')?.encoded).toEqual(['a%2Cb,c']);
  expect(find('/books/a,b')?.encoded).toBeUndefined();
});

test.each([
  '/Books',
  '/books/7/',
  '/books/7/photos/1',
  '//books',
  '/jobs/7',
  '/files/',
  '',
  '/tiles/1-2.json',
  '/tiles/1--.json',
  '/tiles/----.json',
  '/pairs/y',
  '/ranges/v..2',
])('%j matches nothing', (path) => {
  expect(find(path)).toBeUndefined();
});

test('throws for a path that is not percent-encoded UTF-8', () => {
  expect(() => find('/books/%ff')).toThrow(URIError);
});

/** The least time of five runs: what else the machine does can only add to it. */
const least = (run: () => number) => Math.min(...Array.from({ length: 5 }, run));

test('takes the same time among ten thousand paths as among ten', () => {
  const router = (count: number) => createRouter(Array.from({ length: count }, (_, i) => [`/things${i}/{id}`, i] as const));
  const timeOnce = (lookup: ReturnType<typeof router>, path: string) => {
    const started = performance.now();
    for (let i = 0; i < 4000; i++) lookup(path);
    return performance.now() - started;
  };
  const time = (...args: Parameters<typeof timeOnce>) => least(() => timeOnce(...args));
  const [few, many] = [router(10), router(10_000)];
  time(few, '/things9/1');
  time(many, '/things9999/1');
  // Ten times is far from a thousand times, and far enough from the noise of a shared machine.
  expect(time(many, '/things9999/1')).toBeLessThan(10 * time(few, '/things9/1') + 20);
});

test('decides in time that is linear in the length of a segment', () => {
  // As long as a request line may be. A regular expression would try each pair of dashes.
  for (const length of [4000, 15_000]) {
    const timeOnce = () => {
      const began = performance.now();
      expect(find(`/tiles/${'-'.repeat(length)}`)).toBeUndefined();
      expect(find(`/tiles/${'-'.repeat(length)}.json`)?.values.slice(0, 2)).toEqual(['-', '-']);
      return performance.now() - began;
    };
    expect(least(timeOnce)).toBeLessThan(100);
  }
});

test('a template that is no path matches itself alone', () => {
  const findTarget = createRouter([
    ['*', 'server'],
    ['/{id}', 'path'],
  ]);
  expect(['*', '/*', 'x', ''].map((target) => findTarget(target)?.entry)).toEqual(['server', 'path', undefined, undefined]);
});
