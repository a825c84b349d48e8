/** All values of a header field, also of those that Node keeps only once. */
import type { IncomingMessage } from 'node:http';

const NONE: readonly string[] = [];

/**
 * The values of a field in the order in which they were sent.
 *
 * Node drops all but the first of repeated fields such as Authorization; they have to be seen to be refused. Its own
 * `headersDistinct` builds the values of all fields to give those of one.
 *
 * @param name in lower case.
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  let values: string[] | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] ?? '';
    if (field.length === name.length && (field === name || field.toLowerCase() === name)) (values ??= []).push(rawHeaders[i + 1] ?? '');
  }
  return values ?? NONE;
}
