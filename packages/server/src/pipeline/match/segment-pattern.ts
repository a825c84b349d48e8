/** Matches one segment of a path with its template, such as `{name}.json` or `{x}-{y}-{z}.png`, in time that is linear in the segment. */

/** @returns the values of the parameters in their order; `undefined` if the segment does not match. */
export type MatchSegment = (segment: string) => string[] | undefined;

export interface SegmentPattern {
  /** The names of the parameters in their order. */
  readonly names: readonly string[];
  readonly match: MatchSegment;
}

const PARAMETER = /\{([^{}]+)\}/;

/**
 * A parameter has at least one character and ends where the text that follows it first occurs. If that leaves too little for the rest,
 * so does each later place: nothing is tried twice, as a regular expression would.
 *
 * @param template a segment of a path template with at least one parameter (OpenAPI 3.1.1, section 4.8.8.2).
 */
export function parseSegmentPattern(template: string): SegmentPattern {
  // Texts and names take turns: the first and the last are texts.
  const parts = template.split(PARAMETER);
  const names = parts.filter((_, index) => index % 2 === 1);
  const [prefix = '', ...between] = parts.filter((_, index) => index % 2 === 0);
  const suffix = between.pop() ?? '';
  const match = (segment: string): string[] | undefined => {
    if (!segment.startsWith(prefix) || !segment.endsWith(suffix)) return undefined;
    const end = segment.length - suffix.length;
    const values: string[] = [];
    let start = prefix.length;
    for (const text of between) {
      const next = segment.indexOf(text, start + 1);
      if (next === -1) return undefined;
      values.push(segment.slice(start, next));
      start = next + text.length;
    }
    if (start >= end) return undefined;
    values.push(segment.slice(start, end));
    return values;
  };
  return { names, match };
}
