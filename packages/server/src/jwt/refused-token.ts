/** Why a token is refused, in words for the client: they name the check that failed, and nothing of the service or of other tokens. */
import { errors } from 'jose';

/** A token that is not accepted. `message` is for the client: only characters of `error_description` (RFC 6750, section 3). */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken';
}

const BY_CLAIM: Readonly<Record<string, string>> = {
  aud: 'it was issued for another audience',
  nbf: 'it is not valid yet',
  iat: 'it was issued in the future',
  exp: 'it has expired',
  typ: 'its type is not that of access tokens',
};

const BY_CODE: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'it has expired',
  [errors.JWSSignatureVerificationFailed.code]: 'its signature is not valid',
  [errors.JWKSNoMatchingKey.code]: 'its key is unknown',
  [errors.JWKSMultipleMatchingKeys.code]: 'its header does not say which key has signed it',
  [errors.JOSEAlgNotAllowed.code]: 'its algorithm is not accepted',
  [errors.JOSENotSupported.code]: 'its header requires an extension that is not supported',
};

/** @returns the refusal of what jose throws; other errors as they are. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return new RefusedToken(`it has no ${error.claim}`);
    return new RefusedToken(BY_CLAIM[error.claim] ?? 'one of its claims is not valid');
  }
  return new RefusedToken(BY_CODE[error.code] ?? 'it is malformed');
}
