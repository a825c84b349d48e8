/** Which origins a service may name: what a browser sends in `Origin`, written as it sends it. */

export const ANY_ORIGIN = '*';

export interface OriginProblem {
  readonly origin: string;
  readonly message: string;
}

/**
 * What is wrong with a list of origins. A browser compares none: one that is written in another way than it sends (RFC 6454,
 * section 6.2) would never be admitted.
 */
export function originProblems(origins: readonly string[]): OriginProblem[] {
  const problems = origins.flatMap((origin) => {
    const message = problemOf(origin);
    return message === undefined ? [] : [{ origin, message }];
  });
  if (problems.length === 0 && origins.includes(ANY_ORIGIN) && origins.length > 1)
    return [{ origin: ANY_ORIGIN, message: 'admits every origin: remove it, or the others' }];
  return problems;
}

function problemOf(origin: string): string | undefined {
  if (origin === ANY_ORIGIN) return undefined;
  if (origin === 'null') return 'is sent by files and sandboxed pages of anyone: name an origin';
  if (origin.includes('*')) return 'has a wildcard: name each origin';
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return 'is no origin: write "https://app.example.com"';
  return origin === url.origin ? undefined : `is not written as browsers send it: write "${url.origin}"`;
}
