/** The signature of a delivery, as Standard Webhooks 1.0.0 has it (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** `whsec_` and base64 of 256 random bits, as Standard Webhooks asks for. */
export const createSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

export interface UnsignedDelivery {
  readonly id: string;
  readonly body: string;
  /** When this try is made, in seconds since 1970. */
  readonly timestamp: number;
}

export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs a delivery. @param secret `undefined` for a callback without one. */
export type Sign = (secret: string | undefined, delivery: UnsignedDelivery) => SignedDelivery;

/** `webhook-id`, `webhook-timestamp` and, with a secret, `webhook-signature`. */
export const signStandard: Sign = (secret, { id, timestamp, body }) => ({
  headers: {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(secret !== undefined && { 'webhook-signature': `v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}` }),
  },
  body,
});

const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(PREFIX, ''), 'base64'))
    .update(text)
    .digest('base64');
