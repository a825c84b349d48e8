/** The names of formats that stand for patterns in compiled schemas, and the patterns in their messages. */

/** The format that stands for a pattern which the schema compilers are not given themselves. */
export const patternFormat = (pattern: string, maxLength = Infinity): string => `pattern of at most ${maxLength}: ${pattern}`;

/** The formats of texts, and of names of properties, that are short enough for a pattern which is not proven linear. */
export const boundedTextFormat = (pattern: string, maxText: number): string => `text of at most ${maxText} for ${pattern}`;
export const boundedNameFormat = (pattern: string, maxText: number): string => `name of at most ${maxText} for ${pattern}`;

/** The message of a schema compiler, where the format that stands for a pattern becomes the pattern. */
export function namePattern(message: string): string {
  const [, kind, most, pattern] = /^must match format "(text|name) of at most (\d+) for ([^]*)"$/.exec(message) ?? [];
  if (kind !== undefined)
    return `${kind === 'name' ? 'names of properties ' : ''}must be at most ${most} characters long, because the pattern "${pattern}" is not proven to take linear time`;
  return message.replace(/must match format "pattern of at most [^:"]+: /, 'must match pattern "');
}
