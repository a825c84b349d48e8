/** The signature of a delivery, as Standard Webhooks 1.0.0 has it (https://www.standardwebhooks.com), and the former one. */
import { createHmac, type BinaryToTextEncoding } from 'node:crypto';

const PREFIX = 'whsec_';

const hmac = (key: string | Buffer, text: string, encoding: BinaryToTextEncoding) =>
  createHmac('sha256', key).update(text).digest(encoding);

/**
 * Whether a secret was made before deliveries followed the standard: 43 characters of base62, where base64 of 32 bytes has 44
 * and ends in `=`. Its receiver was written for the former body and headers, and gets them until the webhook is set again.
 */
export const isFormerSecret = (secret: string): boolean => /^whsec_[0-9A-Za-z]{43}$/.test(secret);

/** `webhook-id`, `webhook-timestamp` and `webhook-signature`. @param timestamp in seconds since 1970. */
export const standardHeaders = (secret: string, id: string, timestamp: number, body: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': `v1,${hmac(Buffer.from(secret.slice(PREFIX.length), 'base64'), `${id}.${timestamp}.${body}`, 'base64')}`,
});

/** What a receiver with a former secret verifies: keyed with the whole text of the secret. */
export const formerHeaders = (secret: string, id: string, timestamp: number, body: string) => ({
  'X-Webhook-Id': id,
  'X-Webhook-Timestamp': String(timestamp),
  'X-Webhook-Signature': `v1=${hmac(secret, `${timestamp}.${body}`, 'hex')}`,
});
