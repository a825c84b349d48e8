/** Normalizes `pattern` and `patternProperties`: a pattern that the compiler cannot read, or must not run on any text, becomes a format. */
import { isObject } from '../document/openapi.ts';
import { boundedNameFormat, boundedTextFormat, patternFormat } from '../patterns/pattern-format.ts';
import { compilePattern } from '../patterns/pattern.ts';
import { boundedExpression, type PatternTest, patternTestOf, testUpTo } from '../patterns/pattern-test.ts';
import { isLonger } from '../patterns/text-length.ts';
import { namePatterns } from './named-properties.ts';
import { addParts, type CompilerSchema, type TextFormat } from './schema-reference.ts';

export { boundedExpression };

/**
 * The names' patterns as ECMAScript spells them; one that cannot be read matches no name. Names that are too long for a pattern which is not
 * proven linear are refused, unless `propertyNames` refuses them.
 */
export function addNamePatterns(
  result: CompilerSchema,
  given: Readonly<Record<string, unknown>>,
  patterns: Map<string, TextFormat>,
  property: (schema: unknown) => CompilerSchema,
): void {
  const read = Object.entries(namePatterns(given)).flatMap(([pattern, schema]) => {
    const { source, unicode } = compilePattern(pattern) ?? {};
    return source !== undefined && unicode === true ? [{ pattern, source, schema }] : [];
  });
  if (read.length === 0) return;
  result['patternProperties'] = Object.fromEntries(read.map(({ source, schema }) => [source, property(schema)]));
  const bounds = read.map(({ pattern }) => ({ pattern, maxText: patternTestOf(pattern)?.maxText ?? Infinity }));
  const [least] = bounds.sort((a, b) => a.maxText - b.maxText);
  const { propertyNames } = given;
  const declared = isObject(propertyNames) && typeof propertyNames['maxLength'] === 'number' ? propertyNames['maxLength'] : Infinity;
  if (least === undefined || declared <= least.maxText) return;
  const format = addBound(boundedNameFormat(least.pattern, least.maxText), least.maxText, patterns);
  addParts(result, 'allOf', [{ propertyNames: { format } }]);
}

/**
 * The compiler reads patterns with the flag `u`. One that it cannot read, or must not run on any text, becomes a format: that with a
 * `maxLength` beside it, and that which is not proven linear.
 */
export function addPattern(
  result: CompilerSchema,
  { pattern, maxLength }: Readonly<Record<string, unknown>>,
  patterns: Map<string, TextFormat>,
): void {
  if (typeof pattern !== 'string') return;
  const read = compilePattern(pattern);
  if (read === undefined) return;
  const declared = typeof maxLength === 'number' ? maxLength : Infinity;
  const tested = patternTestOf(pattern) as PatternTest;
  const { maxText } = tested;
  const longest = Math.min(declared, maxText);
  if (read.unicode && read.source === pattern && longest === Infinity) {
    result['pattern'] = pattern;
    return;
  }
  const name = patternFormat(pattern, longest);
  // Longer texts pass, because they are refused by `maxLength` or the bound: the problem is reported once.
  patterns.set(name, { test: testUpTo(longest, tested), expression: tested.expression });
  addParts(result, 'allOf', [{ format: name }]);
  if (declared > maxText) addParts(result, 'allOf', [{ format: addBound(boundedTextFormat(pattern, maxText), maxText, patterns) }]);
}

function addBound(format: string, maxText: number, patterns: Map<string, TextFormat>): string {
  patterns.set(format, { test: (text) => !isLonger(text, maxText) });
  return format;
}
