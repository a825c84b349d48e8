/** Conditional requests: ETags from versions, If-Match and If-None-Match (RFC 9110, section 13). */
import type { ContractTypes, HandlerResponse, OperationId, Payload, Reply, Status } from '@specwright/contract';
import type { Precondition, Stored } from '@specwright/contract/runtime';

type Versioned = Pick<Stored<unknown>, 'version'>;

export const etag = ({ version }: Versioned): string => `"${version}"`;

interface ConditionalHeaders {
  readonly 'If-Match'?: string | undefined;
  readonly 'If-None-Match'?: string | undefined;
}

/**
 * The conditions of a request that changes a record (RFC 9110, section 13.2.2). Weak tags never match `If-Match` (section 13.1.1);
 * `*` is any record that there is.
 *
 * @param headers those of the request; an operation has the ones that the contract declares for it.
 */
export function precondition(headers: ConditionalHeaders): Precondition | undefined {
  const { 'If-Match': match, 'If-None-Match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return (version) =>
    (match === undefined || (version !== undefined && matches(match, version, entityTags))) &&
    (noneMatch === undefined || version === undefined || !matches(noneMatch, version, opaqueTags));
}

/** Whether `If-None-Match` names this version, so that the response to a read is 304. */
export function isFresh(header: string | undefined, stored: Versioned): boolean {
  return header !== undefined && matches(header, stored.version, opaqueTags);
}

/** The headers and the body of a response with a record. */
export const recordResponse = <T>(stored: Stored<T>): { headers: { ETag: string }; body: T } => ({
  headers: { ETag: etag(stored) },
  body: stored.record,
});

/** As `recordResponse`, for a record that was created. @param location where it can be read. */
export const createdResponse = <T>(location: string, stored: Stored<T>): { headers: { Location: string; ETag: string }; body: T } => ({
  headers: { Location: location, ETag: etag(stored) },
  body: stored.record,
});

/** What a read answers with, if its operation declares a record with its `ETag`, and 304; else nothing that there is. */
type ReadRecord<T extends ContractTypes, Op extends OperationId<T>> =
  304 extends Status<T, Op>
    ? Payload<T, Op, 200> extends { readonly headers: { readonly ETag: string }; readonly body: infer Body }
      ? Body
      : never
    : never;

/** Answers a read with 200 and the record, or with 304 if `If-None-Match` names its version (RFC 9110, section 13.1.2). */
export function replyWithRecord<T extends ContractTypes, Op extends OperationId<T>>(
  reply: Reply<T, Op>,
  headers: Pick<ConditionalHeaders, 'If-None-Match'>,
  stored: Stored<ReadRecord<T, Op>>,
): HandlerResponse<Op> {
  const untyped = reply as (status: number, payload: object) => HandlerResponse<Op>;
  const fields = { ETag: etag(stored) };
  const condition = headers['If-None-Match'];
  if (condition !== undefined && isFresh(condition, stored)) return untyped(304, { headers: fields });
  return untyped(200, { headers: fields, body: stored.record });
}

const matches = (header: string, version: string, tagsOf: (header: string) => string[]) =>
  header === '*' || tagsOf(header).includes(`"${version}"`);

const entityTags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Weak and strong tags compare alike (RFC 9110, section 13.1.2). */
const opaqueTags = (header: string): string[] => entityTags(header).map((tag) => tag.replace(/^W\//, ''));
