/** What Node tells of what never becomes a request, as errors of the framework. */
import type { Socket } from 'node:net';
import { FrameworkError, type AppError, type FrameworkErrorCode } from '@specwright/contract/runtime';

export type ClientError = NodeJS.ErrnoException & { readonly reason?: string };

export type RefuseSocket = (error: AppError | undefined, socket: Socket) => void;

const CLIENT_ERRORS: Readonly<Record<string, readonly [FrameworkErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'the headers are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'the chunk extensions of the body are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive in time'],
};

export const CONNECT_ERROR = new FrameworkError('invalid_request', 'CONNECT is not served: this is not a proxy');

/** @returns what to answer; `undefined` if the client is gone. */
export function toClientError(error: ClientError): AppError | undefined {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return undefined;
  const [code, message] = CLIENT_ERRORS[error.code ?? ''] ?? [
    'invalid_request',
    `the request is not HTTP: ${error.reason ?? error.message}`,
  ];
  return new FrameworkError(code, message, { cause: error });
}
