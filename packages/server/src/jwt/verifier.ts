/** Verifies one token: its form, its signature, and its claims (RFC 7519, RFC 8725 and RFC 9068). */
import { decodeProtectedHeader, jwtVerify, type JWTPayload, errors } from 'jose';
import type { Claims } from './claims.ts';
import type { KeySet } from './key-set.ts';
import type { Given } from './token-options.ts';

export interface VerifierOptions extends Given<unknown, 'algorithms' | 'type' | 'clockToleranceS' | 'now'> {
  /** Whether `iss` is the issuer's name. Asked once its keys are known. */
  readonly isIssuer: (name: string) => boolean;
  readonly audience: readonly string[];
  readonly keys: KeySet;
}

const TYPE_OF_PROFILE = 'at+jwt';
/** Always: a token without them would be everybody's, or for ever. */
const REQUIRED = ['iss', 'aud', 'exp'];
/** RFC 9068, section 2.2. */
const REQUIRED_BY_PROFILE = ['sub', 'client_id', 'iat', 'jti'];

/** @returns a function that gives the claims of a token. @throws RefusedToken; KeysUnavailable */
export function createVerifier(options: VerifierOptions): (token: string) => Promise<Claims> {
  const { isIssuer, audience, algorithms, type, clockToleranceS, now, keys } = options;
  const isProfile = type?.toLowerCase().replace(/^application\//, '') === TYPE_OF_PROFILE;
  const verifyOptions = {
    audience: [...audience],
    algorithms: [...algorithms],
    ...(type === null ? {} : { typ: type }),
    clockTolerance: clockToleranceS,
    requiredClaims: isProfile ? [...REQUIRED, ...REQUIRED_BY_PROFILE] : REQUIRED,
  };
  const verify = async (token: string, time: number): Promise<JWTPayload> => {
    const generation = keys.generation();
    const currentDate = new Date(time);
    try {
      return (await jwtVerify(token, keys.find, { ...verifyOptions, currentDate })).payload;
    } catch (error) {
      // One that names no key was verified with the only one, which the issuer may have replaced.
      if (!(error instanceof errors.JWSSignatureVerificationFailed) || decodeProtectedHeader(token).kid !== undefined) throw error;
      await keys.renew();
      if (keys.generation() === generation) throw error;
      return (await jwtVerify(token, keys.find, { ...verifyOptions, currentDate })).payload;
    }
  };
  return async (token) => {
    const time = now();
    const payload = await verify(token, time).catch((error: unknown) => {
      throw toRefusal(error);
    });
    // A StringOrURI (RFC 7519, section 4.1.1), whatever its type says: a list of one name is none.
    if (typeof payload.iss !== 'string' || !isIssuer(payload.iss)) throw new RefusedToken('it was issued by another issuer');
    if (payload.iat !== undefined && payload.iat > time / 1000 + clockToleranceS) throw new RefusedToken('it was issued in the future');
    // One that is bound to a key of its client (RFC 9449, RFC 8705) is no bearer token: that the client has the key is not checked here.
    if (payload.cnf !== undefined) throw new RefusedToken('it is bound to a key of the client, which is not supported');
    return payload as JWTPayload & Claims;
  };
}

// Why a token is refused, in words for the client: they name the check that failed, and nothing of the service or of other
// tokens.

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
function toRefusal(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return new RefusedToken(`it has no ${error.claim}`);
    return new RefusedToken(BY_CLAIM[error.claim] ?? 'one of its claims is not valid');
  }
  return new RefusedToken(BY_CODE[error.code] ?? 'it is malformed');
}
