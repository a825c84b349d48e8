/** Verifies one token: its form, its signature, and its claims (RFC 7519, RFC 8725 and RFC 9068). */
import { jwtVerify, type JWTPayload } from 'jose';
import type { Claims } from './claims.ts';
import type { KeySet } from './key-set.ts';
import { RefusedToken, toRefusal } from './refused-token.ts';

/** Signatures that need a private key. `none` is no signature, and who can check an HMAC can make one. */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];

export interface VerifierOptions {
  /** Whether `iss` is the issuer's name. Asked once its keys are known. */
  readonly isIssuer: (name: string) => boolean;
  readonly audience: readonly string[];
  readonly algorithms: readonly Algorithm[];
  /** What `typ` must be; `null`: anything. */
  readonly type: string | null;
  readonly clockToleranceS: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
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
  return async (token) => {
    const time = now();
    const { payload } = await jwtVerify(token, keys.find, { ...verifyOptions, currentDate: new Date(time) }).catch((error: unknown) => {
      throw toRefusal(error);
    });
    // A StringOrURI (RFC 7519, section 4.1.1), whatever its type says: a list of one name is none.
    if (typeof payload.iss !== 'string' || !isIssuer(payload.iss)) throw new RefusedToken('it was issued by another issuer');
    if (payload.iat !== undefined && payload.iat > time / 1000 + clockToleranceS) throw new RefusedToken('it was issued in the future');
    assertUnbound(payload);
    return payload as JWTPayload & Claims;
  };
}

/**
 * A token that is bound to a key of its client (RFC 9449, RFC 8705) is no bearer token: a thief must not be able to use it,
 * and that the client has the key is not checked here.
 */
function assertUnbound({ cnf }: JWTPayload): void {
  if (cnf !== undefined) throw new RefusedToken('it is bound to a key of the client, which is not supported');
}
