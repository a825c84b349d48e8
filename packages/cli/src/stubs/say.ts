/** What was added, and what is dead, in words: each with its place, and what to do next. */
import type { Dead } from './dead.ts';
import { label } from './operations.ts';
import type { StubReport } from './stubs.ts';

/** The report as lines. */
export function sayStubs({ handlers, tests, dead }: StubReport): string[] {
  const lines = [
    ...dead.flatMap(sayDead),
    ...handlers.map(({ operation, place }) => `${place} ${operation.id} (${label(operation)}) answers 501: write it there`),
    ...tests.map(({ operation, place }) => `${place} the test of ${operation.id} fails until its calls are written there`),
  ];
  return lines.length === 0 ? ['every operation of the spec has a handler, and every handler an operation'] : lines;
}

function sayDead({ id, renamed, handlers, tests }: Dead): string[] {
  const [what, todo] =
    renamed === undefined
      ? ['the spec has no operation', 'remove it, or give the spec its operation back']
      : [`${label(renamed)} is now called ${renamed.id}, not`, `rename it to ${renamed.id}`];
  return [
    ...handlers.map((place) => `${place} ${what} ${id}: this handler is dead; ${todo}`),
    ...tests.map((place) => `${place} ${what} ${id}: so is this test`),
  ];
}
