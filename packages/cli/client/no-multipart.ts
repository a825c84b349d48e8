/** A contract without multipart bodies: no body is one. */
import type { WrittenBody } from './types.ts';

export const writeMultipart: (body: object, types?: unknown) => Promise<WrittenBody & { type: string }> = () =>
  Promise.reject(new TypeError('the contract declares no multipart body'));
