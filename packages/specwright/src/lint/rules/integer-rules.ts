/** Rules of integers that a number of JavaScript cannot hold exactly. */
import {
  boundsOf,
  declaredDefault,
  formatOf,
  INT64_EXTENSION,
  int64ChoiceOf,
  isBigInteger,
  typeOf,
  valuesOf,
  type Document,
  type Schema,
} from '@specwright/contract/document';
import type { Keys } from '../collect-nodes.ts';
import type { Rule, RuleProblem } from './rule.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

export const INTEGER_RULES: readonly Rule[] = [
  {
    name: 'safe-integer',
    reason: 'JSON.parse silently rounds integers beyond 2^53 - 1, so another number is stored than was sent.',
    fix: `Stay within ${SAFE}; or choose x-int64: bigint with format: int64; or use a string with a pattern.`,
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        if (typeOf(value) !== 'integer' || isBigInteger(value)) continue;
        for (const [keyword, bound] of numbersOf(value)) {
          if (typeof bound === 'number' && Math.abs(bound) > SAFE)
            yield { path: [...path, keyword], message: `${keyword} is beyond the safe integers` };
        }
      }
    },
  },
  {
    name: 'int64-maximum',
    reason: `A number holds integers up to ${SAFE} exactly: greater ones, which the contract allows, are refused with 400.`,
    fix: `Add maximum: ${SAFE}; or x-int64: bigint, with which handlers get and give bigint.`,
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        if (typeOf(value) !== 'integer' || formatOf(value) !== 'int64' || isBigInteger(value)) continue;
        // A maximum that is greater is a problem of `safe-integer`.
        if (boundsOf(value).upper === undefined && valuesOf(value) === undefined)
          yield { path: [...path, 'format'], message: `int64 without a maximum of ${SAFE} or x-int64` };
      }
    },
  },
  {
    name: 'x-int64',
    reason: 'Only `bigint`, for integers, has a meaning: anything else is ignored, and handlers get a number.',
    fix: 'Write x-int64: bigint, at a schema with type: integer or at the root of the document.',
    *check({ document, schemas }): Generator<RuleProblem> {
      const parts: { value: Document | Schema; path: Keys; isInteger: boolean }[] = [
        { value: document, path: [], isInteger: true },
        ...schemas.map(({ value, path }) => ({ value, path, isInteger: typeOf(value) === 'integer' })),
      ];
      for (const { value, path, isInteger } of parts) {
        const choice = int64ChoiceOf(value);
        if (choice === undefined) continue;
        const at = [...path, INT64_EXTENSION];
        if (choice !== 'bigint') yield { path: at, message: `x-int64 must be bigint, not ${JSON.stringify(choice)}` };
        else if (!isInteger) yield { path: at, message: 'x-int64 at a schema without type: integer' };
      }
    },
  },
];

/** The numbers that a schema of integers names. */
function numbersOf(schema: Schema): (readonly [keyword: string, value: unknown])[] {
  const { lower, upper } = boundsOf(schema);
  return [
    ...[lower, upper].flatMap((bound) => (bound ? [[bound.keyword, bound.value] as const] : [])),
    ['default', declaredDefault(schema)],
  ];
}
