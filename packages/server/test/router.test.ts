/** Which template a path matches, and what its parameters are. */
import { expect, test } from '@jest/globals';
import { createRouter } from '../src/pipeline/router.ts';

const find = createRouter(
  [
    '/',
    '/pets',
    '/pets/',
    '/pets/{petId}',
    '/pets/mine',
    '/pets/{petId}/photos',
    '/pets/{id}/owner',
    '/files/{name}.json',
    '/files/{name}',
    '/jobs/{id}:cancel',
    '/a+b(c)',
    '/{org}/x',
  ].map((template) => [template, template] as const),
);

test.each<[path: string, template: string, parameters: Record<string, string>]>([
  ['/', '/', {}],
  ['/pets', '/pets', {}],
  ['/p%65ts', '/pets', {}],
  ['/pets/', '/pets/', {}],
  ['/pets/7', '/pets/{petId}', { petId: '7' }],
  ['/pets/mine', '/pets/mine', {}],
  ['/pets/mine/photos', '/pets/{petId}/photos', { petId: 'mine' }],
  ['/pets/7/owner', '/pets/{id}/owner', { id: '7' }],
  ['/pets/a%2Fb', '/pets/{petId}', { petId: 'a/b' }],
  ['/pets/%20', '/pets/{petId}', { petId: ' ' }],
  ['/pets/a%0Ab', '/pets/{petId}', { petId: 'a\nb' }],
  ['/files/a.json', '/files/{name}.json', { name: 'a' }],
  ['/files/a.txt', '/files/{name}', { name: 'a.txt' }],
  ['/jobs/7:cancel', '/jobs/{id}:cancel', { id: '7' }],
  ['/a+b(c)', '/a+b(c)', {}],
  ['/pets/x', '/pets/{petId}', { petId: 'x' }],
  ['/cats/x', '/{org}/x', { org: 'cats' }],
])('%s is %s', (path, template, parameters) => {
  expect(find(path)).toEqual({ entry: template, parameters });
});

test.each(['/Pets', '/pets/7/', '/pets/7/photos/1', '//pets', '/jobs/7', '/files/', ''])('%j is nothing', (path) => {
  expect(find(path)).toBeUndefined();
});

test('a path that is not percent-encoded UTF-8 is an error', () => {
  expect(() => find('/pets/%ff')).toThrow(URIError);
});

test('a path among ten thousand costs what one among ten costs', () => {
  const router = (count: number) => createRouter(Array.from({ length: count }, (_, i) => [`/things${i}/{id}`, i] as const));
  const time = (lookup: ReturnType<typeof router>, path: string) => {
    const started = performance.now();
    for (let i = 0; i < 20_000; i++) lookup(path);
    return performance.now() - started;
  };
  const [few, many] = [router(10), router(10_000)];
  time(few, '/things9/1');
  time(many, '/things9999/1');
  // Ten times is far from a thousand times, and far enough from the noise of a shared machine.
  expect(time(many, '/things9999/1')).toBeLessThan(10 * time(few, '/things9/1') + 20);
});
