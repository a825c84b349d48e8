/** What a body is refused with. */
import { FrameworkError } from '../../errors.ts';

export const bodyTooLarge = (maxBytes: number) => new FrameworkError('body_too_large', `the body is larger than ${maxBytes} bytes`);

export const bodyTruncated = () => new FrameworkError('invalid_request', 'body is shorter or longer than Content-Length says');

export const bodyRequired = () => new FrameworkError('invalid_request', 'body is required');

export const notDecompressed = (cause: unknown) =>
  new FrameworkError('invalid_request', `body cannot be decompressed: ${(cause as Error).message}`, { cause });
