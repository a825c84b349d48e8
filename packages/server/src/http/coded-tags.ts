/** The tags of responses that are encoded. */

const SEPARATOR = '--';

/** The tag of a response in a coding: `"1--gzip"`, as other bytes have another one (RFC 9110, section 8.8.3.3). A weak one says nothing of bytes, so it stays. */
export const codedTag = (tag: string, coding: string): string =>
  tag.startsWith('"') && tag.length > 1 && tag.endsWith('"') ? `${tag.slice(0, -1)}${SEPARATOR}${coding}"` : tag;

/** A list of tags with each as it would be without these codings, as a handler knows it. */
export function withoutCodings(tags: string, codings: readonly string[]): string {
  if (!tags.includes(SEPARATOR)) return tags;
  return codings.reduce((text, coding) => text.replaceAll(`${SEPARATOR}${coding}"`, '"'), tags);
}
