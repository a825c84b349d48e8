/** What a body is refused with. */
import { FrameworkError } from '@specwright/contract/runtime';

export const bodyTooLarge = (maxBytes: number) => new FrameworkError('body_too_large', `the body is larger than ${maxBytes} bytes`);

export const bodiesTooLarge = () =>
  new FrameworkError('service_unavailable', 'too many bytes of bodies are under way; retry in 1 s', { headers: { 'Retry-After': '1' } });

export const bodyTooSlow = (leastBytesPerSecond: number) =>
  new FrameworkError('request_timeout', `the server is busy and the body arrived at less than ${leastBytesPerSecond} bytes a second`);

/** The client was gone, or had ended its side of the connection, before its body was whole: nobody is answered, and nothing is its fault. */
export class ClientGoneError extends FrameworkError {
  constructor() {
    super('invalid_request', 'body is shorter or longer than Content-Length says');
  }
}

export const bodyRequired = () => new FrameworkError('invalid_request', 'body is required');

export const notDecompressed = (cause: unknown) =>
  new FrameworkError('invalid_request', `body cannot be decompressed: ${(cause as Error).message}`, { cause });
