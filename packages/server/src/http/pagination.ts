/** Pages of a list: cursors, and links to the next page. */
import { FrameworkError, type Page } from '@specwright/contract/runtime';

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type Scalar = string | number | boolean;
type ListQuery = PageQuery & Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

interface PageResponse<T> {
  body: T[];
  headers: { Link?: string };
}

/** A cursor has the id of the last record of a page, so it stays valid while rows come and go. Opaque to clients. */
const encode = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url');

/** @throws AppError invalid_request if `encode` has not made the cursor. */
function decode(cursor: string): number {
  const id = Number(/^v1:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]);
  if (!Number.isSafeInteger(id) || encode(id) !== cursor) {
    throw new FrameworkError('invalid_request', 'query/cursor is not from a Link header of this list');
  }
  return id;
}

/** The page that a query asks for, with one record more than is sent: it tells whether there is a next page. */
export function parsePage({ limit, cursor }: PageQuery): Page {
  return { after: cursor === undefined ? 0 : decode(cursor), limit: limit + 1 };
}

/**
 * The body and headers of a page: without the extra record, with a `Link` to the next page (RFC 8288) with the same filters.
 *
 * @param records those of the page of `parsePage`; @param idOf the id that the list is ordered by: `id`, if it is not given.
 */
export function pageResponse<T extends { readonly id: number }>(path: string, query: ListQuery, records: T[]): PageResponse<T>;
export function pageResponse<T>(path: string, query: ListQuery, records: T[], idOf: (record: T) => number): PageResponse<T>;
export function pageResponse<T>(
  path: string,
  query: ListQuery,
  records: T[],
  idOf = (record: T) => (record as { readonly id: number }).id,
): PageResponse<T> {
  const body = records.slice(0, query.limit);
  const last = body.at(-1);
  if (records.length <= query.limit || last === undefined) return { body, headers: {} };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'cursor' && value !== undefined) for (const item of [value].flat()) next.append(name, String(item));
  }
  next.append('cursor', encode(idOf(last)));
  return { body, headers: { Link: `<${path}?${next.toString()}>; rel="next"` } };
}
