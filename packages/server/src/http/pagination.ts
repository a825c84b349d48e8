/** Cursors and the links to the next page. */
import { FrameworkError } from '../errors.ts';
import type { Page } from './record.ts';

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type Scalar = string | number | boolean;

/** A cursor is the id of the last record of a page, so it stays good while rows come and go. Opaque to clients. */
const encode = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url');

/** @throws AppError invalid_request if the cursor is not one of ours. */
function decode(cursor: string): number {
  const id = /^v1:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (id === undefined || !Number.isSafeInteger(Number(id)) || encode(Number(id)) !== cursor) {
    throw new FrameworkError('invalid_request', 'query/cursor is not from a Link header of this list');
  }
  return Number(id);
}

/** The page that is asked for, with one record more than it shows: its presence says that there is a next page. */
export function parsePage({ limit, cursor }: PageQuery): Page {
  return { after: cursor === undefined ? 0 : decode(cursor), limit: limit + 1 };
}

/**
 * Cuts the extra record off and links to the next page (RFC 8288), with the same filters.
 *
 * @param idOf the id that the list is ordered by.
 */
export function pageResponse<T>(
  path: string,
  query: PageQuery & Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>,
  found: T[],
  idOf: (record: T) => number,
): { body: T[]; headers: { Link?: string } } {
  const body = found.slice(0, query.limit);
  const last = body.at(-1);
  if (found.length <= query.limit || last === undefined) return { body, headers: {} };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'cursor' && value !== undefined) for (const item of [value].flat()) next.append(name, String(item));
  }
  next.append('cursor', encode(idOf(last)));
  return { body, headers: { Link: `<${path}?${next.toString()}>; rel="next"` } };
}
