/** The files of a multipart request, as handlers get them. */
import type { Readable } from 'node:stream';

/** A file of a request. `Name` are the properties that the contract declares as files. */
export interface UploadedFile<Name extends string = string> {
  readonly name: Name;
  /** The last segment of what the client has named it, if it has. Never a path; not unique, and not to be trusted. */
  readonly filename: string | undefined;
  /** The media type that the client has given, of those that the contract allows; `application/octet-stream` if it has given none. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Its bytes. What is not read is skipped when the next file is asked for. Fails with an AppError: body_too_large beyond its limit,
   * invalid_request if it is too short or cut off.
   */
  readonly stream: Readable;
}

/** A file that was stored before the handler was called (`x-multipart: spool`), in memory or on disk. It is gone when the request has ended. */
export interface SpooledFile<Name extends string = string> extends UploadedFile<Name> {
  /** In bytes. */
  readonly size: number;
  /** Its bytes from `start` to `end`, both included, as `fs.createReadStream` has them: as often as they are needed. Default: all. */
  readonly createReadStream: (range?: { readonly start?: number; readonly end?: number }) => Readable;
}

/** Files as they arrive, once: the request is read no faster than they are. */
export type StreamedFiles<Name extends string = string> = AsyncIterable<UploadedFile<Name>>;

/** The files of a request, whether they were spooled or not. */
export type UploadedFiles = StreamedFiles | readonly SpooledFile[];
