/** What is made from an `Idempotency-Key`: the id of its row, and the secrets that protect what the row says. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const ID_BYTES = 32;
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface IdempotencySecrets {
  /** The same for the same key in the same scope. The key cannot be computed from it. */
  readonly id: Buffer;
  /** The fingerprint of a request, so that its content cannot be guessed and compared without the key. */
  readonly mac: (fingerprint: Buffer) => Buffer;
  /** AES-256-GCM, bound to the id. */
  readonly seal: (text: string) => Buffer;
  /** @throws Error if it was not sealed with this key in this scope. */
  readonly open: (sealed: Buffer) => string;
}

/**
 * Derives everything from the key by HKDF (RFC 5869), so the database, which never has the key, cannot be used to read a
 * response. That is as strong as the key is hard to guess: a UUID is enough.
 *
 * @param scope the account or the address: two that use the same key have nothing in common.
 */
export function deriveSecrets(key: string, scope: string): IdempotencySecrets {
  const bytes = Buffer.from(hkdfSync('sha256', key, scope, 'specwright idempotency key', ID_BYTES + 2 * SECRET_BYTES));
  const id = bytes.subarray(0, ID_BYTES);
  const macSecret = bytes.subarray(ID_BYTES, ID_BYTES + SECRET_BYTES);
  const sealSecret = bytes.subarray(ID_BYTES + SECRET_BYTES);
  return {
    id,
    mac: (fingerprint) => createHmac('sha256', macSecret).update(fingerprint).digest(),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealSecret, nonce, { authTagLength: TAG_BYTES }).setAAD(id);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealSecret, nonce, { authTagLength: TAG_BYTES }).setAAD(id).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}
