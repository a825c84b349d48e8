/** The keys of an issuer: fetched when they are first needed, refreshed, rotated when a token has an unknown one, and kept while the issuer is down. */
import type { Log } from '../log/logger.ts';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';

/** After this time keys are fetched again, in the background: a key that the issuer has removed is refused from then on. */
const MAX_AGE_MS = 600_000;
/** How long after one attempt the next one is made, whatever tokens come; and as long as there are no keys yet. */
const COOLDOWN_MS = 30_000;
const COOLDOWN_WITHOUT_KEYS_MS = 1000;
/** An authorization server has a handful. */
const MAX_KEYS = 100;

export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

export interface KeySetOptions {
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
  /** Milliseconds on a clock that does not jump. */
  readonly now?: (() => number) | undefined;
  /** Told once when keys cannot be fetched, and once when they can again. */
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined;
}

export interface KeySet {
  /** Increases when a key that was known is no longer: what was verified with it has to be verified again. Asked for each token. */
  readonly generation: () => number;
  /** The key of a token. @throws KeysUnavailable; what jose throws if there is none. */
  readonly find: JWTVerifyGetKey;
  /** Fetches the keys again, unless that was tried a moment ago. It never rejects. */
  readonly renew: () => Promise<void>;
}

interface Loaded {
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly keys: ReadonlySet<string>;
  readonly loadedAt: number;
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** A set without keys is a mistake of the issuer, and no reason to refuse everybody. @throws JOSEError if it is no set of keys, or one of too many. */
function readKeys({ keys }: { readonly keys?: unknown }, loadedAt: number): Loaded {
  if (!isList(keys) || keys.length === 0 || keys.length > MAX_KEYS) throw new errors.JWKSInvalid(`no list of 1 to ${MAX_KEYS} keys`);
  return { find: createLocalJWKSet({ keys: keys as JWK[] }), keys: new Set(keys.map((key) => JSON.stringify(key))), loadedAt };
}

/** Keys that are given, and never change. @throws JOSEError */
export const fixedKeys = (set: JSONWebKeySet): KeySet => ({
  generation: () => 0,
  find: readKeys(set, 0).find,
  renew: async () => undefined,
});

/** One request at a time, and never one for each token: tokens that need keys wait for the same one, or do without until the cooldown ends. */
export class FetchedKeys implements KeySet {
  readonly #options: KeySetOptions;
  readonly #now: () => number;
  #loaded: Loaded | undefined = undefined;
  #generation = 0;
  #attemptedAt = -Infinity;
  #pending: Promise<void> | undefined = undefined;
  #isDown = false;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  readonly generation = (): number => {
    if (this.#loaded !== undefined) this.#refreshIfOld(this.#loaded);
    return this.#generation;
  };

  readonly find: KeySet['find'] = async (header, token) => {
    const before = this.#loaded ?? (await this.#firstKeys());
    this.#refreshIfOld(before);
    try {
      return await before.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.renew();
      const after = this.#loaded ?? before;
      if (after === before) throw error;
      return after.find(header, token);
    }
  };

  readonly renew = async (): Promise<void> => this.#refresh()?.catch(ignore);

  async #firstKeys(): Promise<Loaded> {
    let cause: unknown;
    await this.#refresh()?.catch((error: unknown) => (cause = error));
    if (this.#loaded === undefined) throw new KeysUnavailable('the keys of the issuer cannot be fetched', { cause });
    return this.#loaded;
  }

  #refreshIfOld({ loadedAt }: Loaded): void {
    if (this.#now() - loadedAt > MAX_AGE_MS) this.#refresh()?.catch(ignore);
  }

  /** @returns a promise, unless it is too early. */
  #refresh(): Promise<void> | undefined {
    if (this.#pending !== undefined) return this.#pending;
    const cooldown = this.#loaded === undefined ? COOLDOWN_WITHOUT_KEYS_MS : COOLDOWN_MS;
    if (this.#now() - this.#attemptedAt < cooldown) return undefined;
    return (this.#pending = this.#attempt().finally(() => (this.#pending = undefined)));
  }

  async #attempt(): Promise<void> {
    const { load, log } = this.#options;
    this.#attemptedAt = this.#now();
    try {
      const next = readKeys(await load(), this.#now());
      if ([...(this.#loaded?.keys ?? [])].some((key) => !next.keys.has(key))) this.#generation += 1;
      this.#loaded = next;
      if (this.#isDown) log?.info({}, 'the keys of the token issuer can be fetched again');
      this.#isDown = false;
    } catch (err) {
      if (!this.#isDown) log?.warn({ err }, 'the keys of the token issuer cannot be fetched: those that are known stay valid');
      this.#isDown = true;
      throw err;
    }
  }
}

const ignore = () => undefined;
