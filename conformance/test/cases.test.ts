/** What every case of the suite has: an operation, a source, and a request that no other case sends. */
import { expect, test } from '@jest/globals';
import { GROUPS } from '../src/groups.ts';

const cases = GROUPS.flatMap((group) => group.cases);

const repeated = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) !== at);

test('there are a thousand, half of them from elsewhere', () => {
  expect(cases.length).toBeGreaterThanOrEqual(1_000);
  expect(cases.filter(({ source }) => source.from !== undefined).length).toBeGreaterThanOrEqual(cases.length / 2);
});

test('each has an id and a request that no other has', () => {
  expect(repeated(cases.map(({ id }) => id))).toEqual([]);
  expect(repeated(cases.map(({ request }) => request)).map((request) => request.slice(0, 200))).toEqual([]);
});

test('each names the standard, its section and its sentence, and accepts an answer', () => {
  const isComplete = ({ source: { standard, section, sentence }, accepts }: (typeof cases)[number]): boolean =>
    [standard, section, sentence].every((text) => text !== '') && accepts.length > 0;
  expect(cases.filter((tried) => !isComplete(tried)).map(({ id }) => id)).toEqual([]);
});

test.each(GROUPS)('the paths of $name are its own, and its cases are of its operations', ({ name, document, cases: own }) => {
  expect(Object.keys(document.paths).filter((path) => !path.startsWith(`/${name}/`))).toEqual([]);
  const text = JSON.stringify(document.paths);
  expect(own.filter(({ operationId }) => !text.includes(`"operationId":"${operationId}"`)).map(({ id }) => id)).toEqual([]);
  expect(own.filter(({ id }) => !id.startsWith(`${name}/`)).map(({ id }) => id)).toEqual([]);
});

test('no operationId is used in two documents', () => {
  const ids = GROUPS.flatMap(({ document }) =>
    [...JSON.stringify(document.paths).matchAll(/"operationId":"([^"]*)"/gu)].map(([, id = '']) => id),
  );
  expect(repeated(ids)).toEqual([]);
});
