/** Which coding a client prefers for a response (RFC 9110, section 12.5.3). */

/** The codings that responses can have, the better one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** @param accept the field `Accept-Encoding`. @param offered the better one first. @returns `undefined` for a response that must not be encoded. */
export function preferredCoding(accept: string | undefined, offered: readonly ContentCoding[] = CODINGS): ContentCoding | undefined {
  if (accept === undefined) return undefined;
  const weights = weightsOf(accept);
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  let preferred: ContentCoding | undefined;
  for (const coding of offered)
    if (weightOf(coding) > Math.max(0, preferred === undefined ? 0 : weightOf(preferred)) && weightOf(coding) >= identity)
      preferred = coding;
  return preferred;
}

/** The weights of what a field such as `Accept` lists, by its names in lower case (RFC 9110, section 12.4.2). */
export const weightsOf = (field: string): ReadonlyMap<string, number> => new Map(field.split(',').map(readWeight));

function readWeight(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';');
  const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find((found) => found !== undefined);
  return [coding.trim().toLowerCase(), weight === undefined ? 1 : Number(weight)];
}
