/** The report of `add-operation`: each stub and each obsolete handler with its location, and what to do next. */
import type { StubReport } from './add-stubs.ts';
import type { ObsoleteHandler } from './obsolete-handlers.ts';
import { isRenamable } from './rename-handlers.ts';
import { formatOperation } from './spec-operations.ts';

/** The report as lines. */
export function formatStubs({ handlers, tests, obsolete, renamed }: StubReport): string[] {
  const lines = [
    ...renamed.flatMap(formatRenamed),
    ...obsolete.flatMap(formatObsolete),
    ...handlers.map(
      ({ operation, location }) => `${location} ${operation.id} (${formatOperation(operation)}) answers 501: implement it there`,
    ),
    ...tests.map(({ operation, location }) => `${location} the test of ${operation.id} fails until its calls are written there`),
  ];
  return lines.length === 0 ? ['every operation of the spec has a handler, and every handler an operation'] : lines;
}

/** What has no operation any more, and what to do with it. */
export function formatObsolete({ id, renamed, handlers, tests }: ObsoleteHandler): string[] {
  const [problem, fix] =
    renamed === undefined
      ? [`the spec has no operation ${id}`, 'remove it, or restore the operation']
      : [`${formatOperation(renamed)} is now called ${renamed.id}, not ${id}`, `rename it to ${renamed.id}`];
  return [
    ...handlers.map(({ location }) => `${location} ${problem}: this handler is obsolete; ${fix}`),
    ...tests.map(({ location }) => `${location} ${problem}: this test is obsolete; ${fix}`),
  ];
}

/** What was renamed, and where the former name still is. */
function formatRenamed({ id, renamed, handlers, tests }: ObsoleteHandler): string[] {
  const now = renamed?.id ?? id;
  return [...handlers, ...tests].map((mention) =>
    isRenamable(mention) ? `${mention.location} renamed ${id} to ${now}` : `${mention.location} ${id} is now called ${now}: rename it here`,
  );
}
