/** The files of a multipart request, as handlers get them. */
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A file of a request. `Name` are the properties that the contract declares as files. */
export interface UploadedFile<Name extends string = string> {
  /** The property of the body's schema. */
  readonly name: Name;
  /** The last segment of what the client has named it, if it has. Never a path; not unique, and not to be trusted. */
  readonly filename: string | undefined;
  /** The media type that the client has given, of those that the contract allows; `application/octet-stream` if it has given none. */
  readonly type: string;
  /** The header fields of the part, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Its bytes. What is not read is skipped when the next file is asked for. Fails with an AppError: body_too_large beyond its limit,
   * invalid_request if it is too short or cut off.
   */
  readonly stream: Readable;
}

/** A file that was written to a temporary file before the handler was called (`x-multipart: spool`). */
export interface SpooledFile<Name extends string = string> extends UploadedFile<Name> {
  /** In bytes. */
  readonly size: number;
  /** The temporary file, which has no name any more and is gone when the request has ended. `stream` reads it from its beginning. */
  readonly handle: FileHandle;
}

/** Files as they arrive, once: the request is read no faster than they are. */
export type StreamedFiles<Name extends string = string> = AsyncIterable<UploadedFile<Name>>;

/** The files of a request, whether they were spooled or not. */
export type UploadedFiles = StreamedFiles | readonly SpooledFile[];
