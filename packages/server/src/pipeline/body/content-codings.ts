/** The content codings of requests (RFC 9110, section 8.4.1). */
import { FrameworkError } from '../../errors.ts';

export type ContentCodingName = 'gzip' | 'deflate' | 'br';

/** @returns how a body has to be decompressed; `undefined` if it is not compressed. @throws AppError unsupported_content_type */
export function contentCodingOf(field: string | undefined): ContentCodingName | undefined {
  const coding = field?.toLowerCase() ?? 'identity';
  if (coding === 'identity') return undefined;
  if (coding === 'gzip' || coding === 'deflate' || coding === 'br') return coding;
  throw new FrameworkError('unsupported_content_type', 'header/Content-Encoding must be gzip, deflate, br or identity');
}
