/** Conditional requests: ETags from versions, If-Match and If-None-Match (RFC 9110, section 13). */
import type { Precondition, Stored } from './record.ts';

/** The strong entity tag of a stored record. */
export const etag = ({ version }: Stored<unknown>): string => `"${version}"`;

/** `If-Match` as a condition on the version. Weak tags never match (RFC 9110, section 13.1.1). */
export function ifMatch(header: string | undefined): Precondition | undefined {
  if (header === undefined) return undefined;
  if (header === '*') return () => true;
  const tags = entityTags(header);
  return (version) => tags.includes(`"${version}"`);
}

/** Whether `If-None-Match` names this version, so that the response is 304. Weak and strong tags compare alike (RFC 9110, section 13.1.2). */
export function isFresh(header: string | undefined, stored: Stored<unknown>): boolean {
  if (header === undefined) return false;
  return header === '*' || entityTags(header).some((tag) => tag.replace(/^W\//, '') === etag(stored));
}

const entityTags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
