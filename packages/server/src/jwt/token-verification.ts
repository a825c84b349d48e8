/** Tokens of one issuer, and their callers: each token is verified once, and cached for its life. */
import { hash as digest } from 'node:crypto';
import { createBoundedCache } from '../limits/bounded-cache.ts';
import { FrameworkError } from '@specwright/contract/runtime';
import type { LookUpLimit } from '../pipeline/authentication/credentials.ts';
import type { Claims } from './claims.ts';
import { RefusedToken } from './verifier.ts';
import { FetchFailed } from './fetch-json.ts';
import { KeysUnavailable, type KeySet } from './key-set.ts';
import type { Given } from './token-options.ts';

export interface TokenVerificationOptions<Caller> extends Given<Caller, 'maxTokenBytes' | 'maxCachedTokens' | 'cacheMs' | 'now'> {
  readonly keys: KeySet;
  /** @throws RefusedToken; KeysUnavailable */
  readonly verify: (token: string) => Promise<Claims>;
  /** Whether a token that was verified is still active. @throws FetchFailed */
  readonly isActive?: ((token: string) => Promise<boolean>) | undefined;
  /** Who calls; `undefined` for nobody. */
  readonly toCaller: (claims: Claims) => Caller | undefined | Promise<Caller | undefined>;
}

interface Verdict<Caller> {
  readonly caller?: Caller | undefined;
  /** Why it was refused, though it is valid: nobody's, or not active. */
  readonly refused?: string;
  /** On the clock of `now`. */
  readonly expiresAt: number;
  readonly generation: number;
}

const NOT_ACTIVE = 'it is no longer active';
const NOBODY = 'nobody is known by it';

/**
 * @returns a function that finds the caller of a token; a promise only if the token is not cached. Its errors: RefusedToken, and what
 * the pipeline answers with 503 if the issuer is needed and does not answer, or with 429 if too many tokens of an address were refused.
 */
export function createTokenVerification<Caller>(options: TokenVerificationOptions<Caller>) {
  const { keys, verify, isActive, toCaller, maxTokenBytes, maxCachedTokens, cacheMs, now } = options;
  const verdicts = createBoundedCache<Verdict<Caller>>(maxCachedTokens);
  const pending = new Map<string, Promise<Verdict<Caller>>>();

  async function judge(token: string): Promise<Verdict<Caller>> {
    const generation = keys.generation();
    const claims = await verify(token);
    const expiresAt = Math.min(claims.exp * 1000, now() + cacheMs);
    if (isActive !== undefined && !(await isActive(token))) return { refused: NOT_ACTIVE, expiresAt, generation };
    const caller = await toCaller(claims);
    return caller === undefined || caller === null ? { refused: NOBODY, expiresAt, generation } : { caller, expiresAt, generation };
  }

  /** Requests with the same token at the same time wait for one verification. */
  function judgeOnce(hash: string, token: string): Promise<Verdict<Caller>> {
    const underWay = pending.get(hash);
    if (underWay !== undefined) return underWay;
    const judged = judge(token)
      .then((verdict) => {
        verdicts.set(hash, verdict);
        return verdict;
      })
      .finally(() => pending.delete(hash));
    pending.set(hash, judged);
    return judged;
  }

  async function lookUp(hash: string, token: string, limit: LookUpLimit | undefined): Promise<Caller> {
    let refused: RefusedToken | undefined;
    const run = async (): Promise<Caller | undefined> => {
      try {
        const { caller, refused: reason } = await judgeOnce(hash, token);
        if (reason !== undefined) refused = new RefusedToken(reason);
        return caller;
      } catch (error) {
        if (!(error instanceof RefusedToken)) throw toUnavailable(error);
        refused = error;
        return undefined;
      }
    };
    const caller = await (limit === undefined ? run() : limit.lookUp(run));
    if (caller === undefined) throw refused ?? new RefusedToken(NOBODY);
    return caller;
  }

  return (token: string, limit?: LookUpLimit): Caller | Promise<Caller> => {
    if (token.length > maxTokenBytes) throw new RefusedToken(`it is longer than ${maxTokenBytes} bytes`);
    const hash = digest('sha256', token, 'base64');
    const known = verdicts.get(hash);
    if (known !== undefined && known.expiresAt > now() && known.generation === keys.generation()) {
      if (known.caller === undefined) throw new RefusedToken(known.refused ?? NOBODY);
      return known.caller;
    }
    // A token that was valid a moment ago is no guess.
    return lookUp(hash, token, known?.caller === undefined ? limit : undefined);
  };
}

/** The client cannot help it, and may retry. */
function toUnavailable(error: unknown): unknown {
  if (!(error instanceof KeysUnavailable || error instanceof FetchFailed)) return error;
  const headers = { 'Retry-After': '1' };
  return new FrameworkError('service_unavailable', 'the token cannot be verified at the moment; retry in 1 s', { cause: error, headers });
}
